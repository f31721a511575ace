import type { SharedBreaker } from './breaker.ts';
import type { ProviderHttp } from './http.ts';

/** Concurrent calls to one provider, from one container. */
export const MAX_CONCURRENT_CALLS = 8;

/** Admits so many at once; the others queue. */
const semaphore = (places: number) => {
  const queue: (() => void)[] = [];
  let free = places;
  return {
    enter: async (): Promise<void> => {
      if (free > 0) free -= 1;
      // Whoever leaves passes the place on.
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
 * Protects a provider from overload (architecture.md section 6): limits concurrent calls, and while it is suspended admits a single
 * call of all containers every 30 s. The others fail at once with ProviderUnavailable; they were not sent.
 */
export const guarded = (http: ProviderHttp, breaker: SharedBreaker): ProviderHttp => {
  const { enter, leave } = semaphore(MAX_CONCURRENT_CALLS);
  const call: ProviderHttp = async (request) => {
    let answer: Awaited<ReturnType<ProviderHttp>>;
    try {
      answer = await http(request);
    } catch (error) {
      await breaker.failed();
      throw error;
    }
    await breaker.answered();
    return answer;
  };
  return async (request) => {
    await enter();
    try {
      await breaker.admit();
      return await call(request);
    } finally {
      // Last, so that the next call sees what this one has reported to the breaker.
      leave();
    }
  };
};
