import type { IdPrefix, RandomBytes } from '#shared/domain/kernel/ids.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';

/** Time and chance, handed in so that tests own them. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  readonly now: () => Millis;
  readonly newId: (prefix: IdPrefix) => string;
  readonly randomBytes: RandomBytes;
  /** A number in [0, 1). */
  readonly draw: () => number;
  /** Waits before try number `attempt` + 1: a random part of a doubling wait, so that rivals do not meet again. */
  readonly pause: (attempt: number) => Promise<void>;
  /** Resolves after so many milliseconds; keeps no process alive. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** Which part of a list: newest first, from after `after` (a position that an earlier page gave). */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The position to continue from; null on the last page. */
  readonly next: string | null;
}

/** An object before and after a change: the write holds only while the stored version is still `before`'s. */
export interface Change<T> {
  readonly before: T;
  readonly after: T;
}
