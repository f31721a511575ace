import type { Claim, Interrupted } from '#shared/platform/requests/idempotency.ts';
import type { Answered, Write } from '#shared/platform/requests/ports.ts';

/** An account that a request wants a live provider to open. It is stored before the provider is called. */
export interface Intent {
  readonly version: number;
}

/** The item under an intent's id: the intent itself (`opening`), or the object that it became (`created`). */
export type FoundIntent<I extends Intent, T> =
  | { readonly kind: 'opening'; readonly intent: I }
  | { readonly kind: 'created'; readonly object: T };

/** The outcome of an intent: its object is created, its next look-up is postponed, or it is deleted. */
export type IntentOutcome<I extends Intent, T> =
  | { readonly kind: 'created'; readonly before: I; readonly object: T }
  | { readonly kind: 'postponed'; readonly before: I; readonly after: I }
  | { readonly kind: 'dropped'; readonly before: I };

/**
 * Stores intents of one kind, `I`, and the objects that they become, `T`. `Held` tells why an intent cannot be stored. An intent is seen only by
 * its own request and by the sweeper.
 */
export interface IntentStore<I extends Intent, T, Held = never> {
  /**
   * Writes intents and the claim of their request's Idempotency-Key in one transaction. If the outcome is not `begun`, nothing is written.
   * @throws ApiError idempotency_in_progress, idempotency_key_reused.
   */
  begin(intents: readonly I[], claim: Claim | undefined): Promise<'begun' | Interrupted | Answered | Held>;
  /**
   * Continues an interrupted request. In one transaction it replaces `lapsed`, the claim of the interrupted request, by `claim`, and writes
   * `intents`. If the outcome is not `begun`, nothing is written. `settled`: one of these intents became an object meanwhile. Throws like `begin`.
   */
  takeOver(lapsed: Claim, claim: Claim, intents: readonly I[]): Promise<'begun' | 'settled' | Answered | Held>;
  /** Finds an intent or its object; undefined if the intent was deleted. */
  find(id: string): Promise<FoundIntent<I, T> | undefined>;
  /** Builds the writes of outcomes. They may fail with `taken`: the provider issued an account that belongs to another object. */
  buildSettlingWrites(outcomes: readonly IntentOutcome<I, T>[]): readonly Write[];
  /** Writes outcomes in one transaction. `conflict`: another process has settled one of them. */
  settle(outcomes: readonly IntentOutcome<I, T>[]): Promise<'settled' | 'conflict' | { readonly taken: string }>;
  /** Ends the lease of the claim, so that a retry with the same key can take it over at once. */
  release(claim: Claim): Promise<void>;
  /** Deletes the claim of a request that has no intents left, so that a retry with the same key begins anew. */
  forget(claim: Claim): Promise<void>;
}
