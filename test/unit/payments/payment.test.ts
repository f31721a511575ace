import {
  asReversed,
  getOwnerId,
  type Payment,
  payment,
  paymentFrom,
  paymentSummary,
  summarizePayment,
  withReview,
} from '#shared/payments/domain/payment.ts';
import { firstReview, review } from '#shared/payments/domain/review.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import { refund } from '#shared/providers/domain/refund.ts';
import { type PaymentOrigin, paymentOrigin } from '#shared/providers/domain/source.ts';
import { id, NOON, naira, paymentOf } from '#test/unit/api/examples.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';
import { transferOf } from './reported.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';

describe('a payment', () => {
  test.each<[string, Partial<Payment>]>([
    ['on a checkout', {}],
    ['on a virtual account', { owner: { kind: 'virtual_account', id: id('va') } }],
    ['rejected', { outcome: 'rejected' }],
    ['reversed', { outcome: 'reversed' }],
    ['late, from an unknown sender', { senderName: null, senderBank: null, late: true }],
  ])('can be stored and read back, and its summary has some of its fields: %s', (_, changes) => {
    const stored = paymentOf(changes);
    expectEveryFieldRequired(payment, stored);
    expectEveryFieldRequired(paymentSummary, summarizePayment(stored));
    const { mode, businessId, owner, origin, recordedAt, ...shown } = stored;
    expect(summarizePayment(stored)).toEqual(shown);
  });

  test.each<[string, object]>([
    ['an unknown outcome', { outcome: 'returned' }],
    ['a person as its owner', { owner: { kind: 'person', id: id('va') } }],
    ['a checkout without a reference', { owner: { kind: 'checkout' } }],
    ['a virtual account without an id', { owner: { kind: 'virtual_account' } }],
  ])('cannot be stored with %s', (_, wrong) => {
    expect(payment.safeParse({ ...paymentOf(), ...wrong }).success).toBe(false);
  });

  test.each<[string, PaymentOrigin]>([
    ['a transfer', { kind: 'transfer', transferId: 'trf-1' }],
    ['a rejection', { kind: 'rejection', transaction: 'txn-1', rejectionId: 'session-1' }],
    ['a part of a total', { kind: 'part', reference: REFERENCE, reached: naira(5_000), falls: 0 }],
    ['money of a total that was returned', { kind: 'returned', reference: REFERENCE, returned: naira(5_000) }],
  ])('can have the origin of %s', (_, origin) => {
    expectEveryFieldRequired(paymentOrigin, origin);
    for (const [field, value] of Object.entries(origin)) {
      if (typeof value === 'string') expect(paymentOrigin.safeParse({ ...origin, [field]: '' }).success).toBe(false);
    }
  });

  test('can have the origin of a reinstated transfer', () => {
    const origin = { kind: 'transfer', transferId: 'trf-1', reinstatements: 1 };
    expect(paymentOrigin.parse(origin)).toEqual(origin);
    expect(paymentOrigin.safeParse({ ...origin, reinstatements: 0 }).success).toBe(false);
  });

  test('names its owner', () => {
    expect(getOwnerId({ kind: 'checkout', reference: REFERENCE })).toBe(REFERENCE);
    expect(getOwnerId({ kind: 'virtual_account', id: id('va') })).toBe(id('va'));
  });

  test('keeps all other fields when it is reversed', () => {
    expect(asReversed(paymentOf())).toEqual(paymentOf({ outcome: 'reversed' }));
  });

  test.each([
    ['the time that the provider reports', NOON - 1, NOON - 1],
    ['the time of its recording if the provider reports none', null, NOON],
  ])('takes its fields from a report, and as its time of payment %s', (_, reported, paidAt) => {
    const { mode, businessId, provider, owner, origin, outcome, late } = paymentOf();
    const recorded = { origin, amount: naira(3), outcome, late };
    const account = { mode, businessId, provider, owner };
    expect(
      paymentFrom({ id: id('pay'), recordedAt: NOON }, account, transferOf({ paidAt: reported }), recorded),
    ).toEqual({
      ...account,
      ...recorded,
      id: id('pay'),
      recordedAt: NOON,
      providerReference: 'txn-1',
      fee: naira(10),
      senderName: 'OKAFOR CHIAMAKA GRACE',
      senderBank: 'Kuda Microfinance Bank',
      paidAt,
    });
  });

  test('gets a review only if it counts and its provider may return money without a report', () => {
    const [accepted, rejected] = [paymentOf(), paymentOf({ outcome: 'rejected' })];
    expect(withReview(accepted, { isReviewed: true })).toEqual({ ...accepted, review: firstReview(accepted) });
    expect([withReview(rejected, { isReviewed: true }), withReview(accepted, {})]).toEqual([rejected, accepted]);
  });

  const { mode, businessId, provider, owner, origin, outcome, late } = paymentOf();
  const build = (leftOut: Kobo | undefined, from: PaymentOrigin = origin, isReviewed = false) =>
    paymentFrom(
      { id: id('pay'), recordedAt: NOON, isReviewed },
      { mode, businessId, provider, owner },
      transferOf(leftOut === undefined ? {} : { leftOut }),
      { origin: from, amount: naira(3), outcome, late },
    );

  test('gets its first review when it is built from a report', () => {
    expect(build(undefined, origin, true)).toHaveProperty('review', firstReview({ id: id('pay'), recordedAt: NOON }));
  });

  test('stores the amount that its first look-up left out, if it is a transfer and the amount is not zero', () => {
    const rejection = { kind: 'rejection', transaction: 'txn-1', rejectionId: 'session-1' } as const;
    expect(build(naira(2))).toHaveProperty('leftOut', naira(2));
    for (const payment of [build(undefined), build(naira(2), rejection)]) expect(payment).not.toHaveProperty('leftOut');
  });
});

test('a payment keeps all fields that were added later, and its summary shows none of them', () => {
  const stored = {
    ...paymentOf(),
    merchantReference: 'ORDER-1',
    kept: naira(1),
    restFrom: NOON,
    leftOut: naira(2),
    refunds: [{ id: 'rfd-1', amount: naira(3) }],
    isReturnShown: true,
    rest: naira(4),
    review: { dueAt: NOON, tries: 0 },
  } as const;
  expect(payment.parse(stored)).toEqual(stored);
  expect(paymentSummary.parse(stored)).toEqual(summarizePayment(paymentOf()));
});

test('a refund, a review and the origin of a remainder need all of their fields', () => {
  expectEveryFieldRequired(refund, { id: 'rfd-1', amount: naira(3) });
  expectEveryFieldRequired(review, { dueAt: NOON, tries: 0 });
  expectEveryFieldRequired(paymentOrigin, { kind: 'rest', transferId: 'trf-1', refunded: naira(3) });
});
