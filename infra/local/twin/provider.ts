import type { Account, Incoming } from './ledger.ts';
import type { Kobo } from './money.ts';
import type { Notification } from './notifier.ts';
import type { Answer, Call } from './wire.ts';

/** What a provider does with a transfer: how much it keeps, and how it notifies the merchant, if it does. */
export interface Decision {
  /** The provider's id of the payment; null when it returned the transfer. */
  readonly id: string | null;
  readonly kept: Kobo;
  readonly notification: Notification | null;
}

/** How far a return is. Money whose return is under way no longer counts as kept. */
export type ReturnStatus = 'processing' | 'success' | 'failed';

/** How far a refund is: only a processed one has left the provider. `needs_attention`: it cannot be paid out before somebody acts. */
export type RefundStage = 'pending' | 'processing' | 'needs_attention' | 'processed' | 'failed';

/** Refunds a part of a transfer, or all of it. The result is the event, where the provider has one of this stage. */
export type PlayRefund = (transferId: string, amount: Kobo, stage: RefundStage) => Notification | null;

/** One provider as the twin plays it. Every method is synchronous, so that no two calls interleave. */
export interface PlayedProvider {
  readonly serve: (call: Call) => Answer;
  /** Decides about a transfer to one of its accounts. */
  readonly receive: (account: Account, incoming: Incoming) => Decision;
  /** Returns later what it had kept of a transfer. The result is the notification of it, where one is documented. */
  readonly reverse: (transferId: string) => Notification | null;
  /** Keeps a returned transfer after all, as when the refund fails. */
  readonly reinstate: (transferId: string) => void;
  /** Sets how far the return of an excess is, for a transfer that was kept whole. The result is what it keeps now. */
  readonly returnExcess?: (transferId: string, status: ReturnStatus) => Kobo;
  /** Refunds all or a part of what it keeps of a transfer, or begins to. */
  readonly refund?: PlayRefund;
  /** Its own error answers, for faults. */
  readonly unauthorised: () => Answer;
  readonly rateLimited: Answer;
  /** The header in which a 429 tells the seconds to wait; `retry-after` by default. */
  readonly waitHeader?: string;
  readonly serverFault: Answer;
}

/** Returned without a notification. */
export const RETURNED: Decision = { id: null, kept: 0, notification: null };
