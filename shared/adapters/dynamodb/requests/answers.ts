import { answerKey } from '#shared/adapters/dynamodb/table/keys.ts';
import type { Item } from '#shared/adapters/dynamodb/table/table.ts';
import type { Write } from '#shared/adapters/dynamodb/table/transact.ts';
import { unixSeconds } from '#shared/domain/kernel/time.ts';
import {
  answerExpiresAt,
  type Claim,
  IDEMPOTENCY_RETENTION,
  inProgress,
  keyRecord,
  leftUnderKey,
  type SealedAnswer,
} from '#shared/domain/requests/idempotency.ts';

/* What is stored under an Idempotency-Key: the claim of a request that is in progress, then its answer. */

/** A claim as an item, in the place of the answer that follows. */
export const claimItem = (claimed: Claim) => ({
  ...claimed,
  ...answerKey(claimed.scope),
  ttl: unixSeconds(answerExpiresAt(claimed)),
});

/**
 * Throws why a request cannot write under its Idempotency-Key: what leftUnderKey throws, or idempotency_in_progress for the claim of
 * another request that has taken it.
 */
export const throwKeyUsed = (
  existing: Item | undefined,
  request: Pick<SealedAnswer, 'fingerprint' | 'createdAt'>,
): never => {
  throw inProgress(leftUnderKey(keyRecord.parse(existing), request), request.createdAt);
};

/**
 * Stores an answer, in place of its own request's claim if there is one. When another answer that has not expired is stored, the
 * whole transaction fails with AnsweredBefore; while another request is in progress, with idempotency_in_progress.
 */
export const answerWrite = (answer: SealedAnswer): Write<never> => ({
  put: { ...answer, ...answerKey(answer.scope), ttl: unixSeconds(answerExpiresAt(answer)) },
  when: {
    expression:
      'attribute_not_exists(pk) OR createdAt <= :expired OR (attribute_exists(leaseUntil) AND requestId = :request)',
    values: { ':expired': answer.createdAt - IDEMPOTENCY_RETENTION, ':request': answer.requestId },
  },
  otherwise: (existing: Item | undefined) => throwKeyUsed(existing, answer),
});
