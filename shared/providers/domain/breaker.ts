import * as z from 'zod/mini';
import { count, millis, millisOrNull } from '#shared/platform/kernel/schemas.ts';
import { MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { type ProviderCalls, type ProviderName, providerCalls, providerName } from './provider.ts';

/** Counted failures in a row, of all containers together, that suspend a provider. */
export const OUTAGE_AFTER = 5;
/** Failures further apart than this are not in a row. */
const FAILURE_WINDOW = MINUTE;
/** A container with a recent answer counts failures only from this many in a row. */
const CONFIRMED_AFTER = 3;
/** How long a provider is suspended; then a single call probes it. Longer than any call may take. */
export const PROBE_INTERVAL = 30 * SECOND;

/** A provider's Retry-After is honoured up to this; then the provider is called again. Milliseconds. */
const MAX_RETRY_AFTER = MINUTE;
const MIN_RETRY_AFTER = SECOND;
/** Milliseconds, for a 429 without a Retry-After. */
const DEFAULT_RETRY_AFTER = 5 * SECOND;

/**
 * The breaker of one kind of calls to a provider, shared by all containers. A healthy provider has no row. It is written only when a
 * failure counts, when a probe begins, by the success that ends an outage, and when the provider limits our requests.
 */
export const providerBreaker = z.object({
  provider: providerName,
  calls: providerCalls,
  /** In a row. */
  failures: count,
  lastFailureAt: millis,
  /** Until when it is suspended; null while it is up. */
  suspendedUntil: millisOrNull,
  /** Until when the provider takes no such calls: it answered 429. Not a failure. */
  limitedUntil: millisOrNull,
  version: count,
});
export type ProviderBreaker = z.infer<typeof providerBreaker>;

/** A container's own calls of a provider. */
export interface ContainerHistory {
  /** Zero before the first answer. */
  readonly answeredAt: Millis;
  /** Failures since then. */
  readonly failures: number;
}

/**
 * Whether the latest failure counts towards an outage. A container that had an answer within the last minute counts from its third
 * failure in a row on; a container without a recent answer counts at once. Otherwise five of a hundred containers that fail within
 * one second, each before its next answer, would suspend a provider that answers nine calls of ten.
 */
export const countsTowardsOutage = ({ answeredAt, failures }: ContainerHistory, now: Millis): boolean =>
  now - answeredAt > FAILURE_WINDOW || failures >= CONFIRMED_AFTER;

/** The breaker of a provider without a row. Version 0: the row must not exist when it is first written. */
export const healthyProvider = (provider: ProviderName, calls: ProviderCalls): ProviderBreaker => ({
  provider,
  calls,
  failures: 0,
  lastFailureAt: 0,
  suspendedUntil: null,
  limitedUntil: null,
  version: 0,
});

/** Milliseconds that a limit lasts, within bounds, where a 429 asks for `wanted` (undefined: it does not say). */
export const clampRetryAfter = (retryAfter: number | undefined): number =>
  Math.min(Math.max(retryAfter ?? DEFAULT_RETRY_AFTER, MIN_RETRY_AFTER), MAX_RETRY_AFTER);

/** Milliseconds until the provider takes such calls again; zero when nothing limits them. */
export const limitLeft = ({ limitedUntil }: ProviderBreaker, now: Millis): number =>
  Math.max(0, (limitedUntil ?? 0) - now);

/** The provider limits our calls for `waitMs`; undefined where the row already has that limit, to the second. */
export const recordLimit = (before: ProviderBreaker, now: Millis, waitMs: number): ProviderBreaker | undefined =>
  limitLeft(before, now) + SECOND > waitMs
    ? undefined
    : { ...before, limitedUntil: now + waitMs, version: before.version + 1 };

/** Whether a call is admitted. `probe`: one call is, that of the container which first writes `beginProbe`. */
export const admission = ({ suspendedUntil }: ProviderBreaker, now: Millis): 'call' | 'suspended' | 'probe' => {
  if (suspendedUntil === null) return 'call';
  return now < suspendedUntil ? 'suspended' : 'probe';
};

/** One call probes the provider, which stays suspended for the others. A probe that fails or is lost writes nothing more. */
export const beginProbe = (before: ProviderBreaker, now: Millis): ProviderBreaker => ({
  ...before,
  suspendedUntil: now + PROBE_INTERVAL,
  version: before.version + 1,
});

/** A counted failure; undefined while the provider is suspended already. */
export const recordFailure = (before: ProviderBreaker, now: Millis): ProviderBreaker | undefined => {
  if (before.suspendedUntil !== null) return undefined;
  const failures = now - before.lastFailureAt <= FAILURE_WINDOW ? before.failures + 1 : 1;
  return {
    ...before,
    failures,
    lastFailureAt: now,
    suspendedUntil: failures >= OUTAGE_AFTER ? now + PROBE_INTERVAL : null,
    version: before.version + 1,
  };
};

/** A call was answered; undefined when there is nothing to write, as for a healthy provider. */
export const recordAnswer = (before: ProviderBreaker, now: Millis): ProviderBreaker | undefined => {
  const isOutdated = before.suspendedUntil === null && now - before.lastFailureAt > FAILURE_WINDOW;
  if (before.failures === 0 || isOutdated) return undefined;
  return { ...before, failures: 0, suspendedUntil: null, version: before.version + 1 };
};
