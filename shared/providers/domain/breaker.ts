import * as z from 'zod/mini';
import { count, millis, millisOrNull } from '#shared/platform/kernel/schemas.ts';
import { MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { type ProviderCalls, type ProviderName, providerCalls, providerName } from './provider.ts';

/** The breaker opens after this many counted failures in a row, of all containers together. */
export const OUTAGE_AFTER = 5;
/** Failures are in a row if at most this many milliseconds lie between them. */
const FAILURE_WINDOW = MINUTE;
/** A container that had an answer within the last minute counts its failures only from this many in a row on. */
const CONFIRMED_AFTER = 3;
/** Milliseconds from the opening of the breaker to the first probe, a single call, and from one probe to the next. Longer than any call may take. */
export const PROBE_INTERVAL = 30 * SECOND;

/** Bounds of the delay after a 429, in milliseconds. */
const MAX_RETRY_AFTER = MINUTE;
const MIN_RETRY_AFTER = SECOND;
/** Delay after a 429 without a Retry-After, in milliseconds. */
const DEFAULT_RETRY_AFTER = 5 * SECOND;

/**
 * The breaker of one kind of calls to a provider, shared by all containers. A provider that never failed and never limited our requests has no row.
 * The row is written only when a failure counts, when a probe begins, when an answer closes the open breaker or ends a series of counted failures,
 * and when the provider limits our requests.
 */
export const providerBreaker = z.object({
  provider: providerName,
  calls: providerCalls,
  /** Number of counted failures in a row. */
  failures: count,
  lastFailureAt: millis,
  /** Set while the breaker is open: the time of the next probe. Until then no other call is admitted. Null if the breaker is closed. */
  openUntil: millisOrNull,
  /** End of the limit that a 429 set; null without a limit. A 429 is no failure. */
  limitedUntil: millisOrNull,
  version: count,
});
export type ProviderBreaker = z.infer<typeof providerBreaker>;

/** The results of a container's own calls to a provider. */
export interface ContainerHistory {
  /** Time of the last answer; zero before the first one. */
  readonly answeredAt: Millis;
  /** Number of failures since the last answer. */
  readonly failures: number;
}

/**
 * Whether the latest failure counts towards an outage. A container without an answer in the last minute counts its first failure. Any other
 * container counts from its third failure in a row on. Otherwise a provider that answers nine of ten calls could be taken for down, because five of a
 * hundred containers may fail within the same second.
 */
export const countsTowardsOutage = ({ answeredAt, failures }: ContainerHistory, now: Millis): boolean =>
  now - answeredAt > FAILURE_WINDOW || failures >= CONFIRMED_AFTER;

/** Creates the breaker of a provider without a row. Version 0 means that the row must not exist when it is first written. */
export const healthyProvider = (provider: ProviderName, calls: ProviderCalls): ProviderBreaker => ({
  provider,
  calls,
  failures: 0,
  lastFailureAt: 0,
  openUntil: null,
  limitedUntil: null,
  version: 0,
});

/** Limits the delay after a 429 to sensible bounds, in milliseconds. `retryAfter` is undefined if the answer has none. */
export const clampRetryAfter = (retryAfter: number | undefined): number =>
  Math.min(Math.max(retryAfter ?? DEFAULT_RETRY_AFTER, MIN_RETRY_AFTER), MAX_RETRY_AFTER);

/** Computes the milliseconds until the provider takes such calls again; zero without a limit. */
export const computeLimitLeft = ({ limitedUntil }: ProviderBreaker, now: Millis): number =>
  Math.max(0, (limitedUntil ?? 0) - now);

/**
 * Records that the provider limits our calls for `waitMs`. Undefined if the row has a limit already that ends later, or less than a second
 * earlier.
 */
export const recordLimit = (before: ProviderBreaker, now: Millis, waitMs: number): ProviderBreaker | undefined =>
  computeLimitLeft(before, now) + SECOND > waitMs
    ? undefined
    : { ...before, limitedUntil: now + waitMs, version: before.version + 1 };

/** Decides whether a call is admitted. `probe`: only the container that first writes `beginProbe` may call. */
export const admission = ({ openUntil }: ProviderBreaker, now: Millis): 'call' | 'wait' | 'probe' => {
  if (openUntil === null) return 'call';
  return now < openUntil ? 'wait' : 'probe';
};

/**
 * Begins a probe: one call is admitted, and the breaker stays open for all others, for another PROBE_INTERVAL. If the probe fails or its
 * container dies, nothing more is written: the next probe begins after that time.
 */
export const beginProbe = (before: ProviderBreaker, now: Millis): ProviderBreaker => ({
  ...before,
  openUntil: now + PROBE_INTERVAL,
  version: before.version + 1,
});

/** Records a counted failure. Undefined if the breaker is already open. */
export const recordFailure = (before: ProviderBreaker, now: Millis): ProviderBreaker | undefined => {
  if (before.openUntil !== null) return undefined;
  const failures = now - before.lastFailureAt <= FAILURE_WINDOW ? before.failures + 1 : 1;
  return {
    ...before,
    failures,
    lastFailureAt: now,
    openUntil: failures >= OUTAGE_AFTER ? now + PROBE_INTERVAL : null,
    version: before.version + 1,
  };
};

/**
 * Records an answer. Undefined if nothing has to be written: no failure is counted, or the breaker is closed and the last failure is too old to count
 * towards an outage.
 */
export const recordAnswer = (before: ProviderBreaker, now: Millis): ProviderBreaker | undefined => {
  const isOutdated = before.openUntil === null && now - before.lastFailureAt > FAILURE_WINDOW;
  if (before.failures === 0 || isOutdated) return undefined;
  return { ...before, failures: 0, openUntil: null, version: before.version + 1 };
};
