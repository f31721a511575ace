import type { Millis } from '#shared/platform/kernel/time.ts';
import type { ProviderHttp } from './http.ts';

/** Calls that may begin at once after a pause: those of one batch of the consumer of money work. */
const AT_ONCE = 5;

/** Has calls begin one every `gap` milliseconds, the first few at once. So many containers together stay below what a provider takes a second. */
export const paced = (
  http: ProviderHttp,
  gap: number,
  { now, wait }: { now: () => Millis; wait: (milliseconds: number) => Promise<void> },
): ProviderHttp => {
  let next = Number.NEGATIVE_INFINITY;
  return async (request) => {
    const begin = Math.max(next, now() - (AT_ONCE - 1) * gap);
    next = begin + gap;
    if (begin > now()) await wait(begin - now());
    return http(request);
  };
};
