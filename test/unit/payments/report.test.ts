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
const OURS = { by: 'our_reference', value: 'PAY-1' };

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
  ])('is stored and read back: %s', (_, money) => {
    expectEveryFieldRequired(reportedMoney, money);
    expectEveryFieldRequired(sourceId, toSourceId(money));
  });

  test('is stored with the number of its reinstatements', () => {
    expect(reportedMoney.parse(transferOf({ reinstatements: 2 }))).toEqual(transferOf({ reinstatements: 2 }));
  });

  test('is stored with what its charge asked for', () => {
    for (const money of [transferOf({ asked: naira(50) }), totalOf({ asked: naira(50) })]) {
      expect(reportedMoney.parse(money)).toEqual(money);
    }
  });

  test.each<[string, object]>([
    ['that was asked for in fractions of a kobo', { ...totalOf(), asked: 0.5 }],
    ['of another kind', { ...transferOf(), kind: 'card' }],
    ['without an id', { ...transferOf(), transferId: '' }],
    ['reinstated zero times', { ...transferOf(), reinstatements: 0 }],
    ['with another outcome', { ...transferOf(), outcome: 'rejected' }],
    ['for a payee by name', { ...transferOf(), payee: { by: 'name', name: 'Ada' } }],
    ['for an empty account number', { ...transferOf(), payee: { by: 'account_number', accountNumber: '' } }],
    ['for a payee without an account number', { ...transferOf(), payee: { by: 'account_number' } }],
    ['for an empty reference', { ...transferOf(), payee: { by: 'our_reference', reference: '' } }],
    ['for a payee without a reference', { ...transferOf(), payee: { by: 'our_reference' } }],
    ['as a rejection without an id', { ...rejectionOf(), rejectionId: '' }],
    ['as a total of an account', { ...totalOf(), payee: { by: 'account_number', accountNumber: '1234567898' } }],
    ['as a total of an empty reference', { ...totalOf(), payee: { by: 'our_reference', reference: '' } }],
    ['as a total of no reference', { ...totalOf(), payee: { by: 'our_reference' } }],
  ])('is not stored %s', (_, money) => {
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
  ])('is known by its source: %s', (_, money, source) => {
    expect(toSourceId(money)).toStrictEqual(source);
  });

  test.each<[string, ReportedMoney, boolean, number]>([
    ['an accepted transfer', transferOf(), false, naira(5_000)],
    ['a reversed transfer', transferOf({ outcome: 'reversed' }), true, naira(5_000)],
    ['a rejection', rejectionOf(), true, naira(5_000)],
    ['a total', totalOf(), false, naira(5_000)],
    ['a total of which some was returned', totalOf({ returned: naira(7_000) }), false, naira(5_000)],
    ['a total of which all was returned', totalOf({ kept: ZERO, returned: naira(7_000) }), true, naira(7_000)],
  ])('is returned or kept, and has an amount: %s', (_, money, returned, amount) => {
    expect(isReturned(money)).toBe(returned);
    expect(findAmount(money)).toBe(amount);
  });

  test('that is reinstated is another payment each time', () => {
    const once = reinstateTransfer(transferOf());
    expect(once).toEqual(transferOf({ reinstatements: 1 }));
    expect(reinstateTransfer(once)).toEqual(transferOf({ reinstatements: 2 }));
    expect([transferOf(), once, rejectionOf(), totalOf()].map(isReinstated)).toEqual([false, true, false, false]);
  });

  test.each<[string, ReportedMoney, object]>([
    ['a transfer by its transaction', transferOf(), { by: 'transaction', value: 'txn-1' }],
    ['a rejection by its transaction', rejectionOf(), { by: 'transaction', value: 'txn-1' }],
    ['a total by our reference', totalOf(), { by: 'our_reference', value: REFERENCE }],
  ])('is asked about again: %s', (_, money, query) => {
    expect(buildPaymentQuery(toSourceId(money), money.providerReference)).toEqual(query);
    expectEveryFieldRequired(paymentQuery, query);
  });

  test.each<[string, PaymentOrigin, object]>([
    ['a part of a total', { kind: 'part', reference: 'PAY-1', reached: naira(1), falls: 0 }, OURS],
    ['what was returned of a total', { kind: 'returned', reference: 'PAY-1', returned: naira(1) }, OURS],
    ['a transfer', { kind: 'transfer', transferId: 'KPY-2' }, { by: 'transaction', value: 'KPY-3' }],
  ])('is asked about again by the payment that it became: %s', (_, origin, query) => {
    expect(buildPaymentQuery(origin, 'KPY-3')).toEqual(query);
  });

  test('comes with one of three states', () => {
    expect(reportState.options).toEqual(['open', 'complete', 'failed']);
  });
});
