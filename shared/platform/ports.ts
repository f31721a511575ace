import type { IdPrefix, RandomBytes } from '#shared/platform/kernel/ids.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';

/** Clock, ids and randomness, handed in so that tests control them. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  readonly now: () => Millis;
  readonly newId: (prefix: IdPrefix) => string;
  readonly randomBytes: RandomBytes;
  /** A random number in [0, 1). */
  readonly draw: () => number;
  /** Waits after the failed attempt number `attempt`: a random part of an exponential backoff. */
  readonly pause: (attempt: number) => Promise<void>;
  /** Resolves after `milliseconds`; does not keep the process alive. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** Keys for one purpose: the current key, which is used for new objects, and the previous key while it is still accepted. */
export type Keys = readonly [current: string, ...previous: string[]];

/**
 * Reads keys of the stage, which are cached. `refresh` reads them again, at most once a minute, because another container may know a newer key.
 * @throws DependencyUnavailable if a repeat may succeed.
 */
export type ReadKeys = (options?: { readonly refresh?: boolean }) => Promise<Keys>;

/** Leases, so that all containers together do one piece of work on an object at a time. The time at which a lease ends identifies it. */
export interface Leases {
  /** Begins a lease; false while another lease lasts. */
  begin(id: string, until: Millis, now: Millis): Promise<boolean>;
  /** Ends a lease early, unless another lease has begun since. */
  end(id: string, until: Millis): Promise<void>;
}

/** A request for a list page, newest first, after the position `after` of an earlier list page. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The position to continue from; null on the last list page. */
  readonly next: string | null;
}

/** An object before and after a change. `after` is written only if the stored version is that of `before`. */
export interface Change<T> {
  readonly before: T;
  readonly after: T;
}
