import type { StoredAnswer } from '#shared/platform/requests/ports.ts';

/** The largest answer that is stored, in bytes. DynamoDB takes 400 KB an item; scope, fingerprint and keys take less than a kilobyte. */
export const MAX_ANSWER_BYTES = 300_000;

/** An answer is too large to be stored: a bug of ours, because every answer under an Idempotency-Key must be bounded. */
export class AnswerTooLarge extends Error {
  constructor(bytes: number) {
    super(`An answer of ${bytes} bytes cannot be kept under an Idempotency-Key.`);
    this.name = 'AnswerTooLarge';
  }
}

/**
 * Returns the answer if it can be stored. This is checked before the request changes anything. Otherwise a change could be stored while its
 * answer cannot be.
 * @throws AnswerTooLarge
 */
export const ensureStorable = (answer: StoredAnswer): StoredAnswer => {
  const bytes = Buffer.byteLength(answer.body);
  if (bytes > MAX_ANSWER_BYTES) throw new AnswerTooLarge(bytes);
  return answer;
};
