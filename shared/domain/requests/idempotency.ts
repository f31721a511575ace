import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { type FieldError, Refusal } from '#shared/domain/kernel/errors.ts';
import { millis, text } from '#shared/domain/kernel/schemas.ts';
import type { Asker, Tenant } from '#shared/domain/kernel/tenant.ts';
import { DAY, type Millis, SECOND } from '#shared/domain/kernel/time.ts';

/** How long answers are stored (api-decisions.md section 1). */
export const IDEMPOTENCY_RETENTION = DAY;

/** The largest answer that is stored. DynamoDB takes 400 KB an item; scope, fingerprint and keys are under a kilobyte of it. Bytes. */
export const MAX_ANSWER_BYTES = 300_000;

/** One request opens an account at each of up to ten providers. */
const MAX_INTENTS = 10;

/** The answer that an Idempotency-Key replays, and the fingerprint of its request. */
export const sealedAnswer = z.object({
  scope: text,
  /** The request that was answered, to distinguish a replay from the request's own answer. */
  requestId: text,
  fingerprint: text,
  status: z.int(),
  body: text,
  createdAt: millis,
});
export type SealedAnswer = z.infer<typeof sealedAnswer>;

/**
 * The claim of a request that is in progress on its Idempotency-Key: the request's intents, and the lease during which no retry may
 * take it over. It is written before a provider is called, so that a retry after a crash continues with the same intents
 * (architecture.md section 2).
 */
export const claim = z.extend(
  z.pick(sealedAnswer, { scope: true, requestId: true, fingerprint: true, createdAt: true }),
  { leaseUntil: millis, intents: z.array(text).check(z.maxLength(MAX_INTENTS)) },
);
export type Claim = z.infer<typeof claim>;

/** What stands under a used Idempotency-Key: the answer, or the claim of a request that has none yet. */
export const keyRecord = z.union([claim, sealedAnswer]);
export type KeyRecord = z.infer<typeof keyRecord>;

/** A request with an Idempotency-Key: its own part of a claim, and the claim of an interrupted one under the key, which it continues. */
export interface KeyedRequest {
  readonly own: Pick<SealedAnswer, 'scope' | 'requestId' | 'fingerprint' | 'createdAt'>;
  readonly lapsed: Claim | undefined;
}

/** When an answer expires. DynamoDB's TTL deletes late, so readers and writers check this. */
export const answerExpiresAt = (answer: Pick<SealedAnswer, 'createdAt'>): number =>
  answer.createdAt + IDEMPOTENCY_RETENTION;

/** Another request with the same key was answered first: its answer is replayed, and nothing of this request was written. */
export class AnsweredBefore extends Error {
  readonly answer: SealedAnswer;

  constructor(answer: SealedAnswer) {
    super('This Idempotency-Key was answered before.');
    this.name = 'AnsweredBefore';
    this.answer = answer;
  }
}

/** Seconds. Longer waits help nobody: most requests that are still running end within it. */
const LONGEST_RETRY_AFTER = 5;

/**
 * The refusal of a request whose key another one is working under. It says to come back after as long as that one has run, at most five
 * seconds, and not when its lease ends: the lease is longer than any request runs.
 */
export const inProgress = ({ createdAt }: Pick<Claim, 'createdAt'>, now: Millis): Refusal => {
  const seconds = Math.ceil((now - createdAt) / SECOND);
  return new Refusal('idempotency_in_progress', {
    retryAfterSeconds: Math.min(LONGEST_RETRY_AFTER, Math.max(1, seconds)),
  });
};

/**
 * The claim that stands under a used key, of an earlier request that was interrupted: this one may continue it.
 * @throws AnsweredBefore; the refusals idempotency_in_progress, idempotency_key_reused.
 */
export const leftUnderKey = (
  record: KeyRecord,
  { fingerprint, createdAt }: Pick<SealedAnswer, 'fingerprint' | 'createdAt'>,
): Claim => {
  if (record.fingerprint !== fingerprint) throw new Refusal('idempotency_key_reused');
  if (!('leaseUntil' in record)) throw new AnsweredBefore(record);
  if (record.leaseUntil > createdAt) throw inProgress(record, createdAt);
  return record;
};

/** An answer that is too large to be stored: a fault of ours, since what is answered under an Idempotency-Key must be bounded. */
export class AnswerTooLarge extends Error {
  constructor(bytes: number) {
    super(`An answer of ${bytes} bytes cannot be kept under an Idempotency-Key.`);
    this.name = 'AnswerTooLarge';
  }
}

/**
 * Returns the answer if it can be stored. Checked before the effect is written, so that no request has an effect without its answer.
 * @throws AnswerTooLarge
 */
export const storable = (answer: SealedAnswer): SealedAnswer => {
  const bytes = Buffer.byteLength(answer.body);
  if (bytes > MAX_ANSWER_BYTES) throw new AnswerTooLarge(bytes);
  return answer;
};

const BARE = /^[\x21\x23-\x2b\x2d-\x7e]{1,255}$/;
const QUOTED = /^"([\x21\x23-\x7e]{1,255})"$/;

/**
 * The key of an Idempotency-Key header, or undefined: 1–255 visible ASCII characters, bare or quoted as in the IETF draft.
 * No comma in a bare key: that is what two headers look like once API Gateway has joined them.
 */
export const parseIdempotencyKey = (header: string): string | undefined =>
  QUOTED.exec(header)?.[1] ?? (BARE.test(header) ? header : undefined);

/** What is wrong with a header that `parseIdempotencyKey` does not take. */
export const WRONG_IDEMPOTENCY_KEY: FieldError = {
  field: 'Idempotency-Key',
  message: 'Idempotency-Key must be sent once and hold 1 to 255 visible ASCII characters without a comma.',
};

/**
 * The scope of a key: one business, mode, kind of API key, method and path. Under a public key, which strangers share, also one address
 * block: so a browser's Idempotency-Key collides with none of a server or of a browser elsewhere. Hashed to bound its length.
 */
export const idempotencyScope = (
  request: Tenant & Asker & { readonly method: string; readonly path: string; readonly key: string },
): string => {
  const { businessId, mode, kind, addressBlock, method, path, key } = request;
  const asker = kind === 'public' ? [kind, addressBlock] : [kind];
  return createHash('sha256')
    .update(JSON.stringify([businessId, mode, ...asker, method, path, key]))
    .digest('hex');
};

/** A keyed hash of query and body. Keyed, because the plain hash of a body with a BVN could be guessed. */
export const requestFingerprint = (secret: string, query: string, body: Uint8Array): string =>
  createHmac('sha256', secret).update(`request\n${query}\n`).update(body).digest('hex');
