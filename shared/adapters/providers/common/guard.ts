import type { SharedBreaker } from './breaker.ts';
import type { ProviderHttp } from './http.ts';

/** Calls under way at once to one provider, from one container. */
export const MAX_CONCURRENT_CALLS = 8;

/** Lets so many in at once; the others wait in line. */
const semaphore = (places: number) => {
  const line: (() => void)[] = [];
  let free = places;
  return {
    enter: async (): Promise<void> => {
      if (free > 0) free -= 1;
      // Whoever leaves hands over the place.
      else await new Promise<void>((resolve) => line.push(resolve));
    },
    leave: (): void => {
      const next = line.shift();
      if (next) next();
      else free += 1;
    },
  };
};

/**
 * Keeps a provider from being hammered (architecture.md section 6): bounds the calls under way, and while it is down lets a single
 * call of all containers through every 30 s. The others fail at once with ProviderUnavailable: they were not sent.
 */
export const guarded = (http: ProviderHttp, breaker: SharedBreaker): ProviderHttp => {
  const { enter, leave } = semaphore(MAX_CONCURRENT_CALLS);
  const ask: ProviderHttp = async (request) => {
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
      return await ask(request);
    } finally {
      // Only now: whoever takes the place knows what this call has learned.
      leave();
    }
  };
};
