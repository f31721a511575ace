import type { BusinessProfile } from '#shared/businesses/domain/profile.ts';
import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import {
  acceptPayment,
  type Checkout,
  expireByTime,
  fail,
  rejectPayment,
  reversePayments,
} from '#shared/checkouts/domain/checkout.ts';
import { payerView, type ViewContext } from '#shared/checkouts/domain/payer-view.ts';
import type { PageContext } from '#shared/pages/checkout/page-context.ts';
import { asReversed } from '#shared/payments/domain/payment.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { NOON, naira, paymentOf } from '#test/unit/api/examples.ts';

/* Builds every view of the payment page from a checkout, with the code that processes a provider's reports. */

export type ViewOptions = Partial<PageContext> &
  Partial<Pick<ViewContext, 'isSuspended' | 'other' | 'isSlowEverywhere'>>;

/** Builds the page of a checkout: at noon, and before the payer said that the money was sent, unless `more` says otherwise. */
export const showCheckout = (checkout: Checkout, profile: BusinessProfile, more: ViewOptions = {}): PageContext => {
  const { now = NOON, sentAt = null, isSuspended = false, other, isSlowEverywhere, ...rest } = more;
  const view = payerView(checkout, {
    now,
    sentAt,
    isSuspended,
    acceptsRest: true,
    ...(other && { other }),
    ...(isSlowEverywhere && { isSlowEverywhere }),
  });
  const page = { link: 'PAY-0.tag', checkout, view, profile, now, sentAt, isEmbedded: false, pressed: null };
  return { ...page, ...rest };
};

/** Builds every view of a pending checkout over ₦5,000, by name, with the options that change it most. */
export const everyView = (pending: Checkout, profile: BusinessProfile): Readonly<Record<string, PageContext>> => {
  const first = shownAttempt(pending);
  const END = first.expiresAt;
  const see = (checkout: Checkout, more: ViewOptions = {}) => showCheckout(checkout, profile, more);
  const half = acceptPayment(pending, paymentOf({ amount: naira(2_000) })).checkout;
  const paid = paymentOf({ amount: naira(5_000) });
  const rejected = (amount: number, checkout = pending) =>
    rejectPayment(checkout, paymentOf({ amount: naira(amount), outcome: 'rejected' })).checkout;
  const whole = acceptPayment(pending, paid).checkout;
  const second = { ...first, reference: `${first.reference}-B`, account: { ...first.account, bankName: 'Wema Bank' } };
  const accountOfOtherName = { ...first.account, accountName: 'PAYSTACK CHECKOUT' };
  return {
    pay: see(pending, { other: 'offered' }),
    'pay, near the end': see(pending, { now: END - 4 * MINUTE }),
    'pay into an account of another name': see({ ...pending, attempts: [{ ...first, account: accountOfOtherName }] }),
    'pay into a second account': see({ ...pending, attempts: [first, second] }, { other: 'none' }),
    'pay while banks are slow': see(pending, { isSlowEverywhere: true }),
    'pay, no news after a press': see(pending, { other: 'offered', pressed: `other-${pending.version}` }),
    confirming: see(pending, { sentAt: NOON }),
    'confirming for some minutes': see(pending, { sentAt: NOON - 3 * MINUTE }),
    'confirming for long': see(pending, { sentAt: NOON - 11 * MINUTE }),
    'sent back': see(rejected(1_500)),
    'the right amount sent back': see(rejected(5_000)),
    'taken back': see(reversePayments(whole, [asReversed(paid)], paid.amount).checkout),
    'taken back, and expired': see(
      (expireByTime(reversePayments(whole, [asReversed(paid)], paid.amount).checkout, END) ?? { checkout: whole })
        .checkout,
      { now: END },
    ),
    underpaid: see(half),
    'underpaid, the rest on its way': see(half, { sentAt: NOON }),
    'paid in part': see(half, { now: END }),
    checking: see(pending, { now: END }),
    'checking, the money on its way': see(pending, { now: END, sentAt: NOON }),
    expired: see((expireByTime({ ...pending, mode: 'test' }, END) ?? { checkout: pending }).checkout),
    failed: see(fail(pending).checkout),
    'closed shop': see(pending, { isSuspended: true }),
    paid: see(whole),
    'paid in two transfers': see(
      acceptPayment(half, paymentOf({ amount: naira(3_000), paidAt: NOON + 9 * MINUTE })).checkout,
    ),
    overpaid: see(acceptPayment(pending, paymentOf({ amount: naira(5_500) })).checkout),
    'paid, a second transfer sent back': see(rejected(5_000, whole)),
    'paid late': see(acceptPayment(pending, paymentOf({ amount: naira(5_000), late: true })).checkout),
  };
};
