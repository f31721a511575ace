import type { Checkout } from '#shared/domain/checkouts/checkout.ts';
import type { OpeningCheckout } from '#shared/domain/checkouts/opening-checkout.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import type { Claim, SealedAnswer } from '#shared/domain/requests/idempotency.ts';
import type { OpeningVirtualAccount, VirtualAccount } from '#shared/domain/virtual-accounts/virtual-account.ts';

/** Counts a request in a bucket's window of this moment, and tells how many there are; undefined when that cannot be told at once. */
export type RequestCounter = (bucket: string, now: Millis) => Promise<number | undefined>;

/** What is stored before a live provider is called: seen by nobody, settled by the call's end or by the sweeper. */
export type Intent = OpeningVirtualAccount | OpeningCheckout;

/** What stands where an intent was written: the intent itself, or what became of it. */
export type IntentOutcome = Intent | VirtualAccount | Checkout;

export interface IntentStore {
  /**
   * Writes intents and the claim of their request's Idempotency-Key in one transaction. Where an earlier request with that key
   * has broken off, nothing is written and its claim is returned, to be taken over.
   * Throws AnsweredBefore, and the refusals idempotency_in_progress, idempotency_key_reused, duplicate_merchant_reference.
   */
  begin(intents: readonly Intent[], claim: Claim | undefined): Promise<'begun' | Claim>;
  /** Goes on in the place of a request that broke off, with these of its intents. Throws like `begin`. */
  takeOver(lapsed: Claim, claim: Claim, intents: readonly Intent[]): Promise<void>;
  /** What stands where an intent was written; undefined when it was dropped. */
  find(id: string): Promise<IntentOutcome | undefined>;
  /**
   * Writes what became of intents, and the answer, in one transaction. `stale`: somebody else settled one meanwhile.
   * `taken`: the provider gave this one the account of another one of ours; nothing was written.
   */
  settle(
    outcomes: readonly IntentSettled[],
    answer: SealedAnswer | undefined,
  ): Promise<'settled' | 'stale' | { readonly taken: string }>;
  /** Lets a retry with the same key take the claim over at once. */
  release(claim: Claim): Promise<void>;
}

/** An intent and what became of it. */
export interface IntentSettled {
  readonly before: Intent;
  readonly after: VirtualAccount | Checkout | OpeningCheckout | 'dropped';
}

export interface IdempotencyStore {
  /** The answer that still counts for a scope. */
  find(scope: string, now: Millis): Promise<SealedAnswer | undefined>;
  /** Keeps an answer. Throws AnsweredBefore when the scope holds one that has not expired. */
  keep(answer: SealedAnswer): Promise<void>;
}
