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
import { merchantFields } from './given-fields.ts';

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
  /** Whether its request left the provider to us, and its business lets us choose. Absent: no. */
  isRouted: z.optional(z.literal(true)),
  ...merchantFields.shape,
  createdAt: millis,
  /** When the payer first said that the money was sent. It is the payer's word and decides nothing about money. */
  sentAt: z.optional(millis),
  /** What is known of each cumulative report, by the reference under which the provider reports it. */
  totals: z.record(text, cumulativeReportState),
  announcedReturns: z.array(announcedReturn),
  /** Grows by one with every change that a merchant sees: receivers of webhooks order by it. */
  version: ordinal,
  /** Grows by one with every write: the optimistic lock. Never shown. */
  revision: ordinal,
  /** The newest payments, newest first: a view for merchants. What counts follows from `totals` and the payments' own items. */
  payments: z.array(paymentSummary).check(z.maxLength(MAX_EMBEDDED_PAYMENTS)),
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
const withNewest = (landed: Payment, before: readonly PaymentSummary[]): PaymentSummary[] =>
  [summarizePayment(landed), ...before].slice(0, MAX_EMBEDDED_PAYMENTS);

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
  const now = new Map(reversed.map((payment) => [payment.id, summarizePayment(payment)]));
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

/** The time of a test account is over now, if it was not: a transfer of now is late. A millisecond ago, as the time of its expiry still counts. */
export const endTime = (before: Checkout, attempt: ShownAttempt, now: Millis): Checkout =>
  withAttempt(before, { ...attempt, expiresAt: Math.min(attempt.expiresAt, now - 1) });

/** The refusal of what a checkout's state does not allow. */
export const notPayable = ({ status }: Checkout): ApiError =>
  new ApiError('checkout_not_payable', { message: `Checkout is already ${status}.` });

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
export const latestAccepted = ({ payments }: Checkout): PaymentSummary => {
  const latest = payments.find(({ outcome }) => outcome === 'accepted');
  if (!latest) throw new ApiError('nothing_to_reverse');
  return latest;
};

/**
 * A provider accepts no money any more under the reference of an account that was shown. A pending checkout fails once that is true of each such
 * account, and none is being opened. Until then another account is shown, which is a change that merchants see. Undefined where nothing changes.
 */
export const failedAtProvider = (before: Checkout, reference: string, now: Millis): CheckoutStep | undefined => {
  const failed = shownAttempts(before).find((attempt) => attempt.reference === reference);
  if (before.status !== 'pending' || !failed) return undefined;
  const others = before.attempts.filter((attempt) => attempt !== failed);
  const isLast = others.every(({ state, shownAt, endedAt }) =>
    shownAt === undefined ? state !== 'opening' : endedAt !== undefined,
  );
  if (isLast) return fail(before);
  if (failed.endedAt !== undefined) return undefined;
  const after = withAttempt(before, { ...failed, endedAt: now });
  const isMoved = shownAttempt(after).reference !== shownAttempt(before).reference;
  return { checkout: isMoved ? { ...after, version: before.version + 1 } : after, announce: null };
};

/**
 * The merchant ends a checkout: a pending one expires now; undefined for one that has already ended without money. The expiry of its
 * account stays,
 * because the provider may accept money until then, and the look-ups around it go on.
 * Throws `checkout_not_payable` when it has accepted money that was not returned.
 */
export const expireByHand = (before: Checkout): CheckoutStep | undefined => {
  if (before.status === 'paid') throw notPayable(before);
  if (before.paidAmount > 0) throw new ApiError('checkout_not_payable', { message: 'Checkout has accepted money.' });
  if (before.status !== 'pending') return undefined;
  return { checkout: { ...before, status: 'expired', version: before.version + 1 }, announce: 'checkout.expired' };
};

/** Milliseconds after its expiry at which a live checkout is looked up: for money without a notification, to expire it, and for late money. */
const LOOK_UPS = [0, 5 * MINUTE, 60 * MINUTE] as const;
/** A live checkout expires with its second look-up: api-decisions.md section 4's grace. */
const GRACE = LOOK_UPS[1];

/** Look-ups with which an account's provider was asked once its grace was over. */
const LOOK_UPS_TO_EXPIRE = 2;

/** An attempt that is looked at by time, and when. */
interface Due {
  readonly attempt: Attempt;
  readonly dueAt: Millis;
}

/** When the accounts that were shown are looked at again. */
const dueExpiries = (checkout: Checkout): readonly Due[] => {
  const { mode: m, status } = checkout;
  const attempts = shownAttempts(checkout);
  if (status === 'paid' || status === 'failed') return [];
  if (m === 'test') {
    // It expires with the account whose time ends last.
    const last = attempts.toSorted((a, b) => a.expiresAt - b.expiresAt).slice(-1);
    return status === 'pending' ? last.map((attempt) => ({ attempt, dueAt: attempt.expiresAt })) : [];
  }
  // A reversal may make a checkout pending again after its look-ups: it is then due at once.
  const isAskedOut = status === 'pending' && attempts.every(({ lookUps }) => lookUps >= LOOK_UPS_TO_EXPIRE);
  return attempts.flatMap((attempt) => {
    const { expiresAt, lookUps, askAgainAt } = attempt;
    const gap = LOOK_UPS[isAskedOut ? LOOK_UPS_TO_EXPIRE - 1 : lookUps];
    return gap === undefined ? [] : [{ attempt, dueAt: Math.max(expiresAt + gap, askAgainAt ?? 0) }];
  });
};

/** The attempt that is looked up next, and when: one that was shown, or one whose outcome is not known. Null once nothing is due. */
export const nextLookUp = (checkout: Checkout): Due | null => {
  const unsettled = checkout.attempts.flatMap((attempt) =>
    (attempt.state === 'unknown' || attempt.state === 'opening') && attempt.askAgainAt !== null
      ? [{ attempt, dueAt: attempt.askAgainAt }]
      : [],
  );
  return [...dueExpiries(checkout), ...unsettled].toSorted((a, b) => a.dueAt - b.dueAt)[0] ?? null;
};

/** Milliseconds after which an account that a provider does not know will never exist. */
const ABSENCE_FINAL_AFTER = 30 * MINUTE;

/**
 * Writes down the result of looking up an attempt whose outcome was not known when it was read (`asked`). Nobody was shown its account. `found`: the provider
 * has it; money on it counts. `absent`: it has none, which is final half an hour after it was asked, or once the attempt's time is over. `refused`:
 * it accepts no money. A failure of the provider: it is asked again. Not announced. Undefined where the attempt was settled, or asked for anew, since.
 */
export const settleAttempt = (
  before: Checkout,
  expected: Attempt,
  { now, result }: { readonly now: Millis; readonly result: 'found' | 'absent' | 'refused' | Error },
): CheckoutStep | undefined => {
  const attempt = before.attempts.find(({ reference }) => reference === expected.reference);
  if (attempt?.state !== expected.state || attempt.askAgainAt !== expected.askAgainAt) return undefined;
  const isOver = now >= Math.min(attempt.openedAt + ABSENCE_FINAL_AFTER, attempt.expiresAt);
  const isNone = result === 'refused' || (result === 'absent' && isOver);
  const settled: Attempt =
    result === 'found' || isNone
      ? { ...attempt, state: isNone ? 'refused' : 'open', askAgainAt: null }
      : { ...attempt, state: 'unknown', askAgainAt: nextProviderRetry(attempt.openedAt, now, MINUTE, result) };
  return { checkout: withAttempt(before, settled), announce: null };
};

/** A list that was asked for so long after the expiry names the late money that came. Milliseconds. */
const LATE_MONEY_LISTED = 30 * MINUTE;

/**
 * Whether the provider's list has told of the late money that the last look-up of an account of an expired checkout would find: of what came up to
 * `comparedUntil`, our books have everything, or it is being looked up. A checkout that may expire still is always looked up.
 */
export const isCoveredByList = (
  { status }: Checkout,
  { lookUps, expiresAt }: Attempt,
  comparedUntil: Millis,
): boolean => status === 'expired' && lookUps === LOOK_UPS.length - 1 && comparedUntil >= expiresAt + LATE_MONEY_LISTED;

const attemptUnder = ({ attempts }: Checkout, reference: string): Attempt => {
  const existing = attempts.find((attempt) => attempt.reference === reference);
  if (!existing) throw new Error('A checkout was asked about under a reference that it has not.');
  return existing;
};

/**
 * The provider of the account under a reference did not answer (`failure` says why). It is asked again after a delay that grows with the time since
 * the expiry. Not announced.
 */
export const askLater = (before: Checkout, reference: string, now: Millis, failure: unknown): CheckoutStep => {
  const attempt = attemptUnder(before, reference);
  const askAgainAt = nextProviderRetry(attempt.expiresAt, now, MINUTE, failure);
  return { checkout: withAttempt(before, { ...attempt, askAgainAt }), announce: null };
};

/** Counts an answered look-up of an account: those within its grace as the first one, the first after it as the second. */
const countLookUp = (before: Checkout, reference: string, now: Millis): Checkout => {
  const attempt = attemptUnder(before, reference);
  const isGraceOver = now >= attempt.expiresAt + GRACE;
  const lookUps = isGraceOver ? Math.max(attempt.lookUps + 1, LOOK_UPS_TO_EXPIRE) : LOOK_UPS_TO_EXPIRE - 1;
  return withAttempt(before, { ...attempt, lookUps, askAgainAt: null });
};

/**
 * Expires a pending checkout whose time has passed: in live mode after the grace of each account that was shown, and only when the provider of each
 * has been asked since and knew of no money. `asked`: the reference of the account whose provider has just been asked, in live mode. Undefined when
 * nothing changes.
 */
export const passTime = (before: Checkout, now: Millis, reference?: string): CheckoutStep | undefined => {
  const after = reference === undefined ? before : countLookUp(before, reference, now);
  const isOver = shownAttempts(after).every(({ expiresAt, lookUps }) =>
    before.mode === 'test' ? now >= expiresAt : reference !== undefined && lookUps >= LOOK_UPS_TO_EXPIRE,
  );
  if (before.status === 'pending' && isOver) {
    return { checkout: { ...after, status: 'expired', version: before.version + 1 }, announce: 'checkout.expired' };
  }
  return reference === undefined ? undefined : { checkout: after, announce: null };
};
