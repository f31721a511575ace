import * as z from 'zod/mini';
import { count, millis, millisOrNull } from '#shared/domain/kernel/schemas.ts';
import { MINUTE, type Millis, SECOND } from '#shared/domain/kernel/time.ts';
import { type ProviderName, providerName } from './provider.ts';

/** Failures in a row that count, of all containers together, after which a provider is down. */
export const OUTAGE_AFTER = 5;
/** Failures further apart than this are not in a row: so few calls hammer nobody. */
const FAILURE_WINDOW = MINUTE;
/** Failures in a row of one container that was answered just before, until they tell of more than single calls that fail. */
const CONFIRMED_AFTER = 3;
/** How long one that is down is left alone; then a single call tries it. Longer than any call may take. */
export const PROBE_INTERVAL = 30 * SECOND;

/**
 * What all containers together know of a provider that failed. No row: it is well. Written only when a failure counts, when one tries a
 * provider that is down, and by the success that ends it.
 */
export const providerBreaker = z.object({
  provider: providerName,
  /** In a row. */
  failures: count,
  lastFailureAt: millis,
  /** While it is down: until when nobody asks it. */
  suspendedUntil: millisOrNull,
  version: count,
});
export type ProviderBreaker = z.infer<typeof providerBreaker>;

/** What one container knows of a provider from its own calls. */
export interface ContainerHistory {
  /** Zero before the first answer. */
  readonly answeredAt: Millis;
  /** Failures since then. */
  readonly failures: number;
}

/**
 * Whether the latest failure counts towards an outage. A container that had an answer within the minute has seen the provider well,
 * so it counts from its third failure in a row on; one that knows nothing counts at once. Otherwise five containers of a hundred that
 * fail within one second, each before its next answer, would take a provider down that answers nine calls of ten.
 */
export const countsTowardsOutage = ({ answeredAt, failures }: ContainerHistory, now: Millis): boolean =>
  now - answeredAt > FAILURE_WINDOW || failures >= CONFIRMED_AFTER;

/** The row of a provider that has none. Version 0: it must not exist yet when it is written. */
export const healthyProvider = (provider: ProviderName): ProviderBreaker => ({
  provider,
  failures: 0,
  lastFailureAt: 0,
  suspendedUntil: null,
  version: 0,
});

/** Whether a call may go out: `probe` lets one through, whoever writes `beginProbe` first. */
export const admission = ({ suspendedUntil }: ProviderBreaker, now: Millis): 'call' | 'suspended' | 'probe' => {
  if (suspendedUntil === null) return 'call';
  return now < suspendedUntil ? 'suspended' : 'probe';
};

/** One call tries the provider, and the others leave it alone for another rest: whether it fails or dies, nothing more is written. */
export const beginProbe = (before: ProviderBreaker, now: Millis): ProviderBreaker => ({
  ...before,
  suspendedUntil: now + PROBE_INTERVAL,
  version: before.version + 1,
});

/** A call failed, and that counts; undefined while it rests already. */
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

/** A call was answered; undefined when there is nothing to write, as for every provider that is well. */
export const recordAnswer = (before: ProviderBreaker, now: Millis): ProviderBreaker | undefined => {
  const isForgotten = before.suspendedUntil === null && now - before.lastFailureAt > FAILURE_WINDOW;
  if (before.failures === 0 || isForgotten) return undefined;
  return { ...before, failures: 0, suspendedUntil: null, version: before.version + 1 };
};
