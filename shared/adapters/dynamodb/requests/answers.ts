import { answerKey } from '#shared/adapters/dynamodb/table/keys.ts';
import type { Item } from '#shared/adapters/dynamodb/table/table.ts';
import type { Write } from '#shared/adapters/dynamodb/table/transact.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { type Millis, SECOND, unixSeconds } from '#shared/domain/kernel/time.ts';
import {
  AnsweredBefore,
  answerExpiresAt,
  type Claim,
  claim,
  IDEMPOTENCY_RETENTION,
  type SealedAnswer,
  sealedAnswer,
} from '#shared/domain/requests/idempotency.ts';

/* What is stored under an Idempotency-Key: the claim of a request that is in progress, then its answer. */

/** A claim as an item, in the place of the answer that follows. */
export const claimItem = (claimed: Claim) => ({
  ...claimed,
  ...answerKey(claimed.scope),
  ttl: unixSeconds(answerExpiresAt(claimed)),
});

/**
 * Throws the reason why an Idempotency-Key cannot be used: AnsweredBefore with the stored answer, or idempotency_in_progress while
 * the claim's lease runs.
 */
export const throwKeyUsed = (existing: Item | undefined, now: Millis): never => {
  const { success, data } = claim.safeParse(existing);
  if (!success) throw new AnsweredBefore(sealedAnswer.parse(existing));
  const retryAfterSeconds = Math.max(1, Math.ceil((data.leaseUntil - now) / SECOND));
  throw new Refusal('idempotency_in_progress', { retryAfterSeconds });
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
  otherwise: (existing: Item | undefined) => throwKeyUsed(existing, answer.createdAt),
});
