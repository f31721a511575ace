import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Runtime } from './ports.ts';

/**
 * The outcome of one attempt. `conflict`: items that it read have changed before it could write. `continue`: the attempt was recorded, and
 * there is more to record.
 */
export type CommitResult<T> = { readonly done: T } | 'conflict' | 'continue';

/** The number of conflicts after which a loop gives up, and the error that it throws then. */
export interface GiveUp {
  readonly after: number;
  readonly error: () => ApiError;
}

/** For money, which must be recorded: some seconds with the pauses, then service_unavailable. */
export const PERSISTENT: GiveUp = {
  after: 30,
  error: () => new ApiError('service_unavailable', { retryAfterSeconds: 1 }),
};

/** For changes that a client should send one after the other: about a second, then `rate_limited`, because that is not our failure. */
export const GIVE_UP_SOON: GiveUp = {
  after: 10,
  error: () =>
    new ApiError('rate_limited', {
      message: 'Too many requests change this at once. Send them one after the other, and try again in 1 s.',
      retryAfterSeconds: 1,
    }),
};

/**
 * Repeats an attempt until it is committed: the loop of optimistic locking, above all for money. An attempt reads everything, decides, and
 * commits one transaction. After a conflict and a pause the next attempt starts over. Do not call this loop within an attempt. Transient
 * errors of DynamoDB are retried below the loop, with the same request and token (transact.ts); an error that outlasts these retries ends the
 * loop.
 * @throws the error of `giveUp`, by default service_unavailable, if every attempt met a conflict; any error of an attempt.
 */
export const untilCommitted = async <T>(
  { pause }: Pick<Runtime, 'pause'>,
  attempt: () => Promise<CommitResult<T>>,
  giveUp: GiveUp = PERSISTENT,
): Promise<T> => {
  for (let conflicts = 0; conflicts < giveUp.after; ) {
    const outcome = await attempt();
    if (typeof outcome === 'object') return outcome.done;
    if (outcome === 'conflict') {
      conflicts += 1;
      await pause(conflicts);
    }
  }
  throw giveUp.error();
};
