import { SECOND } from '#shared/domain/kernel/time.ts';
import {
  admission,
  beginProbe,
  type ContainerHistory,
  countsTowardsOutage,
  healthyProvider,
  limitLeft,
  type ProviderBreaker,
  recordAnswer,
  recordFailure,
  recordLimit,
} from '#shared/domain/providers/breaker.ts';
import { ProviderBusy, ProviderUnavailable } from '#shared/domain/providers/errors.ts';
import type { ProviderCalls, ProviderName } from '#shared/domain/providers/provider.ts';
import type { Log } from '#shared/observability/log.ts';
import type { Metrics } from '#shared/observability/metrics.ts';
import type { ProviderBreakerStore } from '#shared/ports/providers.ts';

/** Milliseconds for which a container uses the row that it has read. */
const ROW_MAX_AGE = 5 * SECOND;
/** How often a container tries to write. When a provider fails, containers compete for one row; one that loses so often need not count its failure, since the others have. */
const MAX_WRITE_ATTEMPTS = 5;

export interface BreakerNeeds {
  readonly provider: ProviderName;
  readonly calls: ProviderCalls;
  readonly store: ProviderBreakerStore;
  readonly now: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The breaker of one kind of calls to a provider, as one container uses it. */
export interface SharedBreaker {
  /** Reads the row ahead of a call, unless it was read within the last five seconds. */
  readonly prefetchHealth: () => void;
  /**
   * Admits a call. Throws ProviderBusy while the provider limits such calls, and ProviderUnavailable while it is suspended, except for
   * the one call that probes it.
   */
  readonly admit: () => Promise<void>;
  /** Records that the provider answered a call. Never throws. */
  readonly answered: () => Promise<void>;
  /** Records that the provider takes no such calls for so many milliseconds. Never throws. */
  readonly limited: (waitMs: number) => Promise<void>;
  /** Records that a call failed. Never throws. */
  readonly failed: () => Promise<void>;
}

/**
 * The breaker of one kind of calls to a provider, shared by all containers through the table, since in Lambda each container serves one request at a time.
 * While the provider is healthy a container reads one row every five seconds and writes nothing. When the table does not answer,
 * the call is admitted: the breaker must never be the reason why a payment fails.
 */
export const sharedBreaker = ({ provider, calls, store, now, log, metrics }: BreakerNeeds): SharedBreaker => {
  let current = healthyProvider(provider, calls);
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let own: ContainerHistory = { answeredAt: 0, failures: 0 };
  /** Also known here, in case the table does not take it. */
  let limitedUntil = 0;

  const remember = (row: ProviderBreaker): void => {
    // Ignore rows that are older than what this container has written or seen.
    if (row.version >= current.version) current = row;
    readAt = now();
  };
  /** Never throws and does not log: a container that was frozen during a read wakes up to a time-out. */
  const read = async (): Promise<void> => {
    remember(await store.find(provider, calls).catch(() => current));
    reading = undefined;
  };
  /** Reads the row when the last one read is too old. */
  const refresh = (): Promise<void> | undefined => {
    if (now() - readAt >= ROW_MAX_AGE) reading ??= read();
    return reading;
  };

  /** Changes the stored row. Returns it as this container wrote it; undefined when there was nothing to change. */
  const change = async (
    decide: (before: ProviderBreaker) => ProviderBreaker | undefined,
  ): Promise<ProviderBreaker | undefined> => {
    for (let attempt = 1; attempt <= MAX_WRITE_ATTEMPTS; attempt++) {
      const after = decide(current);
      if (!after) return undefined;
      const stored = await store.save(after);
      // Version 0: the row was deleted meanwhile.
      if (stored.version === 0) current = stored;
      remember(stored);
      if (stored === after) return after;
    }
    return undefined;
  };
  const tryChange = async (decide: Parameters<typeof change>[0]): Promise<ProviderBreaker | undefined> => {
    try {
      return await change(decide);
    } catch (error) {
      log('provider_breaker_not_saved', { provider, calls }, error);
      return undefined;
    }
  };
  const probe = (before: ProviderBreaker): ProviderBreaker | undefined =>
    admission(before, now()) === 'probe' ? beginProbe(before, now()) : undefined;
  const isUp = (): boolean => admission(current, now()) === 'call';

  return {
    prefetchHealth: () => {
      void refresh();
    },
    admit: async () => {
      await refresh();
      const wait = Math.max(limitLeft(current, now()), limitedUntil - now());
      if (wait > 0) throw new ProviderBusy('The provider limits our requests.', wait);
      // Another container may have probed it meanwhile and found it up.
      if (isUp() || (await tryChange(probe)) || isUp()) return;
      throw new ProviderUnavailable('The provider is suspended after repeated failures.');
    },
    answered: async () => {
      own = { answeredAt: now(), failures: 0 };
      const wasDown = current.suspendedUntil !== null;
      if ((await tryChange((before) => recordAnswer(before, now()))) && wasDown)
        log('provider_up', { provider, calls });
    },
    limited: async (waitMs) => {
      limitedUntil = now() + waitMs;
      if (calls === 'look_ups') metrics('look_ups_limited', 1);
      const after = await tryChange((before) => recordLimit(before, now(), waitMs));
      if (after) log('provider_limited', { provider, calls, wait_milliseconds: waitMs });
    },
    failed: async () => {
      own = { ...own, failures: own.failures + 1 };
      if (!countsTowardsOutage(own, now())) return;
      const after = await tryChange((before) => recordFailure(before, now()));
      if (after?.suspendedUntil != null) log('provider_down', { provider, calls, failures: after.failures });
    },
  };
};
