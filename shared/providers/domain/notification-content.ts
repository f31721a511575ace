import type { Kobo } from '#shared/platform/kernel/money.ts';
import type { PaymentQuery, ReportedRejection } from './report.ts';

/**
 * Reason why a genuine notification needs a person. `unreadable`: it may be about incoming money, and its fields cannot be read.
 * `refund_needs_attention`: the provider cannot pay a refund out before somebody gives it the payer's bank details.
 */
export type NotificationProblem = 'unreadable' | 'refund_needs_attention';

/** A refund that a provider paid out. `query` finds the refunded money. `id` is the provider's own; null if it has none. */
export interface ReportedRefund {
  readonly query: PaymentQuery;
  readonly refund: { readonly id: string | null; readonly amount: Kobo };
}

/**
 * The content of a genuine notification. A notification never credits money; only a look-up does. Refunds, and rejections that no look-up shows,
 * are recorded as the notification reports them.
 */
export interface NotificationContent {
  readonly queries: readonly PaymentQuery[];
  readonly rejected: readonly ReportedRejection[];
  readonly refunds: readonly ReportedRefund[];
  /** Virtual accounts that the provider has opened or rejected, each with our reference. */
  readonly accounts: readonly { readonly reference: string; readonly outcome: 'issued' | 'refused' }[];
  /** Null if nothing is wrong, and for events that are certainly not about incoming money. */
  readonly problem: NotificationProblem | null;
}

/** Makes the content of a notification with these parts and nothing else. */
export const makeContent = (parts: Partial<NotificationContent> = {}): NotificationContent => ({
  queries: [],
  rejected: [],
  refunds: [],
  accounts: [],
  problem: null,
  ...parts,
});
