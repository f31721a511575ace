import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { ProviderBusy, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import type { SharedBreaker } from './breaker.ts';
import type { ProviderHttp } from './http.ts';

/** Concurrent calls of one kind to one provider, from one container. */
export const MAX_CONCURRENT_CALLS = 8;

/** A limit that ends within this is waited for; a longer one is reported to the caller at once. Milliseconds. */
const LONGEST_WAIT = 2 * SECOND;

/** Admits `places` calls at once; the others queue. */
const semaphore = (places: number) => {
  const queue: (() => void)[] = [];
  let free = places;
  return {
    enter: async (): Promise<void> => {
      if (free > 0) free -= 1;
      // A call that leaves passes its place on.
      else await new Promise<void>((resolve) => queue.push(resolve));
    },
    leave: (): void => {
      const next = queue.shift();
      if (next) next();
      else free += 1;
    },
  };
};

/**
 * Protects a provider from overload by one kind of calls (architecture.md section 6): limits concurrent calls; while the provider is
 * suspended admits a single call of all containers every 30 s; and after a 429 admits none until the provider takes requests again.
 * A short limit is waited for, once. The calls that are not admitted fail with ProviderUnavailable or ProviderBusy; they were not sent.
 */
export const guardHttp = (
  http: ProviderHttp,
  breaker: SharedBreaker,
  { now, wait }: Pick<Runtime, 'now' | 'wait'>,
): ProviderHttp => {
  const { enter, leave } = semaphore(MAX_CONCURRENT_CALLS);
  const call: ProviderHttp = async (request) => {
    // It waited for others, and says nothing of the provider.
    if (request.until !== undefined && request.until <= now()) throw new ProviderUnavailable('Its time is over.');
    await breaker.admit();
    let answer: Awaited<ReturnType<ProviderHttp>>;
    try {
      answer = await http(request);
    } catch (error) {
      if (error instanceof ProviderBusy) {
        // A 429 is an answer: the provider is up, and we are too fast.
        await breaker.recordAnswer();
        await breaker.recordLimit(error.waitMs);
      } else await breaker.recordFailure();
      throw error;
    }
    await breaker.recordAnswer();
    return answer;
  };
  return async (request) => {
    await enter();
    try {
      return await call(request).catch(async (error: unknown) => {
        if (!(error instanceof ProviderBusy) || error.waitMs > LONGEST_WAIT) throw error;
        await wait(error.waitMs);
        return call(request);
      });
    } finally {
      // Last, so that the next call sees what this one has reported to the breaker.
      leave();
    }
  };
};
