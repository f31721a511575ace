import type { Checkout } from '#shared/domain/checkouts/checkout.ts';
import type { ReferenceHeld } from '#shared/domain/checkouts/merchant-reference.ts';
import type { OpeningCheckout } from '#shared/domain/checkouts/opening-checkout.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import type { Claim, Interrupted, RequestIdentity } from '#shared/domain/requests/idempotency.ts';
import type { Allowance, Used } from '#shared/domain/requests/rate-limit.ts';
import type { OpeningVirtualAccount, VirtualAccount } from '#shared/domain/virtual-accounts/virtual-account.ts';

/** Counts a request against an allowance in the current window. Never throws. */
export type RequestCounter = (allowance: Allowance, now: Millis) => Promise<Used>;

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
  /** Continues an interrupted request with these of its intents. Throws like `begin`. */
  takeOver(lapsed: Claim, claim: Claim, intents: readonly I[]): Promise<'begun' | Answered | Held>;
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

/** Intents of checkouts. */
export type CheckoutIntents = IntentStore<OpeningCheckout, Checkout, ReferenceHeld>;
/** Intents of virtual accounts. */
export type VirtualAccountIntents = IntentStore<OpeningVirtualAccount, VirtualAccount>;

/** The answer that an Idempotency-Key replays. */
export interface StoredAnswer extends RequestIdentity {
  readonly status: number;
  readonly body: string;
}

/** The outcome when an equal request with the same Idempotency-Key was answered first: its answer is replayed, and nothing was written. */
export interface Answered {
  readonly kind: 'answered';
  readonly answer: StoredAnswer;
}

/** The reason why nothing of a transaction was written. `taken`: the id of the object that has the account number. */
export type NotCommitted = 'conflict' | 'number_taken' | { readonly taken: string } | ReferenceHeld;

/** A write of one transaction, as a store makes it. Only `Transactions` looks into it. */
export interface Write {
  readonly otherwise?: ((existing: never) => NotCommitted) | undefined;
}

export interface Transactions {
  /**
   * Writes all or nothing, with the answer to the request that caused it. The answer comes first: a repeated request gets its first
   * answer, whatever else has changed since. @throws the refusals idempotency_in_progress, idempotency_key_reused.
   */
  commit(writes: readonly Write[], answer?: StoredAnswer): Promise<'committed' | NotCommitted | Answered>;
}

export interface IdempotencyStore {
  /** The record of a scope: an answer or a claim. Undefined if there is none, or it has expired. */
  find(scope: string, now: Millis): Promise<StoredAnswer | Claim | undefined>;
}
