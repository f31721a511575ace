import type { Checkout } from '#shared/domain/checkouts/checkout.ts';
import type { OpeningCheckout } from '#shared/domain/checkouts/opening-checkout.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import type { Claim, KeyRecord, SealedAnswer } from '#shared/domain/requests/idempotency.ts';
import type { Allowance, Used } from '#shared/domain/requests/rate-limit.ts';
import type { OpeningVirtualAccount, VirtualAccount } from '#shared/domain/virtual-accounts/virtual-account.ts';

/** Counts a request against an allowance in the current window. Never throws. */
export type RequestCounter = (allowance: Allowance, now: Millis) => Promise<Used>;

/** What a request wants of a live provider, stored before the provider is called. */
export interface Intent {
  readonly version: number;
}

/** What is stored under an intent's id: still the intent, or the object that it became. */
export type FoundIntent<I extends Intent, T> =
  | { readonly kind: 'opening'; readonly intent: I }
  | { readonly kind: 'created'; readonly object: T };

/** How an intent ends, or goes on: its object is created, its next look-up is postponed, or it is deleted. */
export type IntentOutcome<I extends Intent, T> =
  | { readonly kind: 'created'; readonly before: I; readonly object: T }
  | { readonly kind: 'postponed'; readonly before: I; readonly after: I }
  | { readonly kind: 'dropped'; readonly before: I };

/** Intents of one kind, `I`, and the objects that they become, `T`. Only their own request and the sweeper see an intent. */
export interface IntentStore<I extends Intent, T> {
  /**
   * Writes intents and the claim of their request's Idempotency-Key in one transaction. Where an earlier request with that key
   * was interrupted, nothing is written and that request's claim is returned, to be taken over.
   * Throws AnsweredBefore, ReferenceHeld, and the refusals idempotency_in_progress, idempotency_key_reused.
   */
  begin(intents: readonly I[], claim: Claim | undefined): Promise<'begun' | Claim>;
  /** Continues an interrupted request with these of its intents. Throws like `begin`. */
  takeOver(lapsed: Claim, claim: Claim, intents: readonly I[]): Promise<void>;
  /** Undefined when the intent was dropped. */
  find(id: string): Promise<FoundIntent<I, T> | undefined>;
  /**
   * Writes outcomes and the answer in one transaction. `conflict`: another process has settled one of them. `taken`: the provider
   * issued this intent an account that belongs to another object; nothing was written.
   */
  settle(
    outcomes: readonly IntentOutcome<I, T>[],
    answer: SealedAnswer | undefined,
  ): Promise<'settled' | 'conflict' | { readonly taken: string }>;
  /** Ends the claim's lease, so that a retry with the same key can take it over at once. */
  release(claim: Claim): Promise<void>;
  /** Deletes the claim of a request of which nothing is left, so that a retry with the same key begins anew. */
  forget(claim: Claim): Promise<void>;
}

/** Intents of checkouts. */
export type CheckoutIntents = IntentStore<OpeningCheckout, Checkout>;
/** Intents of virtual accounts. */
export type VirtualAccountIntents = IntentStore<OpeningVirtualAccount, VirtualAccount>;

export interface IdempotencyStore {
  /** What stands under a scope, unless it has expired. */
  find(scope: string, now: Millis): Promise<KeyRecord | undefined>;
  /** Stores an answer. Throws what leftUnderKey throws when the scope holds something of another request that has not expired. */
  save(answer: SealedAnswer): Promise<void>;
}
