import * as z from 'zod/mini';
import { asShown, type Payment, type ShownPayment, shownPayment } from '#shared/payments/domain/payment.ts';
import { Refusal } from '#shared/platform/kernel/errors.ts';
import { checkoutReference, idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { addKobo, type Kobo, kobo, subtractKobo } from '#shared/platform/kernel/money.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { millis, ordinal, text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { nextProviderRetry } from '#shared/providers/domain/errors.ts';
import type { CheckoutEventType } from '#shared/webhooks/domain/event.ts';
import { announcedReturn } from './announced-returns.ts';
import { type Attempt, openAttemptList, shownAttempt, withAttempt } from './attempt.ts';
import { givenFields } from './given-fields.ts';
import { runningTotalState } from './running-total.ts';

/** How many of its payments a checkout shows; all of them are items of their own. */
export const MAX_EMBEDDED_PAYMENTS = 20;

/** What a checkout was made with: a key of this kind, or the dashboard, by a member. */
export const createdWith = z.enum(['secret', 'public', 'dashboard']);
export type CreatedWith = z.infer<typeof createdWith>;

/** The fields of every checkout whose account was issued. */
export const openedCheckout = z.object({
  reference: checkoutReference,
  businessId: idSchema('biz'),
  mode,
  createdWith,
  amount: kobo,
  /** The sum of the accepted payments. */
  paidAmount: kobo,
  attempts: openAttemptList,
  ...givenFields.shape,
  createdAt: millis,
  /** When the payer first said that the money was sent. It is the payer's word and decides nothing about money. */
  sentAt: z.optional(millis),
  /** What is known of each running total, by the reference under which the provider reports it. */
  totals: z.record(text, runningTotalState),
  announcedReturns: z.array(announcedReturn),
  /** Grows by one with every change that a merchant sees: receivers of webhooks order by it. */
  version: ordinal,
  /** Grows by one with every write: the optimistic lock. Never shown. */
  revision: ordinal,
  /** The newest payments, newest first: a view for merchants. What counts follows from `totals` and the payments' own items. */
  payments: z.array(shownPayment).check(z.maxLength(MAX_EMBEDDED_PAYMENTS)),
});

/** A checkout by status (api-decisions.md section 4): only a paid one knows who completed it, and when. */
export const checkout = z.discriminatedUnion('status', [
  z.extend(openedCheckout, { status: z.literal('pending') }),
  z.extend(openedCheckout, { status: z.literal('underpaid') }),
  z.extend(openedCheckout, {
    status: z.literal('paid'),
    paidAt: millis,
    senderName: personal('other', textOrNull),
    senderBank: personal('other', textOrNull),
  }),
  z.extend(openedCheckout, { status: z.literal('expired') }),
  z.extend(openedCheckout, { status: z.literal('failed') }),
]);
export type Checkout = z.infer<typeof checkout>;

/** A checkout's next state and the event that announces it; null for a change that nobody sees. */
export interface CheckoutStep {
  readonly checkout: Checkout;
  readonly announce: CheckoutEventType | null;
}

/** The newest first, as many as a checkout shows. */
const withNewest = (landed: Payment, before: readonly ShownPayment[]): ShownPayment[] =>
  [asShown(landed), ...before].slice(0, MAX_EMBEDDED_PAYMENTS);

/**
 * Accepted money lands on a checkout. It counts in every state, also on an expired or failed checkout. After the checkout is paid,
 * more money only adds to `paidAmount`; its payer stays the one who completed it. `complete`: the provider considers the charge paid,
 * even below the amount (isCompletedBy).
 */
export const acceptPayment = (before: Checkout, landed: Payment, complete = false): CheckoutStep => {
  const next = {
    ...before,
    paidAmount: addKobo(before.paidAmount, landed.amount),
    payments: withNewest(landed, before.payments),
    version: before.version + 1,
  };
  if (next.status === 'paid') return { checkout: next, announce: 'checkout.overpaid' };
  if (next.paidAmount < next.amount && !complete) {
    return { checkout: { ...next, status: 'underpaid' }, announce: 'checkout.underpaid' };
  }
  const { paidAt, senderName, senderBank } = landed;
  return { checkout: { ...next, status: 'paid', paidAt, senderName, senderBank }, announce: 'checkout.paid' };
};

/** The provider considers an underpaid checkout paid, with the money that already counts. Undefined in any other state. */
export const completePayment = (
  before: Checkout,
  { paidAt, senderName, senderBank }: Pick<Payment, 'paidAt' | 'senderName' | 'senderBank'>,
): CheckoutStep | undefined =>
  before.status === 'underpaid'
    ? {
        checkout: { ...before, status: 'paid', paidAt, senderName, senderBank, version: before.version + 1 },
        announce: 'checkout.paid',
      }
    : undefined;

/** The provider returned money that never counted: it is announced. */
export const rejectPayment = (before: Checkout, returned: Payment): CheckoutStep => ({
  checkout: { ...before, payments: withNewest(returned, before.payments), version: before.version + 1 },
  announce: 'checkout.payment_rejected',
});

/** After a reversal: a payment for what still counts of a partly returned one, and whether the provider considers what counts complete. */
interface Rest {
  readonly rest?: Payment | undefined;
  readonly complete?: boolean;
}

/** The provider returned `amount` (kobo) that had counted: the state is computed again without it. `reversed`: the payments, as reversed. */
export const reversePayments = (
  before: Checkout,
  reversed: readonly Payment[],
  amount: Kobo,
  { rest, complete = false }: Rest = {},
): CheckoutStep => {
  const now = new Map(reversed.map((payment) => [payment.id, asShown(payment)]));
  const payments = before.payments.map((payment) => now.get(payment.id) ?? payment);
  const next = {
    ...before,
    paidAmount: subtractKobo(before.paidAmount, amount),
    payments: rest ? withNewest(rest, payments) : payments,
    version: before.version + 1,
  };
  const announce = 'checkout.payment_reversed';
  if (next.status === 'underpaid' && next.paidAmount === 0) {
    return { checkout: { ...next, status: 'pending' }, announce };
  }
  if (next.status !== 'paid' || complete || next.paidAmount >= next.amount) return { checkout: next, announce };
  const { paidAt: _, senderName: __, senderBank: ___, ...unpaid } = next;
  return { checkout: { ...unpaid, status: next.paidAmount > 0 ? 'underpaid' : 'pending' }, announce };
};

/** Whether a payment of this time is late for an attempt: the provider's time counts, not when it was reported. */
export const isLate = ({ expiresAt }: Pick<Attempt, 'expiresAt'>, paidAt: Millis): boolean => paidAt > expiresAt;

/** The time of a test checkout is over now, if it was not: a transfer of now is late. A millisecond ago, as the time of its expiry still counts. */
export const endTime = (before: Checkout, now: Millis): Checkout => {
  const shown = shownAttempt(before);
  return withAttempt(before, { ...shown, expiresAt: Math.min(shown.expiresAt, now - 1) });
};

const notPayable = ({ status }: Checkout): Refusal =>
  new Refusal('checkout_not_payable', { message: `Checkout is already ${status}.` });

/** Refuses to simulate what is due on a checkout that a payment or a failure has already settled: `checkout_not_payable`. */
export const ensurePayable = (before: Checkout): void => {
  if (before.status === 'paid' || before.status === 'failed') throw notPayable(before);
};

/** Fails a pending checkout: simulated, or because its provider accepts no money any more. Throws `checkout_not_payable` in any other state. */
export const fail = (before: Checkout): CheckoutStep => {
  if (before.status !== 'pending') throw notPayable(before);
  return { checkout: { ...before, status: 'failed', version: before.version + 1 }, announce: 'checkout.failed' };
};

/**
 * The newest accepted payment that a checkout shows.
 * @throws nothing_to_reverse when it shows none.
 */
export const latestAccepted = ({ payments }: Checkout): ShownPayment => {
  const latest = payments.find(({ outcome }) => outcome === 'accepted');
  if (!latest) throw new Refusal('nothing_to_reverse');
  return latest;
};

/** The provider accepts no money for it any more: a pending checkout fails. Undefined in any other state. */
export const failedAtProvider = (before: Checkout): CheckoutStep | undefined =>
  before.status === 'pending' ? fail(before) : undefined;

/**
 * The merchant ends a checkout: a pending one expires now; undefined for one that has already ended without money. The expiry of its
 * account stays,
 * because the provider may accept money until then, and the look-ups around it go on.
 * Throws `checkout_not_payable` when it has accepted money that was not returned.
 */
export const expireByHand = (before: Checkout): CheckoutStep | undefined => {
  if (before.status === 'paid') throw notPayable(before);
  if (before.paidAmount > 0) throw new Refusal('checkout_not_payable', { message: 'Checkout has accepted money.' });
  if (before.status !== 'pending') return undefined;
  return { checkout: { ...before, status: 'expired', version: before.version + 1 }, announce: 'checkout.expired' };
};

/** Milliseconds after its expiry at which a live checkout is looked up: for money without a notification, to expire it, and for late money. */
const LOOK_UPS = [0, 5 * MINUTE, 60 * MINUTE] as const;
/** A live checkout expires with its second look-up: api-decisions.md section 4's grace. */
const GRACE = LOOK_UPS[1];

/** When the account that the payer was shown last is looked at again; null once nothing is left to happen by time. */
export const expiryDue = (checkout: Checkout): Millis | null => {
  const { mode: m, status } = checkout;
  const { expiresAt, lookUps, askAgainAt } = shownAttempt(checkout);
  if (status === 'paid' || status === 'failed') return null;
  if (m === 'test') return status === 'pending' ? expiresAt : null;
  // A reversal may make a checkout pending again after its look-ups: it is then due at once.
  const gap = LOOK_UPS[status === 'pending' ? Math.min(lookUps, 1) : lookUps];
  return gap === undefined ? null : Math.max(expiresAt + gap, askAgainAt ?? 0);
};

/** The attempt that is looked up next, and when: the one that was shown, or one whose outcome is unknown. Null once nothing is due. */
export const nextLookUp = (checkout: Checkout): { readonly attempt: Attempt; readonly dueAt: Millis } | null => {
  const shown = shownAttempt(checkout);
  const expiry = expiryDue(checkout);
  const all = [
    ...(expiry === null ? [] : [{ attempt: shown, dueAt: expiry }]),
    ...checkout.attempts.flatMap((attempt) =>
      attempt.state === 'unknown' && attempt.askAgainAt !== null ? [{ attempt, dueAt: attempt.askAgainAt }] : [],
    ),
  ];
  return all.toSorted((a, b) => a.dueAt - b.dueAt)[0] ?? null;
};

/** Milliseconds after which an account that a provider does not know will never exist. */
const ABSENCE_FINAL_AFTER = 30 * MINUTE;

/**
 * Writes down the result of looking up an attempt whose outcome was unknown. Nobody was shown its account. `found`: the provider has it; money on it counts.
 * `absent`: it has none, which is final half an hour after it was asked, or once the attempt's time is over. `refused`: it accepts no money. A
 * failure of the provider: it is asked again. Not announced. Undefined where the attempt was settled before.
 */
export const settleAttempt = (
  before: Checkout,
  reference: string,
  { now, found }: { readonly now: Millis; readonly found: 'found' | 'absent' | 'refused' | Error },
): CheckoutStep | undefined => {
  const attempt = before.attempts.find((one) => one.reference === reference);
  if (attempt?.state !== 'unknown') return undefined;
  const isOver = now >= Math.min(attempt.openedAt + ABSENCE_FINAL_AFTER, attempt.expiresAt);
  const isNone = found === 'refused' || (found === 'absent' && isOver);
  const settled: Attempt =
    found === 'found' || isNone
      ? { ...attempt, state: isNone ? 'refused' : 'open', askAgainAt: null }
      : { ...attempt, askAgainAt: nextProviderRetry(attempt.openedAt, now, MINUTE, found) };
  return { checkout: withAttempt(before, settled), announce: null };
};

/** A list that was asked for so long after the expiry names the late money that came. Milliseconds. */
const LATE_MONEY_LISTED = 30 * MINUTE;

/**
 * Whether the provider's list has told of the late money that the last look-up of an expired checkout would find: of what came up to
 * `comparedUntil`, our books have everything, or it is being looked up. A checkout that may expire still is always looked up.
 */
export const isToldByList = (checkout: Checkout, comparedUntil: Millis): boolean => {
  const { lookUps, expiresAt } = shownAttempt(checkout);
  const isLast = checkout.status === 'expired' && lookUps === LOOK_UPS.length - 1;
  return isLast && comparedUntil >= expiresAt + LATE_MONEY_LISTED;
};

/** The provider did not answer (`failure` says why). It is asked again after a delay that grows with the time since the expiry. Not announced. */
export const askLater = (before: Checkout, now: Millis, failure: unknown): CheckoutStep => {
  const shown = shownAttempt(before);
  const askAgainAt = nextProviderRetry(shown.expiresAt, now, MINUTE, failure);
  return { checkout: withAttempt(before, { ...shown, askAgainAt }), announce: null };
};

/**
 * Expires a pending checkout whose time has passed: in live mode after its grace, and only when its provider has just been asked
 * (`askedProvider`) and knew of no money. Undefined when nothing changes.
 */
export const passTime = (before: Checkout, now: Millis, askedProvider: boolean): CheckoutStep | undefined => {
  const shown = shownAttempt(before);
  const { expiresAt } = shown;
  const lookUps = shown.lookUps + (askedProvider ? 1 : 0);
  const asked = withAttempt(before, { ...shown, lookUps, askAgainAt: null });
  const isOver = before.mode === 'test' ? now >= expiresAt : askedProvider && now >= expiresAt + GRACE;
  if (before.status === 'pending' && isOver) {
    return {
      checkout: { ...asked, status: 'expired', version: before.version + 1 },
      announce: 'checkout.expired',
    };
  }
  return askedProvider ? { checkout: asked, announce: null } : undefined;
};
