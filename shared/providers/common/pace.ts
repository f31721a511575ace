import type { Millis } from '#shared/platform/kernel/time.ts';
import type { ProviderHttp } from './http.ts';

/**
 * Starts calls at least `gap` milliseconds apart. A pause does not allow several calls at once afterwards: other containers may call at the same
 * time, each at its own pace, and their bursts would add up.
 */
export const paceHttp = (
  http: ProviderHttp,
  gap: number,
  { now, wait }: { now: () => Millis; wait: (milliseconds: number) => Promise<void> },
): ProviderHttp => {
  let next = Number.NEGATIVE_INFINITY;
  return async (request) => {
    const begin = Math.max(next, now());
    next = begin + gap;
    if (begin > now()) await wait(begin - now());
    return http(request);
  };
};
