import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { ProviderBusy, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import type { SharedBreaker } from './breaker.ts';
import type { ProviderHttp } from './http.ts';

/** Limit of concurrent calls of one kind to one provider, from one container. */
export const MAX_CONCURRENT_CALLS = 8;

/** Longest time, in milliseconds, that a call waits for the end of a provider's limit. If the limit lasts longer, the call fails at once. */
const LONGEST_WAIT = 2 * SECOND;

/** Admits `places` calls at once; the others queue. */
const semaphore = (places: number) => {
  const queue: (() => void)[] = [];
  let free = places;
  return {
    enter: async (): Promise<void> => {
      if (free > 0) free -= 1;
      // A call that leaves gives its place to the next one.
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
 * Protects a provider from overload by one kind of calls. The guard limits concurrent calls. While the breaker is open, all containers together may
 * make one call every 30 s. After a 429 the guard admits no call until the provider takes requests again. A call that meets this limit, or gets
 * the 429 itself, fails if the limit lasts longer than two seconds. Otherwise it waits for the end of the limit and is tried a second time, which is
 * the last.
 * @throws ProviderUnavailable or ProviderBusy if the call was not admitted and so not sent, and the errors of `http`.
 */
export const guardHttp = (
  http: ProviderHttp,
  breaker: SharedBreaker,
  { now, wait }: Pick<Runtime, 'now' | 'wait'>,
): ProviderHttp => {
  const { enter, leave } = semaphore(MAX_CONCURRENT_CALLS);
  const call: ProviderHttp = async (request) => {
    // Not reported to the breaker: the call waited for other calls of this container, so the provider is not to blame.
    if (request.until !== undefined && request.until <= now())
      throw new ProviderUnavailable('The request waited too long and was not sent.');
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
      // Last, so that the breaker knows this call's result before the next call begins.
      leave();
    }
  };
};
