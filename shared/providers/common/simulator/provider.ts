import type { Account, Incoming, Ledger } from './ledger.ts';
import type { Kobo } from './money.ts';
import type { ProviderTrial } from './tried-provider.ts';
import type { Answer, Call } from './wire.ts';

/** A notification about one transfer. It is written and signed each time that it is sent. */
export interface Notification {
  /** The body, with an amount that is `extra` kobo too high. */
  readonly body: (extra: Kobo) => string;
  /** The signature header of that body. */
  readonly headers: (body: string, secret: string) => Record<string, string>;
  readonly secret: string;
  /** Where it goes instead of the usual place (an address that the payment named); null for nowhere. */
  readonly url?: string | null | undefined;
}

/** What a provider does with a transfer: how much it keeps, and how it notifies the merchant, if it does. */
export interface Decision {
  /** The provider's id of the payment; null when it returned the transfer. */
  readonly id: string | null;
  readonly keptAmount: Kobo;
  readonly notification: Notification | null;
}

/** How far a return is. Money whose return is under way no longer counts as kept. */
export type ReturnStatus = 'processing' | 'success' | 'failed';

/** How far a refund is: only a processed one has left the provider. `needs_attention`: it cannot be paid out before somebody acts. */
export type RefundStage = 'pending' | 'processing' | 'needs_attention' | 'processed' | 'failed';

/** Refunds a part of a transfer, or all of it. The result is the event, where the provider has one of this stage. */
export type PlayRefund = (transferId: string, amount: Kobo, stage: RefundStage) => Notification | null;

/** One provider as the simulator plays it. Every method is synchronous, so that no two calls interleave. */
export interface SimulatedProvider {
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
  /** Ends the validation of the customer of a reference, where it validates customers: with an account, or without one. */
  readonly validate?: (reference: string, outcome: 'success' | 'failed', isNotified: boolean) => void;
  /** Its own error answers, for faults. */
  readonly unauthorised: () => Answer;
  readonly rateLimited: Answer;
  /** The header in which a 429 tells the seconds to wait; `retry-after` by default. */
  readonly waitHeader?: string;
  readonly serverFault: Answer;
}

/** What a provider is played with. */
export interface SimulatorParts<Preference> {
  readonly ledger: Ledger;
  /** How it behaves now, where it can behave in several ways. */
  readonly preference: () => Preference;
  /** Sends a notification, without waiting for it. */
  readonly notify: (notification: Notification) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A provider's simulator: what the simulator of all providers and `ops provider try` know of it. */
export interface ProviderSimulator<Preference extends object = object> {
  /** The path that the real API has before that of a call, below `/<name>`; empty where it has none. */
  readonly path: string;
  /** The first digits of its account numbers. */
  readonly numberPrefix: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** What a stage sets for it beside the address. */
  readonly settings: Readonly<Record<string, string>>;
  /** How it behaves unless a test wants another way. */
  readonly preference: Preference;
  /** The path of its login, which takes the credentials and no token; undefined where it has none. */
  readonly loginPath?: string;
  readonly tried: ProviderTrial;
  play(parts: SimulatorParts<Preference>): SimulatedProvider;
}

/** Returned without a notification. */
export const RETURNED: Decision = { id: null, keptAmount: 0, notification: null };
