import type { Millis } from '#shared/platform/kernel/time.ts';
import type { ProviderHttp } from './http.ts';

/** Has calls begin at least `gap` milliseconds apart. None is saved up: Lambda chooses among its containers, and each has a pace of its own. */
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
