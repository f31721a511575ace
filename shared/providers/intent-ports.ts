import type { Claim, Interrupted } from '#shared/platform/requests/idempotency.ts';
import type { Answered, Write } from '#shared/platform/requests/ports.ts';

/** A request's wish of a live provider, stored before the provider is called. */
export interface Intent {
  readonly version: number;
}

/** The item under an intent's id: still the intent, or the object that it became. */
export type FoundIntent<I extends Intent, T> =
  | { readonly kind: 'opening'; readonly intent: I }
  | { readonly kind: 'created'; readonly object: T };

/** How an intent ends, or goes on: its object is created, its next look-up is postponed, or it is deleted. */
export type IntentOutcome<I extends Intent, T> =
  | { readonly kind: 'created'; readonly before: I; readonly object: T }
  | { readonly kind: 'postponed'; readonly before: I; readonly after: I }
  | { readonly kind: 'dropped'; readonly before: I };

/**
 * Intents of one kind, `I`, and the objects that they become, `T`; `Held` is why an intent cannot be stored. Only their own request and
 * the sweeper see an intent.
 */
export interface IntentStore<I extends Intent, T, Held = never> {
  /**
   * Writes intents and the claim of their request's Idempotency-Key in one transaction. With any other outcome than `begun` nothing is
   * written. @throws the refusals idempotency_in_progress, idempotency_key_reused.
   */
  begin(intents: readonly I[], claim: Claim | undefined): Promise<'begun' | Interrupted | Answered | Held>;
  /** Continues an interrupted request with these of its intents. `settled`: one of them became an object meanwhile. Throws like `begin`. */
  takeOver(lapsed: Claim, claim: Claim, intents: readonly I[]): Promise<'begun' | 'settled' | Answered | Held>;
  /** Undefined when the intent was dropped. */
  find(id: string): Promise<FoundIntent<I, T> | undefined>;
  /** The writes of outcomes. `taken`: the provider issued this intent an account that belongs to another object. */
  settling(outcomes: readonly IntentOutcome<I, T>[]): readonly Write[];
  /** Writes outcomes in one transaction. `conflict`: another process has settled one of them. */
  settle(outcomes: readonly IntentOutcome<I, T>[]): Promise<'settled' | 'conflict' | { readonly taken: string }>;
  /** Ends the claim's lease, so that a retry with the same key can take it over at once. */
  release(claim: Claim): Promise<void>;
  /** Deletes the claim of a request of which nothing is left, so that a retry with the same key begins anew. */
  forget(claim: Claim): Promise<void>;
}
