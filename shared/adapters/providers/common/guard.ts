import { ProviderUnavailable } from '#shared/ports.ts';
import type { ProviderHttp } from './http.ts';

/** Calls under way at once to one provider, from one container. */
const ABREAST = 8;
/** Failures in a row after which a provider counts as down. */
const FAILURES = 5;
/** Milliseconds during which one that is down is not asked; then a single call tries it. */
const REST_MS = 30_000;

/** Lets so many in at once; the others wait in line. */
const turnstile = (places: number) => {
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
 * Keeps a provider from being hammered (architecture.md section 6): bounds the calls under way, and while it is down lets a
 * single call through every 30 s. The others fail at once with ProviderUnavailable: they were not sent.
 */
export const guarded = (http: ProviderHttp, now: () => number): ProviderHttp => {
  const { enter, leave } = turnstile(ABREAST);
  let failures = 0;
  let restsUntil = 0;

  const ensureUp = (): void => {
    if (failures < FAILURES) return;
    if (now() < restsUntil) throw new ProviderUnavailable('It has been failing and is asked again in a moment.');
    // This call tries it; the others go on waiting.
    restsUntil = now() + REST_MS;
  };
  const ask: ProviderHttp = async (request) => {
    try {
      const answer = await http(request);
      failures = 0;
      return answer;
    } catch (error) {
      failures += 1;
      restsUntil = now() + REST_MS;
      throw error;
    }
  };
  return async (request) => {
    await enter();
    try {
      ensureUp();
      return await ask(request);
    } finally {
      leave();
    }
  };
};
