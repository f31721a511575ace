import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { Runtime } from '#shared/ports/kernel.ts';

/**
 * What one attempt came to. `conflict`: something that it was decided on has changed. `continue`: it was recorded, and there is
 * more to record.
 */
export type CommitResult<T> = { readonly done: T } | 'conflict' | 'continue';

/** Conflicts before it gives up: some seconds with the pauses. */
const MAX_ATTEMPTS = 30;

/**
 * The one loop in which something is decided on what was read and committed if that still holds, money first of all: an attempt reads everything, decides and commits one transaction; after a conflict it
 * starts over. Do not call it within an attempt. DynamoDB's own transient refusals are retried below it, with the same request and token
 * (transact.ts); when those outlast their retries the error ends this loop.
 * @throws service_unavailable when rivals were faster every time; whatever an attempt throws.
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
