import type { StoredAnswer } from '#shared/platform/requests/ports.ts';

/** The largest answer that is stored. DynamoDB takes 400 KB an item; scope, fingerprint and keys are under a kilobyte of it. Bytes. */
export const MAX_ANSWER_BYTES = 300_000;

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
export const ensureStorable = (answer: StoredAnswer): StoredAnswer => {
  const bytes = Buffer.byteLength(answer.body);
  if (bytes > MAX_ANSWER_BYTES) throw new AnswerTooLarge(bytes);
  return answer;
};
