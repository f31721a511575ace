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
  /** Waits before try number `attempt` + 1: a random part of an exponential backoff. */
  readonly pause: (attempt: number) => Promise<void>;
  /** Resolves after `milliseconds`; does not keep the process alive. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** Keys of one purpose: the current one, which is used for what is new, and the one before it while that still counts. */
export type Keys = readonly [current: string, ...previous: string[]];

/**
 * Reads keys of the stage, which are cached. `refresh`: another container may know a key that this one does not; then they are read
 * again, at most once a minute. @throws DependencyUnavailable where a repeat may succeed.
 */
export type ReadKeys = (options?: { readonly refresh?: boolean }) => Promise<Keys>;

/** One piece of work on a thing at a time, over all containers. A lease is identified by the moment at which it ends. */
export interface Leases {
  /** False while another's lease lasts. */
  begin(id: string, until: Millis, now: Millis): Promise<boolean>;
  /** Ends a lease before its time, unless another's has begun since. */
  end(id: string, until: Millis): Promise<void>;
}

/** A page of a list, newest first, after the position `after` of an earlier page. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The position to continue from; null on the last page. */
  readonly next: string | null;
}

/** An object before and after a change: written only while the stored version is `before`'s. */
export interface Change<T> {
  readonly before: T;
  readonly after: T;
}
