import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { Runtime } from '#shared/ports/kernel.ts';

/**
 * The outcome of one attempt. `conflict`: what it was decided on has changed. `continue`: it was recorded, and there is more to record.
 */
export type CommitResult<T> = { readonly done: T } | 'conflict' | 'continue';

/** Conflicts before it gives up: some seconds, with the pauses. */
const MAX_ATTEMPTS = 30;

/**
 * The loop of optimistic locking, for money above all: an attempt reads everything, decides, and commits one transaction; after a conflict
 * the next one starts over, after a pause. Do not call it within an attempt. Transient errors of DynamoDB are retried below it, with the
 * same request and token (transact.ts); one that outlasts its retries ends this loop.
 * @throws service_unavailable when every attempt met a conflict; whatever an attempt throws.
 */
export const untilCommitted = async <T>(
  { pause }: Pick<Runtime, 'pause'>,
  attempt: () => Promise<CommitResult<T>>,
): Promise<T> => {
  for (let conflicts = 0; conflicts < MAX_ATTEMPTS; ) {
    const outcome = await attempt();
    if (typeof outcome === 'object') return outcome.done;
    if (outcome === 'conflict') {
      conflicts += 1;
      await pause(conflicts);
    }
  }
  throw new Refusal('service_unavailable', { retryAfterSeconds: 1 });
};
