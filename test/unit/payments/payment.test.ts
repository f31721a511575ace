import {
  asReversed,
  nameOfOwner,
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
    ['of a checkout', {}],
    ['of a virtual account', { owner: { kind: 'virtual_account', id: id('va') } }],
    ['that was rejected', { outcome: 'rejected' }],
    ['that was reversed', { outcome: 'reversed' }],
    ['of an unknown sender, late', { senderName: null, senderBank: null, late: true }],
  ])('is stored and read back, and shown in part: %s', (_, of) => {
    const stored = paymentOf(of);
    expectEveryFieldRequired(payment, stored);
    expectEveryFieldRequired(paymentSummary, summarizePayment(stored));
    const { mode, businessId, owner, origin, recordedAt, ...shown } = stored;
    expect(summarizePayment(stored)).toEqual(shown);
  });

  test.each<[string, object]>([
    ['of another outcome', { outcome: 'returned' }],
    ['of a person', { owner: { kind: 'person', id: id('va') } }],
    ['of a checkout without a reference', { owner: { kind: 'checkout' } }],
    ['of a virtual account without an id', { owner: { kind: 'virtual_account' } }],
  ])('is not stored %s', (_, wrong) => {
    expect(payment.safeParse({ ...paymentOf(), ...wrong }).success).toBe(false);
  });

  test.each<[string, PaymentOrigin]>([
    ['a transfer', { kind: 'transfer', transferId: 'trf-1' }],
    ['a rejection', { kind: 'rejection', transaction: 'txn-1', rejectionId: 'session-1' }],
    ['a part of a total', { kind: 'part', reference: REFERENCE, reached: naira(5_000), falls: 0 }],
    ['what was returned of a total', { kind: 'returned', reference: REFERENCE, returned: naira(5_000) }],
  ])('comes from %s', (_, origin) => {
    expectEveryFieldRequired(paymentOrigin, origin);
    for (const [field, value] of Object.entries(origin)) {
      if (typeof value === 'string') expect(paymentOrigin.safeParse({ ...origin, [field]: '' }).success).toBe(false);
    }
  });

  test('comes from a transfer that was reinstated', () => {
    const origin = { kind: 'transfer', transferId: 'trf-1', reinstatements: 1 };
    expect(paymentOrigin.parse(origin)).toEqual(origin);
    expect(paymentOrigin.safeParse({ ...origin, reinstatements: 0 }).success).toBe(false);
  });

  test('names its owner', () => {
    expect(nameOfOwner({ kind: 'checkout', reference: REFERENCE })).toBe(REFERENCE);
    expect(nameOfOwner({ kind: 'virtual_account', id: id('va') })).toBe(id('va'));
  });

  test('is reversed and stays what it is', () => {
    expect(asReversed(paymentOf())).toEqual(paymentOf({ outcome: 'reversed' }));
  });

  test.each([
    ['at the time that the provider reports', NOON - 1, NOON - 1],
    ['at the time of its recording where none is reported', null, NOON],
  ])('is made of a report, %s', (_, reported, paidAt) => {
    const { mode, businessId, provider, owner, origin, outcome, late } = paymentOf();
    const of = { origin, amount: naira(3), outcome, late };
    const account = { mode, businessId, provider, owner };
    expect(paymentFrom({ id: id('pay'), recordedAt: NOON }, account, transferOf({ paidAt: reported }), of)).toEqual({
      ...account,
      ...of,
      id: id('pay'),
      recordedAt: NOON,
      providerReference: 'txn-1',
      fee: naira(10),
      senderName: 'OKAFOR CHIAMAKA GRACE',
      senderBank: 'Kuda Microfinance Bank',
      paidAt,
    });
  });

  test('is reviewed only if it counts and its provider may return money without a report', () => {
    const [accepted, rejected] = [paymentOf(), paymentOf({ outcome: 'rejected' })];
    expect(withReview(accepted, { isReviewed: true })).toEqual({ ...accepted, review: firstReview(accepted) });
    expect([withReview(rejected, { isReviewed: true }), withReview(accepted, {})]).toEqual([rejected, accepted]);
  });

  const { mode, businessId, provider, owner, origin, outcome, late } = paymentOf();
  const made = (leftOut: Kobo | undefined, from: PaymentOrigin = origin, isReviewed = false) =>
    paymentFrom(
      { id: id('pay'), recordedAt: NOON, isReviewed },
      { mode, businessId, provider, owner },
      transferOf(leftOut === undefined ? {} : { leftOut }),
      { origin: from, amount: naira(3), outcome, late },
    );

  test('has its first review when it is made of a report', () => {
    expect(made(undefined, origin, true)).toHaveProperty('review', firstReview({ id: id('pay'), recordedAt: NOON }));
  });

  test('says what its first look-up left out, if it is a transfer and something was', () => {
    const rejection = { kind: 'rejection', transaction: 'txn-1', rejectionId: 'session-1' } as const;
    expect(made(naira(2))).toHaveProperty('leftOut', naira(2));
    for (const payment of [made(undefined), made(naira(2), rejection)]) expect(payment).not.toHaveProperty('leftOut');
  });
});

test('a payment is read back with all that was learned of it later, of which merchants are shown nothing', () => {
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

test('a refund, a review and the rest of a refunded transfer are stored with all of their fields', () => {
  expectEveryFieldRequired(refund, { id: 'rfd-1', amount: naira(3) });
  expectEveryFieldRequired(review, { dueAt: NOON, tries: 0 });
  expectEveryFieldRequired(paymentOrigin, { kind: 'rest', transferId: 'trf-1', refunded: naira(3) });
});
