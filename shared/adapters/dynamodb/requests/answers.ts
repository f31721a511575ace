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

export const claimItem = (claimed: Claim) => ({
  ...claimed,
  ...answerKey(claimed.scope),
  ttl: unixSeconds(answerExpiresAt(claimed)),
});

/** What stands under an Idempotency-Key, as the reason why another request cannot go on: its answer, or that it is at work. */
export const usedBefore = (existing: Item | undefined, now: Millis): never => {
  const { success, data } = claim.safeParse(existing);
  if (!success) throw new AnsweredBefore(sealedAnswer.parse(existing));
  const retryAfterSeconds = Math.max(1, Math.ceil((data.leaseUntil - now) / SECOND));
  throw new Refusal('idempotency_in_progress', { retryAfterSeconds });
};

/**
 * Keeps an answer, in the place of its own request's claim where there is one. When another answer that still counts is
 * there the whole transaction fails with AnsweredBefore; when another request is at work, with idempotency_in_progress.
 */
export const answerWrite = (answer: SealedAnswer): Write<never> => ({
  put: { ...answer, ...answerKey(answer.scope), ttl: unixSeconds(answerExpiresAt(answer)) },
  when: {
    expression:
      'attribute_not_exists(pk) OR createdAt <= :outdated OR (attribute_exists(leaseUntil) AND requestId = :request)',
    values: { ':outdated': answer.createdAt - IDEMPOTENCY_RETENTION, ':request': answer.requestId },
  },
  otherwise: (existing: Item | undefined) => usedBefore(existing, answer.createdAt),
});
