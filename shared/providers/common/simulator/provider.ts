import type { Account, Incoming, Ledger } from './ledger.ts';
import type { Kobo } from './money.ts';
import type { ProviderTrial } from './tried-provider.ts';
import type { Answer, Call } from './wire.ts';

/** A notification, for example about a transfer. Its body is written and signed anew each time that it is sent. */
export interface Notification {
  /**
   * Writes the body. The amount of a transfer in it is `extra` kobo higher than the real one. `extra` is zero, except for the fault `wrong_amount` of
   * the simulator.
   */
  readonly body: (extra: Kobo) => string;
  /** Signs that body: returns the headers with the signature. */
  readonly headers: (body: string, secret: string) => Record<string, string>;
  readonly secret: string;
  /** The address to which the notification is sent, if the payment named one. Undefined: the usual address. Null: the notification is not sent. */
  readonly url?: string | null | undefined;
}

/** A provider's decision about a transfer: how much it keeps, and the notification that it sends, if any. */
export interface Decision {
  /** The provider's id of the payment; null if it returned the transfer. */
  readonly id: string | null;
  readonly keptAmount: Kobo;
  readonly notification: Notification | null;
}

/** The progress of a return. Money no longer counts as kept while its return is in progress. */
export type ReturnStatus = 'processing' | 'success' | 'failed';

/** The progress of a refund. Only a `processed` one has left the provider. `needs_attention`: it waits until a person acts. */
export type RefundStage = 'pending' | 'processing' | 'needs_attention' | 'processed' | 'failed';

/** Refunds a part of a transfer, or all of it. Returns the event, if the provider sends one at this stage. */
export type PlayRefund = (transferId: string, amount: Kobo, stage: RefundStage) => Notification | null;

/** A simulated provider. Every method is synchronous, so that no two calls interleave. */
export interface SimulatedProvider {
  readonly serve: (call: Call) => Answer;
  /** Decides what happens with a transfer to one of the provider's accounts. */
  readonly receive: (account: Account, incoming: Incoming) => Decision;
  /** Sends kept money of a transfer back later. Returns the notification about it, if one is documented. */
  readonly reverse: (transferId: string) => Notification | null;
  /** Keeps a returned transfer after all, for example because the refund failed. */
  readonly reinstate: (transferId: string) => void;
  /**
   * Sets how far the return of an excess is, for a transfer above the expected amount that was kept as a whole at first. Returns the kobo that the
   * provider keeps now.
   */
  readonly returnExcess?: (transferId: string, status: ReturnStatus) => Kobo;
  /** Refunds a part of a transfer, or all of it, up to the given stage. Absent if the provider cannot refund. */
  readonly refund?: PlayRefund;
  /**
   * Ends the validation of the customer whose account was requested under this reference. `success` opens the account. Absent if the provider
   * validates no customers.
   */
  readonly validate?: (reference: string, outcome: 'success' | 'failed', isNotified: boolean) => void;
  /** The provider's own error answers. */
  readonly unauthorised: () => Answer;
  readonly rateLimited: Answer;
  /** The header of a 429 with the seconds to wait; `retry-after` by default. */
  readonly waitHeader?: string;
  readonly serverFault: Answer;
}

/** Dependencies of a simulated provider. */
export interface SimulatorParts<Preference> {
  readonly ledger: Ledger;
  /** Reads the current behaviour of a provider that can behave in several ways. */
  readonly preference: () => Preference;
  /** Sends a notification, without waiting for it. */
  readonly notify: (notification: Notification) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A provider's simulator, as the simulator of all providers and `ops provider try` use it. */
export interface ProviderSimulator<Preference extends object = object> {
  /** The base path of the real API; empty if it has none. In the simulator's addresses it follows `/<name>`. */
  readonly path: string;
  /** The first digits of the provider's account numbers. */
  readonly numberPrefix: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** The settings that a stage needs for the provider, apart from the address. */
  readonly settings: Readonly<Record<string, string>>;
  /** The default behaviour. A test may change it. */
  readonly preference: Preference;
  /** The path of the provider's login, which takes the credentials and no token; undefined if it has no login. */
  readonly loginPath?: string;
  readonly trial: ProviderTrial;
  play(parts: SimulatorParts<Preference>): SimulatedProvider;
}

/** The decision to return a transfer without a notification. */
export const RETURNED: Decision = { id: null, keptAmount: 0, notification: null };
