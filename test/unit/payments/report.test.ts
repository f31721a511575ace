import {
  buildPaymentQuery,
  findAmount,
  isReinstated,
  isReturned,
  paymentQuery,
  type ReportedMoney,
  reinstateTransfer,
  reportedMoney,
  reportState,
  toSourceId,
} from '#shared/providers/domain/report.ts';
import { type PaymentOrigin, sourceId } from '#shared/providers/domain/source.ts';
import { naira } from '#test/unit/api/examples.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';
import { rejectionOf, totalOf, transferOf } from './reported.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const ZERO = naira(0);
const OUR_REFERENCE_QUERY = { by: 'our_reference', value: 'PAY-1' };

describe('reported money', () => {
  test.each<[string, ReportedMoney]>([
    ['a transfer', transferOf()],
    [
      'a reversed transfer to a checkout',
      transferOf({ outcome: 'reversed', payee: { by: 'our_reference', reference: REFERENCE } }),
    ],
    [
      'a transfer of an unknown sender at an unknown time',
      transferOf({ paidAt: null, senderName: null, senderBank: null }),
    ],
    ['a rejection', rejectionOf()],
    ['a total', totalOf()],
  ])('can be stored and read back: %s', (_, money) => {
    expectEveryFieldRequired(reportedMoney, money);
    expectEveryFieldRequired(sourceId, toSourceId(money));
  });

  test('keeps the number of its reinstatements when it is stored', () => {
    expect(reportedMoney.parse(transferOf({ reinstatements: 2 }))).toEqual(transferOf({ reinstatements: 2 }));
  });

  test('keeps the amount that its charge asked for when it is stored', () => {
    for (const money of [transferOf({ asked: naira(50) }), totalOf({ asked: naira(50) })]) {
      expect(reportedMoney.parse(money)).toEqual(money);
    }
  });

  test.each<[string, object]>([
    ['a charge in fractions of a kobo', { ...totalOf(), asked: 0.5 }],
    ['another kind', { ...transferOf(), kind: 'card' }],
    ['an empty id', { ...transferOf(), transferId: '' }],
    ['zero reinstatements', { ...transferOf(), reinstatements: 0 }],
    ['another outcome', { ...transferOf(), outcome: 'rejected' }],
    ['a payee by name', { ...transferOf(), payee: { by: 'name', name: 'Ada' } }],
    ['an empty account number', { ...transferOf(), payee: { by: 'account_number', accountNumber: '' } }],
    ['a payee without an account number', { ...transferOf(), payee: { by: 'account_number' } }],
    ['an empty reference', { ...transferOf(), payee: { by: 'our_reference', reference: '' } }],
    ['a payee without a reference', { ...transferOf(), payee: { by: 'our_reference' } }],
    ['an empty id of a rejection', { ...rejectionOf(), rejectionId: '' }],
    [
      'an account number as the payee of a total',
      { ...totalOf(), payee: { by: 'account_number', accountNumber: '1234567898' } },
    ],
    ['an empty reference of a total', { ...totalOf(), payee: { by: 'our_reference', reference: '' } }],
    ['no reference of a total', { ...totalOf(), payee: { by: 'our_reference' } }],
  ])('cannot be stored with %s', (_, money) => {
    expect(reportedMoney.safeParse(money).success).toBe(false);
  });

  test.each<[string, ReportedMoney, object]>([
    ['a transfer', transferOf(), { kind: 'transfer', transferId: 'trf-1' }],
    [
      'a reinstated transfer',
      transferOf({ reinstatements: 1 }),
      { kind: 'transfer', transferId: 'trf-1', reinstatements: 1 },
    ],
    ['a rejection', rejectionOf(), { kind: 'rejection', transaction: 'txn-1', rejectionId: 'session-1' }],
    ['a total', totalOf(), { kind: 'cumulative_report', reference: REFERENCE }],
  ])('has a source that identifies it: %s', (_, money, source) => {
    expect(toSourceId(money)).toStrictEqual(source);
  });

  test.each<[string, ReportedMoney, boolean, number]>([
    ['an accepted transfer', transferOf(), false, naira(5_000)],
    ['a reversed transfer', transferOf({ outcome: 'reversed' }), true, naira(5_000)],
    ['a rejection', rejectionOf(), true, naira(5_000)],
    ['a total', totalOf(), false, naira(5_000)],
    ['a total with some money returned', totalOf({ returned: naira(7_000) }), false, naira(5_000)],
    ['a total with all money returned', totalOf({ kept: ZERO, returned: naira(7_000) }), true, naira(7_000)],
  ])('counts as returned or kept, and has an amount: %s', (_, money, isMoneyReturned, amount) => {
    expect(isReturned(money)).toBe(isMoneyReturned);
    expect(findAmount(money)).toBe(amount);
  });

  test('becomes another payment each time it is reinstated', () => {
    const once = reinstateTransfer(transferOf());
    expect(once).toEqual(transferOf({ reinstatements: 1 }));
    expect(reinstateTransfer(once)).toEqual(transferOf({ reinstatements: 2 }));
    expect([transferOf(), once, rejectionOf(), totalOf()].map(isReinstated)).toEqual([false, true, false, false]);
  });

  test.each<[string, ReportedMoney, object]>([
    ['a transfer by its transaction', transferOf(), { by: 'transaction', value: 'txn-1' }],
    ['a rejection by its transaction', rejectionOf(), { by: 'transaction', value: 'txn-1' }],
    ['a total by our reference', totalOf(), { by: 'our_reference', value: REFERENCE }],
  ])('leads to the query of its look-up: %s', (_, money, query) => {
    expect(buildPaymentQuery(toSourceId(money), money.providerReference)).toEqual(query);
    expectEveryFieldRequired(paymentQuery, query);
  });

  test.each<[string, PaymentOrigin, object]>([
    ['a part of a total', { kind: 'part', reference: 'PAY-1', reached: naira(1), falls: 0 }, OUR_REFERENCE_QUERY],
    [
      'money of a total that was returned',
      { kind: 'returned', reference: 'PAY-1', returned: naira(1) },
      OUR_REFERENCE_QUERY,
    ],
    ['a transfer', { kind: 'transfer', transferId: 'KPY-2' }, { by: 'transaction', value: 'KPY-3' }],
  ])('leads to the query of its look-up, from the origin of its payment: %s', (_, origin, query) => {
    expect(buildPaymentQuery(origin, 'KPY-3')).toEqual(query);
  });

  test('comes with one of three states', () => {
    expect(reportState.options).toEqual(['open', 'complete', 'failed']);
  });
});
