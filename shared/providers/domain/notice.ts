import type { Kobo } from '#shared/platform/kernel/money.ts';
import type { PaymentQuery, ReportedRejection } from './report.ts';

/**
 * Why a genuine notification needs a person. `unreadable`: it may be about incoming money, and its fields cannot be read.
 * `refund_needs_attention`: the provider cannot pay a refund out until somebody gives it the payer's bank details.
 */
export type NoticeProblem = 'unreadable' | 'refund_needs_attention';

/** A refund that a provider paid out, of the money that its query finds. `id`: the provider's own; null where it has none. */
export interface ReportedRefund {
  readonly query: PaymentQuery;
  readonly refund: { readonly id: string | null; readonly amount: Kobo };
}

/** What a genuine notification says. Only look-ups give credit; a rejection that no look-up shows, and a refund, are recorded as reported. */
export interface Notice {
  readonly queries: readonly PaymentQuery[];
  readonly rejected: readonly ReportedRejection[];
  readonly refunds: readonly ReportedRefund[];
  /** Virtual accounts, by our reference, whose opening the provider has settled. */
  readonly accounts: readonly { readonly reference: string; readonly outcome: 'issued' | 'refused' }[];
  /** Null where nothing is wrong, and for events that are certainly not about incoming money. */
  readonly problem: NoticeProblem | null;
}

/** The notice with these parts, and nothing else. */
export const notice = (parts: Partial<Notice> = {}): Notice => ({
  queries: [],
  rejected: [],
  refunds: [],
  accounts: [],
  problem: null,
  ...parts,
});
