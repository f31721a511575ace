import * as z from 'zod/mini';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { millis, text } from '#shared/platform/kernel/schemas.ts';
import { DAY, type Millis, SECOND } from '#shared/platform/kernel/time.ts';

/** How long answers are stored (api-decisions.md section 1). */
export const IDEMPOTENCY_RETENTION = DAY;

/** One request opens an account at each of up to ten providers. */
const MAX_INTENTS = 10;

/** Identifies a request with an Idempotency-Key: each answer and each claim that is stored under the key names it. */
export const requestIdentity = z.object({
  /** The key, within who sent it and what they asked for. */
  scope: text,
  /** The single request, to distinguish a replay from the request's own answer. */
  requestId: text,
  /** A hash of what was sent: the same key with something else is another request. */
  fingerprint: text,
  createdAt: millis,
});
export type RequestIdentity = z.infer<typeof requestIdentity>;

/**
 * The claim of a request that is in progress on its Idempotency-Key: the request's intents, and the lease during which no retry may
 * take it over. It is written before a provider is called, so that a retry after a crash continues with the same intents
 * (architecture.md section 2).
 */
export const claim = z.extend(requestIdentity, {
  leaseUntil: millis,
  intents: z.array(text).check(z.maxLength(MAX_INTENTS)),
});
export type Claim = z.infer<typeof claim>;

/** A request with an Idempotency-Key, and the claim of an interrupted one under the key, which it continues. */
export interface KeyedRequest {
  readonly own: RequestIdentity;
  readonly lapsed: Claim | undefined;
}

/** When an answer expires. DynamoDB's TTL deletes late, so readers and writers check this. */
export const answerExpiresAt = (answer: Pick<RequestIdentity, 'createdAt'>): number =>
  answer.createdAt + IDEMPOTENCY_RETENTION;

/** Seconds. Longer waits help nobody: most requests that are still running end within it. */
const LONGEST_RETRY_AFTER = 5;

/**
 * The refusal of a request whose key another one is working under. It says to come back after as long as that one has run, at most five
 * seconds, and not when its lease ends: the lease is longer than any request runs.
 */
export const inProgress = ({ createdAt }: Pick<Claim, 'createdAt'>, now: Millis): ApiError => {
  const seconds = Math.ceil((now - createdAt) / SECOND);
  return new ApiError('idempotency_in_progress', {
    retryAfterSeconds: Math.min(LONGEST_RETRY_AFTER, Math.max(1, seconds)),
  });
};

/** The outcome when an earlier request was interrupted under the key: its claim may be taken over. */
export interface Interrupted {
  readonly kind: 'interrupted';
  readonly claim: Claim;
}

/**
 * What stands under a used key, for a request that comes with it: the answer of an equal request, to be replayed, or the claim of one
 * that was interrupted, to be continued.
 * @throws the refusals idempotency_in_progress, idempotency_key_reused.
 */
export const readUsedKey = <Stored extends RequestIdentity>(
  record: Stored | Claim,
  { fingerprint, createdAt }: Pick<RequestIdentity, 'fingerprint' | 'createdAt'>,
): { readonly kind: 'answered'; readonly answer: Stored } | Interrupted => {
  if (record.fingerprint !== fingerprint) throw new ApiError('idempotency_key_reused');
  if (!('leaseUntil' in record)) return { kind: 'answered', answer: record };
  if (record.leaseUntil > createdAt) throw inProgress(record, createdAt);
  return { kind: 'interrupted', claim: record };
};
