import * as z from 'zod/mini';
import {
  type Payment,
  type PaymentSummary,
  paymentSummary,
  summarizePayment,
} from '#shared/payments/domain/payment.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { checkoutReference, idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { addKobo, type Kobo, kobo, subtractKobo } from '#shared/platform/kernel/money.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { millis, ordinal, text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { nextProviderRetry } from '#shared/providers/domain/errors.ts';
import type { CheckoutEventType } from '#shared/webhooks/domain/event.ts';
import { announcedReturn } from './announced-returns.ts';
import {
  type Attempt,
  openAttemptList,
  type ShownAttempt,
  shownAttempt,
  shownAttempts,
  withAttempt,
} from './attempt.ts';
import { cumulativeReportState } from './cumulative-report.ts';
import { merchantFields } from './merchant-fields.ts';

/** Maximum number of payments that a checkout shows. Every payment is also stored as an item of its own. */
export const MAX_EMBEDDED_PAYMENTS = 20;

/** The origin of a checkout: a kind of key, or a member at the dashboard. */
export const createdWith = z.enum(['secret', 'public', 'dashboard']);
export type CreatedWith = z.infer<typeof createdWith>;

/** Fields of every checkout whose account was issued. */
export const openedCheckout = z.object({
  reference: checkoutReference,
  businessId: idSchema('biz'),
  mode,
  createdWith,
  amount: kobo,
  /** The sum of the accepted payments. */
  paidAmount: kobo,
  attempts: openAttemptList,
  /** Whether the stage's order of providers decides which are asked: the request named none, and the business has `routing` on. Absent: no. */
  isRouted: z.optional(z.literal(true)),
  ...merchantFields.shape,
  createdAt: millis,
  /** When the payer first said that the money was sent. It decides nothing about money. */
  sentAt: z.optional(millis),
  /** State of each cumulative report, by the provider's reference. */
  totals: z.record(text, cumulativeReportState),
  announcedReturns: z.array(announcedReturn),
  /** Increases by one with every change that a merchant sees. Webhook receivers order events by it. */
  version: ordinal,
  /** Increases by one with every write: the optimistic lock. Never shown. */
  revision: ordinal,
  /** Copies of the newest payments, newest first, to be shown. The payments' own items and `totals` decide what counts. */
  payments: z.array(paymentSummary).check(z.maxLength(MAX_EMBEDDED_PAYMENTS)),
});

/** A checkout by status. Only a paid checkout has the sender and the time of the payment that completed it. */
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

/** A checkout's next state, and the event that announces the change; null if no event does. */
export interface CheckoutStep {
  readonly checkout: Checkout;
  readonly announce: CheckoutEventType | null;
}

/** Puts a payment first, and keeps as many as a checkout shows. */
const withNewest = (landed: Payment, before: readonly PaymentSummary[]): PaymentSummary[] =>
  [summarizePayment(landed), ...before].slice(0, MAX_EMBEDDED_PAYMENTS);

/**
 * Lands accepted money on a checkout. The money counts in every state, even on an expired or failed checkout. If the checkout is already
 * paid, `paidAmount` increases, but the checkout still shows the sender and the time of the payment that completed it. `complete`: whether
 * the provider considers the charge paid, even below the amount (isCompletedBy).
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

/** Marks an underpaid checkout as paid without new money, because its provider considers the charge paid. Undefined in any other state. */
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

/** Records and announces money that the provider returned and that never counted. */
export const rejectPayment = (before: Checkout, returned: Payment): CheckoutStep => ({
  checkout: { ...before, payments: withNewest(returned, before.payments), version: before.version + 1 },
  announce: 'checkout.payment_rejected',
});

/** The money that remains after a reversal. */
interface RemainingMoney {
  /** The new payment of the part that the provider kept, if it returned only a part of a payment. */
  readonly remainder?: Payment | undefined;
  /** Whether the provider considers the checkout paid with the remaining money. */
  readonly complete?: boolean;
}

/**
 * Subtracts returned money from a checkout, and computes its state again. `amount`: the returned kobo, which counted until now. `reversed`:
 * the reversed payments, with their new outcome.
 */
export const reversePayments = (
  before: Checkout,
  reversed: readonly Payment[],
  amount: Kobo,
  { remainder, complete = false }: RemainingMoney = {},
): CheckoutStep => {
  const reversedById = new Map(reversed.map((payment) => [payment.id, summarizePayment(payment)]));
  const payments = before.payments.map((payment) => reversedById.get(payment.id) ?? payment);
  const next = {
    ...before,
    paidAmount: subtractKobo(before.paidAmount, amount),
    payments: remainder ? withNewest(remainder, payments) : payments,
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

/** Whether a payment is late for an attempt. The provider's time of the payment decides, not the time of the report. */
export const isLate = ({ expiresAt }: Pick<Attempt, 'expiresAt'>, paidAt: Millis): boolean => paidAt > expiresAt;

/**
 * Moves the expiry of a test checkout's account to a millisecond ago, so that the next transfer is late: a transfer at the expiry time
 * itself is not late. If the account expired even earlier, its expiry stays.
 */
export const endAccountTime = (before: Checkout, attempt: ShownAttempt, now: Millis): Checkout =>
  withAttempt(before, { ...attempt, expiresAt: Math.min(attempt.expiresAt, now - 1) });

/** Makes the API error for a checkout that can no longer be paid. */
export const notPayable = ({ status }: Checkout): ApiError =>
  new ApiError('checkout_not_payable', { message: `Checkout is already ${status}.` });

/**
 * Checks that a checkout can still be paid.
 * @throws ApiError checkout_not_payable if it is paid or failed.
 */
export const ensurePayable = (before: Checkout): void => {
  if (before.status === 'paid' || before.status === 'failed') throw notPayable(before);
};

/**
 * Fails a pending checkout, because of a simulation or because its provider accepts no more money.
 * @throws ApiError checkout_not_payable in any other state.
 */
export const fail = (before: Checkout): CheckoutStep => {
  if (before.status !== 'pending') throw notPayable(before);
  return { checkout: { ...before, status: 'failed', version: before.version + 1 }, announce: 'checkout.failed' };
};

/**
 * Returns the newest accepted payment that a checkout shows.
 * @throws ApiError nothing_to_reverse if it shows none.
 */
export const latestAccepted = ({ payments }: Checkout): PaymentSummary => {
  const latest = payments.find(({ outcome }) => outcome === 'accepted');
  if (!latest) throw new ApiError('nothing_to_reverse');
  return latest;
};

/**
 * Records that a provider accepts no more money on an account that the payer saw. A pending checkout fails if all accounts that the payer
 * saw have ended and no other account is being opened. Otherwise the checkout stays pending, and its version increases if the payer now
 * sees another account than before. Undefined if nothing changes.
 */
export const endAccountAtProvider = (before: Checkout, reference: string, now: Millis): CheckoutStep | undefined => {
  const ended = shownAttempts(before).find((attempt) => attempt.reference === reference);
  if (before.status !== 'pending' || !ended) return undefined;
  const others = before.attempts.filter((attempt) => attempt !== ended);
  const isLast = others.every(({ state, shownAt, endedAt }) =>
    shownAt === undefined ? state !== 'opening' : endedAt !== undefined,
  );
  if (isLast) return fail(before);
  if (ended.endedAt !== undefined) return undefined;
  const after = withAttempt(before, { ...ended, endedAt: now });
  const isOtherShown = shownAttempt(after).reference !== shownAttempt(before).reference;
  return { checkout: isOtherShown ? { ...after, version: before.version + 1 } : after, announce: null };
};

/**
 * Expires a pending checkout for its merchant; undefined if the checkout has already ended without money. The account's own expiry time
 * does not change, because the provider may accept money until then. So its look-ups continue.
 * @throws ApiError checkout_not_payable if the checkout is paid or has accepted money that was not returned.
 */
export const expireByHand = (before: Checkout): CheckoutStep | undefined => {
  if (before.status === 'paid') throw notPayable(before);
  if (before.paidAmount > 0) throw new ApiError('checkout_not_payable', { message: 'Checkout has accepted money.' });
  if (before.status !== 'pending') return undefined;
  return { checkout: { ...before, status: 'expired', version: before.version + 1 }, announce: 'checkout.expired' };
};

/**
 * Milliseconds after the expiry of an account at which the account is looked up, in live mode: first for money without a notification, then
 * to expire the checkout, then for late money.
 */
const LOOK_UPS = [0, 5 * MINUTE, 60 * MINUTE] as const;
/** The grace: milliseconds from the expiry of an account. Only a look-up after the grace can expire a live checkout. */
const GRACE = LOOK_UPS[1];

/** If `lookUps` of an attempt is this number or more, its account was looked up after the grace (countLookUp). */
const LOOK_UPS_TO_EXPIRE = 2;

/** An attempt that is looked up at a certain time. */
interface DueLookUp {
  readonly attempt: Attempt;
  readonly dueAt: Millis;
}

/** Returns the next look-up of each account that the payer saw. In test mode, returns when the checkout expires. */
const listExpiryLookUps = (checkout: Checkout): readonly DueLookUp[] => {
  const { status } = checkout;
  const attempts = shownAttempts(checkout);
  if (status === 'paid' || status === 'failed') return [];
  if (checkout.mode === 'test') {
    // A test checkout expires with its last account.
    const last = attempts.toSorted((a, b) => a.expiresAt - b.expiresAt).slice(-1);
    return status === 'pending' ? last.map((attempt) => ({ attempt, dueAt: attempt.expiresAt })) : [];
  }
  // A reversal can make a checkout pending again after all its accounts were looked up. Then they are looked up once more, at once.
  const isPendingAgain = status === 'pending' && attempts.every(({ lookUps }) => lookUps >= LOOK_UPS_TO_EXPIRE);
  return attempts.flatMap((attempt) => {
    const { expiresAt, lookUps, askAgainAt } = attempt;
    const gap = LOOK_UPS[isPendingAgain ? LOOK_UPS_TO_EXPIRE - 1 : lookUps];
    return gap === undefined ? [] : [{ attempt, dueAt: Math.max(expiresAt + gap, askAgainAt ?? 0) }];
  });
};

/** Returns the attempt that is looked up next, and when: one that the payer saw, or one with an unknown outcome. Null if nothing will become due. */
export const nextLookUp = (checkout: Checkout): DueLookUp | null => {
  const unsettled = checkout.attempts.flatMap((attempt) =>
    (attempt.state === 'unknown' || attempt.state === 'opening') && attempt.askAgainAt !== null
      ? [{ attempt, dueAt: attempt.askAgainAt }]
      : [],
  );
  return [...listExpiryLookUps(checkout), ...unsettled].toSorted((a, b) => a.dueAt - b.dueAt)[0] ?? null;
};

/** Milliseconds after the request for an account. If the provider does not know the account by then, it never opened the account. */
const ABSENCE_FINAL_AFTER = 30 * MINUTE;

/**
 * Records the result of looking up an attempt whose outcome is unknown. The payer has not seen its account. `expected`: the attempt as it
 * was read before the look-up.
 * - `found`: the provider has the account; money on it counts.
 * - `absent`: the provider does not have it. This is final from half an hour after the request, or from the attempt's expiry if that is
 *   earlier. Before, the provider is asked again.
 * - `refused`: the account accepts no money.
 * - an Error: the provider is asked again.
 * Not announced. Undefined if the attempt was settled or asked for again meanwhile.
 */
export const settleAttempt = (
  before: Checkout,
  expected: Attempt,
  { now, result }: { readonly now: Millis; readonly result: 'found' | 'absent' | 'refused' | Error },
): CheckoutStep | undefined => {
  const attempt = before.attempts.find(({ reference }) => reference === expected.reference);
  if (attempt?.state !== expected.state || attempt.askAgainAt !== expected.askAgainAt) return undefined;
  const isAbsenceFinal = now >= Math.min(attempt.openedAt + ABSENCE_FINAL_AFTER, attempt.expiresAt);
  const isUnusable = result === 'refused' || (result === 'absent' && isAbsenceFinal);
  const settled: Attempt =
    result === 'found' || isUnusable
      ? { ...attempt, state: isUnusable ? 'refused' : 'open', askAgainAt: null }
      : { ...attempt, state: 'unknown', askAgainAt: nextProviderRetry(attempt.openedAt, now, MINUTE, result) };
  return { checkout: withAttempt(before, settled), announce: null };
};

/** Milliseconds after the expiry of an account. If the provider's list was compared up to this time, the last look-up is not needed. */
const LATE_MONEY_LISTED = 30 * MINUTE;

/**
 * Whether the last look-up of an expired checkout's account can be omitted, because the comparison with the provider's list has already
 * found any late money. `comparedUntil`: all payments on the list before this time were compared with our books. False for a checkout that
 * is not expired, because only look-ups decide whether it expires.
 */
export const isCoveredByList = (
  { status }: Checkout,
  { lookUps, expiresAt }: Attempt,
  comparedUntil: Millis,
): boolean => status === 'expired' && lookUps === LOOK_UPS.length - 1 && comparedUntil >= expiresAt + LATE_MONEY_LISTED;

const findAttempt = ({ attempts }: Checkout, reference: string): Attempt => {
  const existing = attempts.find((attempt) => attempt.reference === reference);
  if (!existing) throw new Error('A checkout has no attempt with this reference.');
  return existing;
};

/**
 * Postpones the look-up of an account. `failure`: the provider's error; undefined if the answer was stale. The delay grows with the time
 * since the expiry. Not announced.
 */
export const askLater = (before: Checkout, reference: string, now: Millis, failure: unknown): CheckoutStep => {
  const attempt = findAttempt(before, reference);
  const askAgainAt = nextProviderRetry(attempt.expiresAt, now, MINUTE, failure);
  return { checkout: withAttempt(before, { ...attempt, askAgainAt }), announce: null };
};

/**
 * Counts an answered look-up. All look-ups within the grace count as one. The first look-up after the grace brings the count to at least
 * LOOK_UPS_TO_EXPIRE.
 */
const countLookUp = (before: Checkout, reference: string, now: Millis): Checkout => {
  const attempt = findAttempt(before, reference);
  const isGraceOver = now >= attempt.expiresAt + GRACE;
  const lookUps = isGraceOver ? Math.max(attempt.lookUps + 1, LOOK_UPS_TO_EXPIRE) : LOOK_UPS_TO_EXPIRE - 1;
  return withAttempt(before, { ...attempt, lookUps, askAgainAt: null });
};

/**
 * Expires a pending checkout whose time is over. A live checkout expires only if the grace of every account that the payer saw is over, and
 * if each account was looked up after its grace without finding money. `reference`: in live mode, the account that has just been looked up.
 * Undefined if nothing changes.
 */
export const expireByTime = (before: Checkout, now: Millis, reference?: string): CheckoutStep | undefined => {
  const after = reference === undefined ? before : countLookUp(before, reference, now);
  const isOver = shownAttempts(after).every(({ expiresAt, lookUps }) =>
    before.mode === 'test' ? now >= expiresAt : reference !== undefined && lookUps >= LOOK_UPS_TO_EXPIRE,
  );
  if (before.status === 'pending' && isOver) {
    return { checkout: { ...after, status: 'expired', version: before.version + 1 }, announce: 'checkout.expired' };
  }
  return reference === undefined ? undefined : { checkout: after, announce: null };
};
