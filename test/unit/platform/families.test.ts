import type { DueFamily } from '#shared/platform/due-family.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import {
  GSI1_FAMILIES,
  GSI2_FAMILIES,
  GSI3_FAMILIES,
  OPERATORS_FAMILIES,
  TABLE_FAMILIES,
} from '#shared/platform/table/families.ts';
import type { Key } from '#shared/platform/table/keys.ts';
import type { QuotaWork } from '#shared/providers/domain/quota.ts';
import { keys } from '#test/support/recorder/all-keys.ts';
import { isLike } from '#test/support/recorder/families.ts';

const tenant = { businessId: 'biz_1', mode: 'live' } as const;
const transfer = { kind: 'transfer', transferId: 'KEY#1' } as const;

/** Every function that makes a key of the table, with some of its keys. */
const TABLE_KEYS = {
  businessKey: [keys.businessKey('biz_1')],
  operatorChangeKey: [keys.operatorChangeKey('biz_1', 'log_1')],
  erasureKey: [keys.erasureKey('biz_1', 'ab12')],
  draftKey: [keys.draftKey('biz_1', 'log_1')],
  memberChangeKey: [keys.memberChangeKey('biz_1', 'log_1')],
  userKey: [keys.userKey('usr_1')],
  signInKey: [keys.signInKey('ab12')],
  challengeKey: [keys.challengeKey('ab12')],
  summaryKey: [keys.summaryKey('biz_1')],
  noticeKey: [keys.noticeKey('ntc_1')],
  sessionKey: [keys.sessionKey('ab12')],
  codesKey: [keys.codesKey('usr_1', 900_000, 1), keys.codesKey('2001:db8::/64', 900_000, 1)],
  apiKeyKey: [keys.apiKeyKey('ab12')],
  lastUseKey: [keys.lastUseKey('key_1')],
  logoKey: [keys.logoKey('lgo_1')],
  endpointKey: [keys.endpointKey('whe_1')],
  breakerKey: [keys.breakerKey('whe_1')],
  virtualAccountKey: [keys.virtualAccountKey('va_1')],
  checkoutKey: [keys.checkoutKey('PAY-1')],
  eventKey: [keys.eventKey('evt_1')],
  deliveryKey: [keys.deliveryKey('evt_1', 'whe_1')],
  attemptKey: [keys.attemptKey('evt_1', 'whe_1', 1)],
  answerKey: [keys.answerKey('ab12')],
  merchantReferenceKey: [keys.merchantReferenceKey(tenant, 'CHK#1\n')],
  paymentKey: mode.options.map((keyMode) => keys.paymentKey(keyMode, 'paystack', transfer)),
  duePaymentKey: [keys.duePaymentKey(keys.paymentKey('live', 'paystack', transfer).pk)],
  assignedReferenceKey: [keys.assignedReferenceKey('korapay', 'PAY-1')],
  rateKey: [keys.rateKey('ab12', 1)],
  usedQuotaKey: (['creations', 'closings', 'expiries', 'requeries', 'payer_reports'] satisfies QuotaWork[]).map(
    (work) => keys.usedQuotaKey({ work, provider: 'paystack', businessId: 'biz_1', bucket: 'public#2001:db8::/64' }, 1),
  ),
  pageUseKey: [keys.pageUseKey('PAY-1', 'report')],
  usageKey: [keys.usageKey('whe_1', 'send', 1), keys.usageKey('biz_1#live', 'search', 1)],
  leaseKey: [keys.leaseKey('recovery', 'whe_1'), keys.leaseKey('requery', 'PAY-1')],
  notificationKey: [keys.notificationKey({ provider: 'monnify', hash: 'ab12' })],
  reconciliationKey: [keys.reconciliationKey({ provider: 'monnify', pass: 'recent', list: 0, lists: 1 })],
  healthMinuteKey: [keys.healthMinuteKey('korapay', 1)],
  healthStateKey: [keys.healthStateKey('korapay')],
  providerBreakerKey: [keys.providerBreakerKey('monnify', 'creations')],
  sentReportKey: [keys.sentReportKey('korapay', 'PAY-1')],
  customerAccountKey: [keys.customerAccountKey(tenant, 'ab12', 'va_1')],
  receivingAccountKey: mode.options.map((keyMode) => keys.receivingAccountKey(keyMode, 'paystack', '0123456789')),
  paymentAccountKey: mode.options.map((keyMode) =>
    keys.paymentAccountKey(keyMode, 'paystack', '0123456789', 0, 'PAY-1'),
  ),
  labelKey: [keys.labelKey(tenant, 'order', { isMadeByServer: true, at: 0, reference: 'PAY-1' })],
  dailyTotalKey: [keys.dailyTotalKey(tenant, '2026-11-20')],
} satisfies Record<string, readonly Key[]>;

const ON_GSI1 = [
  keys.AUDIT,
  keys.BUSINESSES,
  keys.STUCK,
  keys.UNMATCHED,
  keys.checkoutPartition(tenant),
  keys.checkoutsOfPayer(tenant, 'ab12'),
  keys.virtualAccountPartition(tenant),
  keys.eventListPartition(tenant),
  keys.ownerPartition({ kind: 'checkout', reference: 'PAY-1' }),
  keys.apiKeyById('key_1'),
  keys.sessionPartition('usr_1'),
  keys.undeliveredPartition('whe_1', 'parked'),
  keys.undeliveredPartition('whe_1', 'exhausted'),
];
const ON_GSI2 = (
  [
    'deliveries',
    'notices',
    'payments',
    'reviews',
    'summaries',
    'test_deliveries',
    'test_payments',
  ] satisfies DueFamily[]
).map((family) => keys.duePartition(family, 15));

const ON_GSI3 = [keys.paymentsOfBusiness(tenant)];

const familiesOf = (families: readonly string[], key: string): string[] =>
  families.filter((family) => isLike(family, key));

test('every kind of key is in this test', () => {
  const makers = Object.keys(keys).filter(
    (name) => name.endsWith('Key') && name !== 'makeKey' && !name.startsWith('is'),
  );
  expect(Object.keys(TABLE_KEYS).sort()).toEqual(makers.sort());
});

const TABLE_PARTITIONS = Object.values(TABLE_KEYS).flatMap((examples: readonly Key[]) => examples.map(({ pk }) => pk));

test.each<[string, readonly string[], readonly string[]]>([
  ['the table', [...TABLE_FAMILIES, ...OPERATORS_FAMILIES], TABLE_PARTITIONS],
  ['gsi1', [...GSI1_FAMILIES, ...OPERATORS_FAMILIES], ON_GSI1],
  ['gsi2', GSI2_FAMILIES, ON_GSI2],
  ['gsi3', GSI3_FAMILIES, ON_GSI3],
])('every key of %s is in exactly one family', (_name, families, partitions) => {
  for (const key of partitions) expect([key, familiesOf(families, key).length]).toEqual([key, 1]);
});

test('every family has keys', () => {
  const partitions = [...TABLE_PARTITIONS, ...ON_GSI1, ...ON_GSI2, ...ON_GSI3];
  const families = [...TABLE_FAMILIES, ...GSI1_FAMILIES, ...GSI2_FAMILIES, ...GSI3_FAMILIES];
  expect(families.filter((family) => !partitions.some((key) => isLike(family, key)))).toEqual([]);
});

test('isLike matches a pattern as IAM does', () => {
  expect(isLike('BIZ#*#VA', 'BIZ#biz_1#live#VA')).toBe(true);
  expect(isLike('BIZ#*#VA', 'BIZ#biz_1#live#VAT')).toBe(false);
  expect(isLike('UNMATCHED', 'UNMATCHED#1')).toBe(false);
  expect(isLike('KEY#*', 'key#1')).toBe(false);
  expect(isLike('KEY#*', ' KEY#1')).toBe(false);
  expect(isLike('KEY#*', 'KEY#1\n2')).toBe(true);
});
