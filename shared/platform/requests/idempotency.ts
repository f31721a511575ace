import * as z from 'zod/mini';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { millis, text } from '#shared/platform/kernel/schemas.ts';
import { DAY, type Millis, SECOND } from '#shared/platform/kernel/time.ts';

/** The time for which answers are stored. */
export const IDEMPOTENCY_RETENTION = DAY;

/** The most intents of a request: it opens an account at each of up to ten providers. */
const MAX_INTENTS = 10;

/** Identifies a request with an Idempotency-Key. Each answer and each claim under the key contains it. */
export const requestIdentity = z.object({
  /** The key within its scope: the caller and the endpoint. */
  scope: text,
  /** The id of the single request, which distinguishes a replay from the request's own answer. */
  requestId: text,
  /** A hash of the request. The same key with different content is another request. */
  fingerprint: text,
  createdAt: millis,
});
export type RequestIdentity = z.infer<typeof requestIdentity>;

/**
 * The claim that a request in progress has on its Idempotency-Key: its intents, and the lease during which no retry may take it over. The
 * claim is written before a provider is called, so that a retry after a crash continues with the same intents.
 */
export const claim = z.extend(requestIdentity, {
  leaseUntil: millis,
  intents: z.array(text).check(z.maxLength(MAX_INTENTS)),
});
export type Claim = z.infer<typeof claim>;

/** A request with an Idempotency-Key. `lapsed`: the claim of an interrupted request under the same key, which this request continues. */
export interface KeyedRequest {
  readonly own: RequestIdentity;
  readonly lapsed: Claim | undefined;
}

/** Returns the time at which an answer expires. DynamoDB's TTL deletes late, so readers and writers check this time. */
export const answerExpiresAt = (answer: Pick<RequestIdentity, 'createdAt'>): number =>
  answer.createdAt + IDEMPOTENCY_RETENTION;

/** The longest wait that the error of `inProgress` asks for, in seconds. Most requests in progress end within it. */
const LONGEST_RETRY_AFTER = 5;

/**
 * Makes the error of a request if another request is using its key. The caller should wait for as long as the other request has run so far,
 * at least one second and at most five. The other request's lease does not count, because it is longer than any request runs.
 */
export const inProgress = ({ createdAt }: Pick<Claim, 'createdAt'>, now: Millis): ApiError => {
  const seconds = Math.ceil((now - createdAt) / SECOND);
  return new ApiError('idempotency_in_progress', {
    retryAfterSeconds: Math.min(LONGEST_RETRY_AFTER, Math.max(1, seconds)),
  });
};

/** The outcome if an earlier request was interrupted under the key: its claim may be taken over. */
export interface Interrupted {
  readonly kind: 'interrupted';
  readonly claim: Claim;
}

/**
 * Decides how a request goes on if its key is in use: it replays the answer of an equal request, or continues the claim of an interrupted
 * one.
 * @throws ApiError `idempotency_in_progress` while the lease of the claim lasts; `idempotency_key_reused` if the other request was not
 * equal.
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
