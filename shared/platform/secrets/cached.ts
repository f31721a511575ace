import { HOUR, type Millis } from '#shared/platform/kernel/time.ts';

/** Milliseconds for which a container caches a secret. Every read is billed; a rotation takes effect earlier, since what is refused reads again. */
const CACHE_MS: Millis = HOUR;
/** Milliseconds between forced reads, so that wrong signatures cannot make us read secrets at their rate. */
export const REFRESH_MS: Millis = 60_000;

/** Reads a secret. `refresh`: although it is cached, unless it was read within the minute. */
export type ReadCached<T> = (options?: { readonly refresh?: boolean }) => Promise<T>;

/** Caches what `read` resolves to for an hour: one read for concurrent callers. A failed read is not cached. */
export const cached = <T>(read: () => Promise<T>, now: () => Millis): ReadCached<T> => {
  let held: { readonly value: Promise<T>; readonly at: Millis } | undefined;
  return ({ refresh = false } = {}) => {
    const age = held ? now() - held.at : Number.POSITIVE_INFINITY;
    if (held && age <= (refresh ? REFRESH_MS : CACHE_MS)) return held.value;
    const value = read();
    held = { value, at: now() };
    value.catch(() => {
      if (held?.value === value) held = undefined;
    });
    return value;
  };
};
