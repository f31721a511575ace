import { HOUR, type Millis } from '#shared/platform/kernel/time.ts';

/**
 * The milliseconds for which a container caches a secret, because AWS bills each read. A rotation takes effect earlier, because a call that
 * is rejected reads the secret again.
 */
const CACHE_MS: Millis = HOUR;
/** The least milliseconds between two reads by `refresh`, so that not every wrong signature causes a read. */
export const REFRESH_MS: Millis = 60_000;

/** Reads a secret. `refresh` reads it again although it is cached, unless it was read within the last minute. */
export type ReadCached<T> = (options?: { readonly refresh?: boolean }) => Promise<T>;

/** Caches the result of `read` for an hour. Concurrent callers share one read. A failed read is not cached. */
export const cached = <T>(read: () => Promise<T>, now: () => Millis): ReadCached<T> => {
  let cache: { readonly value: Promise<T>; readonly at: Millis } | undefined;
  return ({ refresh = false } = {}) => {
    const age = cache ? now() - cache.at : Number.POSITIVE_INFINITY;
    if (cache && age <= (refresh ? REFRESH_MS : CACHE_MS)) return cache.value;
    const value = read();
    cache = { value, at: now() };
    value.catch(() => {
      if (cache?.value === value) cache = undefined;
    });
    return value;
  };
};
