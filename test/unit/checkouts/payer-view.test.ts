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

test.each<[string, Checkout, Partial<ViewContext>, PayerViewKind]>([
  ['before its end', pending, { now: END - 1 }, 'pay'],
  ['reported as paid', pending, { now: NOON, sentAt: NOON }, 'confirming'],
  ['at its end', pending, { now: END }, 'checking'],
  ['at its end, reported as paid', pending, { now: END, sentAt: NOON }, 'checking'],
  ['paid in part', half, {}, 'underpaid'],
  ['paid in part, the rest reported as sent', half, { sentAt: NOON }, 'confirming'],
  ['paid in part, at its end, the rest reported as sent', half, { now: END, sentAt: NOON }, 'part_paid'],
  ['paid in part, at its end', half, { now: END }, 'part_paid'],
  ['paid in part, at a provider that accepts no rest', half, { acceptsRest: false }, 'part_paid'],
  ['paid in part, of a suspended business', half, { isSuspended: true }, 'part_paid'],
  ['that is paid', whole, {}, 'paid'],
  ['that is paid, of a suspended business', whole, { isSuspended: true }, 'paid'],
  ['that has expired', expired, { now: END }, 'expired'],
  ['that has failed', fail(pending).checkout, {}, 'failed'],
  ['that failed after a part', { ...half, status: 'failed' } as Checkout, {}, 'part_paid'],
  ['of a suspended business', pending, { isSuspended: true }, 'closed_shop'],
  ['of a suspended business, reported as paid', pending, { isSuspended: true, sentAt: NOON }, 'closed_shop'],
  ['of a suspended business, at its end', pending, { isSuspended: true, now: END }, 'closed_shop'],
])('the payer sees a view for a checkout %s', (_, checkout, context, kind) =>
  expect(see(checkout, context).kind).toBe(kind),
);

test('the payer view asks for the missing amount and shows the received amount', () => {
  expect(see(pending)).toMatchObject({ ask: shownAttempt(pending).amountToPay, received: 0 });
  expect(see(half)).toMatchObject({ ask: naira(3_000), received: naira(2_000) });
  expect(see(half, { now: END })).toMatchObject({ missing: naira(3_000), isClosed: true });
  expect(see(half, { acceptsRest: false })).toMatchObject({ isClosed: false });
  expect(see({ ...half, status: 'failed' } as Checkout)).toMatchObject({ missing: naira(3_000), isClosed: true });
  const twice = acceptPayment(whole, paymentOf({ amount: naira(1_000) })).checkout;
  expect(see(twice)).toMatchObject({ received: naira(6_000), more: naira(1_000) });
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
  // It went back after the report: it was the reported transfer, and the payer may send again.
  expect(see(sentBack, { sentAt: NOON - 1 }).kind).toBe('pay');
  expect(see(sentBack, { sentAt: NOON }).kind).toBe('pay');
  // It went back before the report: another transfer is on its way.
  expect(see(sentBack, { sentAt: NOON + 1 }).kind).toBe('confirming');
  // A part came after the report: it was the reported transfer, and the rest is asked for.
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
  // A second transfer, which the paid checkout does not need.
  const twice = rejectPayment(whole, paymentOf({ amount: naira(5_000), outcome: 'rejected' })).checkout;
  expect(see(twice).notices).toEqual([{ kind: 'sent_back', amount: naira(5_000), why: 'not_needed' }]);
  const right = rejectPayment(pending, paymentOf({ amount: naira(5_000), outcome: 'rejected' })).checkout;
  expect(see(right).notices).toEqual([{ kind: 'sent_back', amount: naira(5_000), why: 'unknown' }]);

  const paid = paymentOf({ amount: naira(5_000) });
  const taken = reversePayments(acceptPayment(pending, paid).checkout, [asReversed(paid)], paid.amount).checkout;
  expect(see(taken)).toMatchObject({ kind: 'pay', notices: [{ kind: 'taken_back', amount: naira(5_000) }] });
});
