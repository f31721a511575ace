import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Claim, RequestIdentity } from './idempotency.ts';
import type { RateLimit, RateLimitUse } from './rate-limit.ts';
import type { ReferenceHeld } from './reference-held.ts';

/** Counts a request against a rate limit in the current window. Never throws. */
export type RequestCounter = (rateLimit: RateLimit, now: Millis) => Promise<RateLimitUse>;

/** The answer that an Idempotency-Key replays. */
export interface StoredAnswer extends RequestIdentity {
  readonly status: number;
  readonly body: string;
}

/** The outcome if an equal request with the same Idempotency-Key was answered first: its answer is replayed, and nothing was written. */
export interface Answered {
  readonly kind: 'answered';
  readonly answer: StoredAnswer;
}

/** The reason why nothing of a transaction was written. `taken`: the id of the new virtual account, if somebody else has its account number. */
export type NotCommitted = 'conflict' | 'number_taken' | { readonly taken: string } | ReferenceHeld;

/** A write of a transaction, as a store makes it. Only `Transactions` reads it. */
export interface Write {
  readonly otherwise?: ((existing: never) => NotCommitted) | undefined;
}

export interface Transactions {
  /**
   * Writes all or nothing, with the answer to the request that caused it. The write of the answer comes first. So a repeated request gets
   * its first answer, even if other conditions no longer hold. @throws ApiError `idempotency_in_progress`, `idempotency_key_reused`.
   */
  commit(writes: readonly Write[], answer?: StoredAnswer): Promise<'committed' | NotCommitted | Answered>;
}

export interface IdempotencyStore {
  /** Finds the record of a scope: an answer or a claim. Undefined if there is none, or it has expired. */
  find(scope: string, now: Millis): Promise<StoredAnswer | Claim | undefined>;
}
