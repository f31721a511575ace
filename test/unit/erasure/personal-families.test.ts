import type { TableFamily } from '#shared/platform/table/families.ts';
import type { Key } from '#shared/platform/table/keys.ts';
import { keys } from '#test/support/recorder/all-keys.ts';

const tenant = { businessId: 'biz_1', mode: 'live' } as const;
const transfer = { kind: 'transfer', transferId: '1' } as const;

/**
 * For every family of the table: an item that an erasure must examine, or the reason why its items do not identify a payer. A new family must
 * be added here; docs/operating/erasure.md says what is erased.
 */
const PERSONAL: Record<TableFamily, Key | string> = {
  'ACCT#live#*': {
    ...keys.paymentAccountKey('live', 'paystack', '0123456789', 0, 'PAY-1'),
    ...keys.inCheckoutsOfPayer(tenant, 'ab12', 1, 'PAY-1'),
  },
  'ACCT#test#*': {
    ...keys.receivingAccountKey('test', 'paystack', '0123456789'),
    ...keys.inCheckoutsOfPayer(tenant, 'ab12', 1, 'PAY-1'),
  },
  'ALOG#*': 'changes by members, with their addresses',
  'ASK#*': 'requests of members, with their addresses',
  'BIZ#*': 'a business',
  'CHAL#*': 'a challenge for a passkey, for minutes',
  'CHK#*': keys.checkoutKey('PAY-1'),
  'CUST#*': keys.customerAccountKey(tenant, 'ab12', 'va_1'),
  'DAILY#*': 'the next daily summary of a business',
  'EVT#*': keys.eventKey('evt_1'),
  'HAND#biz_*': 'counts, for minutes',
  'HAND#whe_*': 'counts, for minutes',
  'HEALTH#*': 'counts by provider, and marks that many businesses share, for hours',
  'LEASE#recovery#*': 'a time by endpoint, for minutes',
  'LEASE#requery#*': 'a time by checkout, for minutes',
  'IDEM#*': keys.answerKey('ab12'),
  'KEY#*': 'a key of a business',
  'LAST#*': 'a time by key',
  'LOGO#*': 'a logo of a business',
  'MAIL#*': 'a notice about members, for days, until it is mailed',
  'MREF#*': 'a business’s own name for a checkout: a key, which cannot be changed',
  'NTF#*': keys.notificationKey({ provider: 'monnify', hash: 'ab12' }),
  'PAY#live#*': keys.paymentKey('live', 'paystack', transfer),
  'PAY#test#*': keys.paymentKey('test', 'paystack', transfer),
  'PREF#live#*': 'a reference and its checkout',
  'PROV#*': 'a provider',
  'RATE#*': 'counts by key or address, for seconds',
  'RECON#*': 'times',
  'SENT#*': 'a checkout, its business and a time, for minutes',
  'SES#*': 'a session of a member',
  'SGN#*': 'a sign-in of a member, for minutes',
  'SIGN#*': 'counts by member or address, for a day',
  'TOT#*': 'sums of a day',
  'USED#closings#*': 'counts by business or address, for minutes',
  'USED#creations#*': 'counts by business or address, for minutes',
  'USED#expiries#*': 'counts by business or address, for minutes',
  'USED#page#*': 'counts by checkout, for days',
  'USED#payer_reports#*': 'counts by business or address, for minutes',
  'USED#requeries#*': 'counts by business or address, for minutes',
  'USR#*': 'a member, whom operators and owners remove',
  'VA#*': keys.virtualAccountKey('va_1'),
  'WHE#*': 'an endpoint of a business',
};

test.each(Object.entries(PERSONAL))('%s is examined by an erasure, or has nothing of a payer', (_, item) => {
  if (typeof item !== 'string') expect(keys.personalKind(item)).toBeDefined();
});

test('an item that an erasure does not examine itself is reached from an examined item, or has nothing of a payer', () => {
  const others = [
    keys.deliveryKey('evt_1', 'whe_1'),
    keys.attemptKey('evt_1', 'whe_1', 1),
    keys.breakerKey('whe_1'),
    keys.businessKey('biz_1'),
    keys.erasureKey('biz_1', 'ab12'),
    keys.operatorChangeKey('biz_1', 'log_1'),
    keys.receivingAccountKey('live', 'paystack', '0123456789'),
    keys.paymentAccountKey('live', 'paystack', '0123456789', 0, 'PAY-1'),
  ];
  expect(others.map(keys.personalKind)).toEqual(others.map(() => undefined));
  const pointsTo = (to: Key) => ({ businessId: 'biz_1', to });
  expect(keys.parseAddressPointer(keys.customerAccountKey(tenant, 'ab12', 'va_1'))).toEqual(
    pointsTo(keys.virtualAccountKey('va_1')),
  );
  const checkoutAccount = {
    ...keys.receivingAccountKey('test', 'paystack', '0123456789'),
    ...keys.inCheckoutsOfPayer(tenant, 'ab12', 1, 'PAY-1'),
  };
  expect(keys.parseAddressPointer(checkoutAccount)).toEqual(pointsTo(keys.checkoutKey('PAY-1')));
});
