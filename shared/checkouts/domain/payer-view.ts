import type { PaymentSummary } from '#shared/payments/domain/payment.ts';
import { timeOfId } from '#shared/platform/kernel/ids.ts';
import { type Kobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import type { ReceivingAccount } from '#shared/providers/domain/provider.ts';
import { shownAttempt, shownAttempts } from './attempt.ts';
import type { Checkout } from './checkout.ts';

/*
 * What the payer of a checkout is shown (docs/internals/payment-page.md). It follows from the state alone and decides nothing: money
 * is never guessed, and whether a checkout is paid stays the business of webhook and verify.
 */

/**
 * Money that went back to the payer. `sent_back`: it never counted, because it was not the amount asked for (`wrong_amount`), because the checkout
 * is paid without it (`not_needed`), or for a reason that the provider does not tell. `taken_back`: it went back after it had counted.
 */
export type PayerNotice =
  | { readonly kind: 'sent_back'; readonly amount: Kobo; readonly why: 'wrong_amount' | 'not_needed' | 'unknown' }
  | { readonly kind: 'taken_back'; readonly amount: Kobo };

/** A transfer that counts, as its payer's receipt has it. */
export type ReceivedTransfer = Pick<PaymentSummary, 'amount' | 'paidAt' | 'senderName' | 'senderBank' | 'late'>;

/** The account to pay into and how much. */
interface Asking {
  readonly account: Pick<ReceivingAccount, 'accountNumber' | 'accountName' | 'bankName'>;
  readonly ask: Kobo;
  readonly expiresAt: Millis;
  /** The accounts that the payer was shown before, oldest first. Money on them counts. */
  readonly earlier: readonly Pick<ReceivingAccount, 'accountNumber' | 'bankName'>[];
}

/** Whether a payer may ask for another account: `none` where no provider is left that could open one. */
export type OtherAccount = 'offered' | 'none' | 'not_offered';

/** How long the payer has waited: `long` where some banks still need that, `too_long` where the bank is to be asked. */
export type Wait = 'short' | 'long' | 'too_long';

/** No rest may be sent: its time is up (`isClosed`), its provider would return it, or its business takes no payments. */
type PartPaid = { readonly kind: 'part_paid'; readonly isClosed: boolean; readonly missing: Kobo };

export type PayerView = {
  readonly notices: readonly PayerNotice[];
  readonly received: Kobo;
  /** Money lands at no provider as it should. */
  readonly isSlowEverywhere: boolean;
} & (
  | ({ readonly kind: 'pay'; readonly other: OtherAccount } & Asking)
  /** The payer says that the money, or the rest of it, is on its way. */
  | ({ readonly kind: 'confirming'; readonly wait: Wait } & Asking)
  | ({ readonly kind: 'underpaid' } & Asking)
  | PartPaid
  /** The time is up, and the provider is still asked about money that was sent before. */
  | { readonly kind: 'checking'; readonly isLooking: boolean }
  | { readonly kind: 'expired' }
  /** `transfers`: those that count, oldest first, as many as a checkout shows. */
  | {
      readonly kind: 'paid';
      readonly more: Kobo;
      readonly paidAt: Millis;
      readonly transfers: readonly ReceivedTransfer[];
    }
  | { readonly kind: 'failed' }
  /** The business is suspended and takes no payments. */
  | { readonly kind: 'closed_shop' }
);
export type PayerViewKind = PayerView['kind'];

/** What a view depends on beside the checkout. */
export interface ViewContext {
  readonly now: Millis;
  /** When the payer said that the money was sent; null before. It is the payer's word and decides nothing. */
  readonly sentAt: Millis | null;
  readonly isSuspended: boolean;
  /** Whether the provider's account takes a second transfer for what is missing. */
  readonly takesRest: boolean;
  /** Absent: not offered. */
  readonly other?: OtherAccount;
  /** Absent: false. */
  readonly isSlowEverywhere?: boolean;
}

/** Milliseconds. Most transfers arrive within a minute. */
const LONG_AFTER = 2 * MINUTE;
const TOO_LONG_AFTER = 10 * MINUTE;

const classifyWait = (waited: Millis): Wait => {
  if (waited < LONG_AFTER) return 'short';
  return waited < TOO_LONG_AFTER ? 'long' : 'too_long';
};

/** Views of a checkout without money, in whose place a suspended business shows that it is closed. */
const UNPAID: readonly PayerViewKind[] = ['pay', 'confirming', 'checking'];

/** Since when the payer waits for what was said to be sent; null where nothing is: money that came since then, or went back, was it. */
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

const computeView = (checkout: Checkout, viewing: ViewContext): PayerView => {
  const { now, sentAt, isSuspended, takesRest, other = 'not_offered', isSlowEverywhere = false } = viewing;
  const { paidAmount } = checkout;
  const current = shownAttempt(checkout);
  const { account, amountToPay, expiresAt } = current;
  const missing = subtractDownToZero(amountToPay, paidAmount);
  const common = { notices: listNotices(checkout, missing), received: paidAmount, isSlowEverywhere };
  const since = awaitedSince(checkout, sentAt);
  const earlier = shownAttempts(checkout).flatMap((attempt) => (attempt === current ? [] : [attempt.account]));
  const asking = { ...common, account, ask: missing, expiresAt, earlier };
  const isOver = now >= expiresAt;
  switch (checkout.status) {
    case 'paid': {
      const { paidAt, payments } = checkout;
      const transfers = payments.filter(({ outcome }) => outcome === 'accepted').toReversed();
      return { ...common, kind: 'paid', more: subtractDownToZero(paidAmount, amountToPay), paidAt, transfers };
    }
    case 'underpaid':
      if (isOver || !takesRest || isSuspended) return { ...common, kind: 'part_paid', isClosed: isOver, missing };
      return since === null
        ? { ...asking, kind: 'underpaid' }
        : { ...asking, kind: 'confirming', wait: classifyWait(now - since) };
    case 'pending':
      if (isOver) return { ...common, kind: 'checking', isLooking: since !== null };
      return since === null
        ? { ...asking, kind: 'pay', other }
        : { ...asking, kind: 'confirming', wait: classifyWait(now - since) };
    case 'expired':
    case 'failed':
      // It ended before the rest came.
      if (paidAmount > 0) return { ...common, kind: 'part_paid', isClosed: true, missing };
      return { ...common, kind: checkout.status };
  }
};

/** What the payer is shown now. */
export const payerView = (checkout: Checkout, viewing: ViewContext): PayerView => {
  const view = computeView(checkout, viewing);
  if (!viewing.isSuspended || !UNPAID.includes(view.kind)) return view;
  return { kind: 'closed_shop', notices: [], received: ZERO_KOBO, isSlowEverywhere: false };
};
