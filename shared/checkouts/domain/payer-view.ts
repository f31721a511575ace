import type { PaymentSummary } from '#shared/payments/domain/payment.ts';
import { timeOfId } from '#shared/platform/kernel/ids.ts';
import { type Kobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import type { ReceivingAccount } from '#shared/providers/domain/provider.ts';
import { shownAttempt, shownAttempts } from './attempt.ts';
import type { Checkout } from './checkout.ts';

/*
 * The payer's view of a checkout (docs/internals/payment-page.md). It is computed from the recorded state and decides nothing. Only the
 * webhook and the verify endpoint tell the merchant whether a checkout is paid.
 */

/**
 * Money that went back to the payer. `sent_back`: it never counted. The probable reason: the checkout is paid without it (`not_needed`),
 * its amount was not the missing amount (`wrong_amount`), or neither (`unknown`). `taken_back`: it had counted before.
 */
export type PayerNotice =
  | { readonly kind: 'sent_back'; readonly amount: Kobo; readonly why: 'wrong_amount' | 'not_needed' | 'unknown' }
  | { readonly kind: 'taken_back'; readonly amount: Kobo };

/** A transfer that counts, for the payer's receipt. */
export type ReceivedTransfer = Pick<PaymentSummary, 'amount' | 'paidAt' | 'senderName' | 'senderBank' | 'late'>;

/** The account and the amount to pay. */
interface PayInto {
  readonly account: Pick<ReceivingAccount, 'accountNumber' | 'accountName' | 'bankName'>;
  readonly ask: Kobo;
  readonly expiresAt: Millis;
  /** The accounts that the payer saw earlier, oldest first. Money on them counts. */
  readonly earlier: readonly Pick<ReceivingAccount, 'accountNumber' | 'bankName'>[];
}

/** Whether a payer may ask for another account. `none`: no provider is left. */
export type OtherAccount = 'offered' | 'none' | 'not_offered';

/** How long the payer has waited. `long`: longer than usual, but normal for some banks. `too_long`: the payer should ask the bank. */
export type Wait = 'short' | 'long' | 'too_long';

/**
 * The payer has sent a part and cannot send the missing amount: the time is over (`isClosed`), the provider would return a second transfer,
 * or the business takes no payments.
 */
type PartPaid = { readonly kind: 'part_paid'; readonly isClosed: boolean; readonly missing: Kobo };

export type PayerView = {
  readonly notices: readonly PayerNotice[];
  readonly received: Kobo;
  /** Money lands late at every provider. */
  readonly isSlowEverywhere: boolean;
} & (
  | ({ readonly kind: 'pay'; readonly other: OtherAccount } & PayInto)
  /** The payer said that the money, or the rest, was sent. */
  | ({ readonly kind: 'confirming'; readonly wait: Wait } & PayInto)
  | ({ readonly kind: 'underpaid' } & PayInto)
  | PartPaid
  /** The time is over, and we still ask the provider about money that was sent earlier. `isLooking`: the payer said that the money was sent. */
  | { readonly kind: 'checking'; readonly isLooking: boolean }
  | { readonly kind: 'expired' }
  /** `transfers`: the counted transfers that the checkout shows, oldest first. */
  | {
      readonly kind: 'paid';
      readonly excess: Kobo;
      readonly paidAt: Millis;
      readonly transfers: readonly ReceivedTransfer[];
    }
  | { readonly kind: 'failed' }
  /** The business is suspended and takes no payments. */
  | { readonly kind: 'closed_shop' }
);
export type PayerViewKind = PayerView['kind'];

/** The facts beside the checkout that a view depends on. */
export interface ViewContext {
  readonly now: Millis;
  /** When the payer said that the money was sent; null before. It decides nothing about money. */
  readonly sentAt: Millis | null;
  readonly isSuspended: boolean;
  /** Whether the provider's account accepts a second transfer for the missing amount. */
  readonly acceptsRest: boolean;
  /** Absent: not offered. */
  readonly other?: OtherAccount;
  /** Absent: false. */
  readonly isSlowEverywhere?: boolean;
}

/** Milliseconds from which a wait is `long`. Most transfers arrive within a minute. */
const LONG_AFTER = 2 * MINUTE;
const TOO_LONG_AFTER = 10 * MINUTE;

const classifyWait = (waited: Millis): Wait => {
  if (waited < LONG_AFTER) return 'short';
  return waited < TOO_LONG_AFTER ? 'long' : 'too_long';
};

/** Views of a pending checkout. If the business is suspended, the payer sees `closed_shop` instead. */
const PENDING_VIEWS: readonly PayerViewKind[] = ['pay', 'confirming', 'checking'];

/**
 * Returns when the payer said that the money was sent; null if the payer waits for no money. Any money that came or went back since then
 * ends the wait.
 */
const awaitedSince = ({ payments: [newest] }: Checkout, sentAt: Millis | null): Millis | null =>
  sentAt !== null && newest && timeOfId(newest.id) >= sentAt ? null : sentAt;

const listNotices = ({ status, payments }: Checkout, missing: Kobo): PayerNotice[] => {
  const [newest] = payments;
  const taken = payments.find(({ outcome }) => outcome === 'reversed');
  const isWrongAmount = newest?.amount !== missing;
  const why = status === 'paid' ? 'not_needed' : isWrongAmount ? 'wrong_amount' : 'unknown';
  return [
    ...(newest?.outcome === 'rejected' ? [{ kind: 'sent_back' as const, amount: newest.amount, why } as const] : []),
    ...(taken ? [{ kind: 'taken_back' as const, amount: taken.amount }] : []),
  ];
};

const computeView = (checkout: Checkout, context: ViewContext): PayerView => {
  const { now, sentAt, isSuspended, acceptsRest, other = 'not_offered', isSlowEverywhere = false } = context;
  const { paidAmount } = checkout;
  const current = shownAttempt(checkout);
  const { account, amountToPay, expiresAt } = current;
  const missing = subtractDownToZero(amountToPay, paidAmount);
  const common = { notices: listNotices(checkout, missing), received: paidAmount, isSlowEverywhere };
  const since = awaitedSince(checkout, sentAt);
  const earlier = shownAttempts(checkout).flatMap((attempt) => (attempt === current ? [] : [attempt.account]));
  const payInto = { ...common, account, ask: missing, expiresAt, earlier };
  const isOver = now >= expiresAt;
  switch (checkout.status) {
    case 'paid': {
      const { paidAt, payments } = checkout;
      const transfers = payments.filter(({ outcome }) => outcome === 'accepted').toReversed();
      return { ...common, kind: 'paid', excess: subtractDownToZero(paidAmount, amountToPay), paidAt, transfers };
    }
    case 'underpaid':
      if (isOver || !acceptsRest || isSuspended) return { ...common, kind: 'part_paid', isClosed: isOver, missing };
      return since === null
        ? { ...payInto, kind: 'underpaid' }
        : { ...payInto, kind: 'confirming', wait: classifyWait(now - since) };
    case 'pending':
      if (isOver) return { ...common, kind: 'checking', isLooking: since !== null };
      return since === null
        ? { ...payInto, kind: 'pay', other }
        : { ...payInto, kind: 'confirming', wait: classifyWait(now - since) };
    case 'expired':
    case 'failed':
      // The checkout ended before the rest came.
      if (paidAmount > 0) return { ...common, kind: 'part_paid', isClosed: true, missing };
      return { ...common, kind: checkout.status };
  }
};

/** Computes the payer's view of a checkout. */
export const payerView = (checkout: Checkout, context: ViewContext): PayerView => {
  const view = computeView(checkout, context);
  if (!context.isSuspended || !PENDING_VIEWS.includes(view.kind)) return view;
  return { kind: 'closed_shop', notices: [], received: ZERO_KOBO, isSlowEverywhere: false };
};
