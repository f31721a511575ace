import type { Transition } from '#shared/platform/kernel/transition.ts';
import type { Delivery } from '#shared/webhooks/domain/delivery.ts';
import type { World } from '#test/support/worlds/world.ts';
import { Crashed, never, startProcess } from './crashes.ts';

/** The steps at which a consumer may be killed. */
export const KILLS = [
  'before the lease',
  'after the lease',
  'after the POST',
  'before the result is written',
  'after the result is written',
  'before the queue send',
  'before the breaker is written',
] as const;
export type Kill = (typeof KILLS)[number];

export interface Posted {
  readonly eventId: string;
  readonly endpointId: string;
  /** The number of the attempt, from the lease. The receiver cannot see this number. */
  readonly attempt: number;
  readonly statusCode: number | null;
}

/** The record of one consumer's life. */
export interface Life {
  readonly posted: Posted[];
  /** Whether the consumer posted and the result was never written, because the consumer was killed or the table failed for good. */
  unrecorded: boolean;
  /** The reason why the consumer did not finish: a kill, or an error of the use case. */
  failure?: unknown;
}

/**
 * Runs work with the given dependencies until it ends or is killed at `kill`. A kill is a dependency that never answers, so the use case
 * never continues. The caller sees an error, as SQS does when no answer comes.
 */
export const live = async (
  deps: World['deps'],
  kill: Kill | undefined,
  work: (crashingDeps: World['deps']) => Promise<void>,
): Promise<Life> => {
  const life: Life = { posted: [], unrecorded: false };
  let leased: Delivery | undefined;
  const process = startProcess((step) => step === kill);
  const dieAt = async (step: Kill): Promise<void> => {
    if (process.isOver(step)) await never();
  };
  const isLease = ({ set }: Transition<Delivery>): boolean => set.state === 'delivering';
  const isResult = ({ set }: Transition<Delivery>): boolean => set.lastAttempt !== undefined;

  const crashingDeps: World['deps'] = {
    ...deps,
    deliveries: {
      ...deps.deliveries,
      apply: async (at, transition) => {
        if (isLease(transition)) await dieAt('before the lease');
        if (isResult(transition)) await dieAt('before the result is written');
        const after = await deps.deliveries.apply(at, transition);
        if (isLease(transition)) {
          leased = after;
          await dieAt('after the lease');
        }
        if (isResult(transition)) {
          life.unrecorded = false;
          await dieAt('after the result is written');
        }
        return after;
      },
    },
    post: async (request) => {
      if (!leased) throw new Error('A POST without a lease.');
      const { eventId, endpointId, attempt } = leased;
      life.unrecorded = true;
      const answer = await deps.post(request);
      life.posted.push({ eventId, endpointId, attempt, statusCode: answer.statusCode });
      await dieAt('after the POST');
      return answer;
    },
    queue: {
      send: async (...args) => {
        await dieAt('before the queue send');
        await deps.queue.send(...args);
      },
    },
    breakers: {
      ...deps.breakers,
      save: async (after) => {
        await dieAt('before the breaker is written');
        return deps.breakers.save(after);
      },
    },
  };
  try {
    await process.run(work(crashingDeps));
  } catch (error) {
    life.failure = error;
  }
  return life;
};

/**
 * Runs work that makes no attempts, such as a sweep or an API call, until it ends or is killed at its write or send number `writes`.
 * Returns the result of the work, or undefined if the work was killed.
 */
export const liveUntil = async <T>(
  deps: World['deps'],
  writes: number,
  work: (crashingDeps: World['deps']) => Promise<T>,
): Promise<{ readonly result: T } | undefined> => {
  let left = writes;
  const process = startProcess(() => {
    left -= 1;
    return left <= 0;
  });
  const mayCrash =
    <Args extends unknown[], R>(write: (...args: Args) => Promise<R>) =>
    async (...args: Args): Promise<R> =>
      process.isOver('a write') ? never() : write(...args);
  const { deliveries, breakers, queue, transactions } = deps;
  const running = work({
    ...deps,
    deliveries: {
      ...deliveries,
      apply: mayCrash(deliveries.apply),
      saveAttempt: mayCrash(deliveries.saveAttempt),
    },
    breakers: { ...breakers, save: mayCrash(breakers.save) },
    transactions: { commit: mayCrash(transactions.commit) },
    queue: { send: mayCrash(queue.send) },
  });
  try {
    return { result: await process.run(running) };
  } catch (error) {
    if (error instanceof Crashed) return undefined;
    throw error;
  }
};
