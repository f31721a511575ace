import { ulid } from 'ulid';
import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import {
  acceptPayment,
  type Checkout,
  expireByTime,
  fail,
  rejectPayment,
  reversePayments,
} from '#shared/checkouts/domain/checkout.ts';
import { type PayerViewKind, payerView, type ViewContext } from '#shared/checkouts/domain/payer-view.ts';
import { asReversed } from '#shared/payments/domain/payment.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { NOON, naira, paymentOf, pendingCheckout } from '#test/unit/api/examples.ts';

const pending = pendingCheckout();
const END = shownAttempt(pending).expiresAt;
const half = acceptPayment(pending, paymentOf({ amount: naira(2_000) })).checkout;
const whole = acceptPayment(pending, paymentOf({ amount: naira(5_000) })).checkout;
const expired = expireByTime(pending, END)?.checkout as Checkout;

const see = (checkout: Checkout, context: Partial<ViewContext> = {}) =>
  payerView(checkout, { now: NOON, sentAt: null, isSuspended: false, acceptsRest: true, ...context });

test.each<[string, PayerViewKind, Checkout, Partial<ViewContext>]>([
  ['before its end', 'pay', pending, { now: END - 1 }],
  ['reported as paid', 'confirming', pending, { now: NOON, sentAt: NOON }],
  ['at its end', 'checking', pending, { now: END }],
  ['at its end, reported as paid', 'checking', pending, { now: END, sentAt: NOON }],
  ['paid in part', 'underpaid', half, {}],
  ['paid in part, the rest reported as sent', 'confirming', half, { sentAt: NOON }],
  ['paid in part, at its end, the rest reported as sent', 'part_paid', half, { now: END, sentAt: NOON }],
  ['paid in part, at its end', 'part_paid', half, { now: END }],
  ['paid in part, at a provider that accepts no rest', 'part_paid', half, { acceptsRest: false }],
  ['paid in part, of a suspended business', 'part_paid', half, { isSuspended: true }],
  ['that is paid', 'paid', whole, {}],
  ['that is paid, of a suspended business', 'paid', whole, { isSuspended: true }],
  ['that has expired', 'expired', expired, { now: END }],
  ['that has failed', 'failed', fail(pending).checkout, {}],
  ['that failed after a part', 'part_paid', { ...half, status: 'failed' } as Checkout, {}],
  ['of a suspended business', 'closed_shop', pending, { isSuspended: true }],
  ['of a suspended business, reported as paid', 'closed_shop', pending, { isSuspended: true, sentAt: NOON }],
  ['of a suspended business, at its end', 'closed_shop', pending, { isSuspended: true, now: END }],
])('the payer of a checkout %s sees the view %s', (_, kind, checkout, context) =>
  expect(see(checkout, context).kind).toBe(kind),
);

test('the payer view asks for the missing amount and shows the received amount', () => {
  expect(see(pending)).toMatchObject({ ask: shownAttempt(pending).amountToPay, received: 0 });
  expect(see(half)).toMatchObject({ ask: naira(3_000), received: naira(2_000) });
  expect(see(half, { now: END })).toMatchObject({ missing: naira(3_000), isClosed: true });
  expect(see(half, { acceptsRest: false })).toMatchObject({ isClosed: false });
  expect(see({ ...half, status: 'failed' } as Checkout)).toMatchObject({ missing: naira(3_000), isClosed: true });
  const twice = acceptPayment(whole, paymentOf({ amount: naira(1_000) })).checkout;
  expect(see(twice)).toMatchObject({ received: naira(6_000), excess: naira(1_000) });
});

test('the payer view lists the counted transfers, oldest first', () => {
  const rest = paymentOf({ amount: naira(3_000), paidAt: NOON + 9 * MINUTE });
  const returned = paymentOf({ amount: naira(100), outcome: 'rejected' });
  const paid = rejectPayment(acceptPayment(half, rest).checkout, returned).checkout;
  expect(see(paid)).toMatchObject({ transfers: [{ amount: naira(2_000) }, { amount: naira(3_000) }] });
});

test('the payer view of a reported transfer says after two minutes that it takes longer, and after ten to ask the bank', () => {
  const after = (milliseconds: number) => see(pending, { sentAt: NOON, now: NOON + milliseconds });
  expect(after(2 * MINUTE - 1)).toMatchObject({ wait: 'short' });
  expect(after(2 * MINUTE)).toMatchObject({ wait: 'long' });
  expect(after(10 * MINUTE - 1)).toMatchObject({ wait: 'long' });
  expect(after(10 * MINUTE)).toMatchObject({ wait: 'too_long' });
});

test('the payer view waits for a reported transfer until money came or went back', () => {
  const recordedAt = (at: number) => ({ id: `pay_${ulid(at)}`, amount: naira(1_500), outcome: 'rejected' }) as const;
  const sentBack = rejectPayment(pending, paymentOf(recordedAt(NOON))).checkout;
  // The money went back after the report. So it was the reported transfer, and the payer may send again.
  expect(see(sentBack, { sentAt: NOON - 1 }).kind).toBe('pay');
  expect(see(sentBack, { sentAt: NOON }).kind).toBe('pay');
  // The money went back before the report. So the payer has reported another transfer, which is on its way.
  expect(see(sentBack, { sentAt: NOON + 1 }).kind).toBe('confirming');
  // A part came after the report. So it was the reported transfer, and the payer is asked for the rest.
  const partAt = (at: number) =>
    acceptPayment(pending, paymentOf({ id: `pay_${ulid(at)}`, amount: naira(2_000) })).checkout;
  expect(see(partAt(NOON), { sentAt: NOON }).kind).toBe('underpaid');
  expect(see(partAt(NOON), { sentAt: NOON + 1 })).toMatchObject({ kind: 'confirming', ask: naira(3_000) });
  const part = paymentOf({ id: `pay_${ulid(NOON)}`, amount: naira(2_000) });
  const taken = reversePayments(acceptPayment(pending, part).checkout, [asReversed(part)], part.amount).checkout;
  expect(see(taken, { sentAt: NOON }).kind).toBe('pay');
  expect(see(pending, { now: END, sentAt: NOON })).toMatchObject({ kind: 'checking', isLooking: true });
  expect(see(pending, { now: END })).toMatchObject({ kind: 'checking', isLooking: false });
  expect(see(sentBack, { now: END, sentAt: NOON - 1 })).toMatchObject({ kind: 'checking', isLooking: false });
});

test('the payer view shows that money went back, until newer money counts', () => {
  const sentBack = rejectPayment(pending, paymentOf({ amount: naira(1_500), outcome: 'rejected' })).checkout;
  const notice = { kind: 'sent_back', amount: naira(1_500), why: 'wrong_amount' };
  expect(see(sentBack).notices).toEqual([notice]);
  expect(see(sentBack, { sentAt: NOON }).notices).toEqual([notice]);
  expect(see(sentBack, { now: END }).notices).toEqual([notice]);
  expect(see(acceptPayment(sentBack, paymentOf({ amount: naira(5_000) })).checkout).notices).toEqual([]);
  expect(see(sentBack, { isSuspended: true }).notices).toEqual([]);
  // The provider sent a second transfer back, which the paid checkout did not need.
  const twice = rejectPayment(whole, paymentOf({ amount: naira(5_000), outcome: 'rejected' })).checkout;
  expect(see(twice).notices).toEqual([{ kind: 'sent_back', amount: naira(5_000), why: 'not_needed' }]);
  const right = rejectPayment(pending, paymentOf({ amount: naira(5_000), outcome: 'rejected' })).checkout;
  expect(see(right).notices).toEqual([{ kind: 'sent_back', amount: naira(5_000), why: 'unknown' }]);

  const paid = paymentOf({ amount: naira(5_000) });
  const taken = reversePayments(acceptPayment(pending, paid).checkout, [asReversed(paid)], paid.amount).checkout;
  expect(see(taken)).toMatchObject({ kind: 'pay', notices: [{ kind: 'taken_back', amount: naira(5_000) }] });
});
