import * as z from 'zod/mini';
import { text } from '#shared/platform/kernel/schemas.ts';
import { unixSeconds } from '#shared/platform/kernel/time.ts';
import {
  answerExpiresAt,
  type Claim,
  claim,
  IDEMPOTENCY_RETENTION,
  type Interrupted,
  inProgress,
  type RequestIdentity,
  readUsedKey,
  requestIdentity,
} from '#shared/platform/requests/idempotency.ts';
import type { Answered, StoredAnswer } from '#shared/platform/requests/ports.ts';
import { answerKey } from './keys.ts';
import type { Item } from './table.ts';
import type { Write } from './transact.ts';

/* Keeps the record of an Idempotency-Key in the table: first the claim of the request in progress, then its answer in the claim's place. */

export const storedAnswer = z.extend(requestIdentity, { status: z.int(), body: text });
export const keyRecord = z.union([claim, storedAnswer]);

/** Makes the item of a claim, under the same key as the answer that replaces it. */
export const claimItem = (claim: Claim) => ({
  ...claim,
  ...answerKey(claim.scope),
  ttl: unixSeconds(answerExpiresAt(claim)),
});

/**
 * Parses the record that a request found under its key: an answer to replay, or an interrupted request to continue.
 * @throws ApiError `idempotency_in_progress`, `idempotency_key_reused`.
 */
export const parseUsedKey = (
  existing: Item | undefined,
  request: Pick<RequestIdentity, 'fingerprint' | 'createdAt'>,
): Answered | Interrupted => readUsedKey(keyRecord.parse(existing), request);

/**
 * Parses the same record for a request that cannot continue an interrupted one: here an interrupted request counts as in progress.
 * @throws as parseUsedKey does.
 */
export const parseAnsweredKey = (
  existing: Item | undefined,
  request: Pick<RequestIdentity, 'fingerprint' | 'createdAt'>,
): Answered => {
  const used = parseUsedKey(existing, request);
  if (used.kind === 'interrupted') throw inProgress(used.claim, request.createdAt);
  return used;
};

/** Makes the write that stores an answer. It succeeds if the key has no record, an expired record, or the claim of the same request. */
export const answerWrite = (answer: StoredAnswer): Write<Answered> => ({
  put: { ...answer, ...answerKey(answer.scope), ttl: unixSeconds(answerExpiresAt(answer)) },
  when: {
    expression:
      'attribute_not_exists(pk) OR createdAt <= :expired OR (attribute_exists(leaseUntil) AND requestId = :request)',
    values: { ':expired': answer.createdAt - IDEMPOTENCY_RETENTION, ':request': answer.requestId },
  },
  otherwise: (existing) => parseAnsweredKey(existing, answer),
});
