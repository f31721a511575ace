import type { Account, Incoming } from './ledger.ts';
import type { Kobo } from './money.ts';
import type { Notification } from './notifier.ts';
import type { Answer, Call } from './wire.ts';

/** What a provider does with a transfer: how much it keeps, and what it tells the merchant, if anything. */
export interface Decision {
  /** What the provider knows the payment by; null when it sent the transfer back. */
  readonly id: string | null;
  readonly kept: Kobo;
  readonly notification: Notification | null;
}

/** How far money is that goes back. While it is under way it is not kept any more. */
export type ReturnStatus = 'processing' | 'success' | 'failed';

/** One provider as the twin plays it. Everything happens at once, so that no two calls can mix. */
export interface PlayedProvider {
  readonly serve: (call: Call) => Answer;
  /** Decides about a transfer to one of its accounts. */
  readonly receive: (account: Account, incoming: Incoming) => Decision;
  /** Sends back later what it had kept of a transfer. Returns the notification that tells it, where one is documented. */
  readonly reverse: (transferId: string) => Notification | null;
  /** Keeps it after all: what it told as sent back came back to it. */
  readonly keepAgain: (transferId: string) => void;
  /** Tells how far it is with sending back what came beyond the amount, of a transfer that it kept whole. Returns what it keeps now. */
  readonly returnExcess?: (transferId: string, status: ReturnStatus) => Kobo;
  /** Its own shapes of refusals, for faults. */
  readonly unauthorised: () => Answer;
  readonly rateLimited: Answer;
  readonly serverFault: Answer;
}

/** Sent back without a word: what none of the three providers documents a notification for. */
export const SENT_BACK: Decision = { id: null, kept: 0, notification: null };
