import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
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
} from '#shared/providers/domain/breaker.ts';
import { ProviderBusy, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import type { ProviderCalls, ProviderName } from '#shared/providers/domain/provider.ts';
import type { ProviderBreakerStore } from '#shared/providers/ports.ts';

/** Milliseconds for which a container uses the row that it has read. */
const ROW_MAX_AGE = 5 * SECOND;
/** How often a container tries to write. When a provider fails, containers compete for one row; one that loses so often need not count its failure, since the others have. */
const MAX_WRITE_ATTEMPTS = 5;

/** What a breaker of one kind of calls needs. */
export interface BreakerNeeds {
  readonly provider: ProviderName;
  readonly calls: ProviderCalls;
  readonly store: ProviderBreakerStore;
  readonly now: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The row as it is to be stored; undefined to leave it as it is. */
type Decide = (before: ProviderBreaker) => ProviderBreaker | undefined;

/** The breaker of one kind of calls to a provider, as one container uses it. */
export interface SharedBreaker {
  /** Reads the row ahead of a call, unless it was read within the last five seconds. */
  readonly prefetchHealth: () => void;
  /** Whether the row, if it was read within the last five seconds, admits no call now. */
  readonly isSuspended: () => boolean;
  /**
   * Admits a call. Throws ProviderBusy while the provider limits such calls, and ProviderUnavailable while it is suspended, except for
   * the one call that probes it.
   */
  readonly admit: () => Promise<void>;
  /** Records that the provider answered a call. Never throws. */
  readonly recordAnswer: () => Promise<void>;
  /** Records that the provider takes no such calls for so many milliseconds. Never throws. */
  readonly recordLimit: (waitMs: number) => Promise<void>;
  /** Records that a call failed. Never throws. */
  readonly recordFailure: () => Promise<void>;
}

/** The stored row of a breaker as one container knows it. */
const storedRow = ({ provider, calls, store, now, log }: Omit<BreakerNeeds, 'metrics'>) => {
  let current = healthyProvider(provider, calls);
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

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
  const write = async (decide: Decide): Promise<ProviderBreaker | undefined> => {
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

  return {
    current: (): ProviderBreaker => current,
    isFresh: (): boolean => now() - readAt < ROW_MAX_AGE,
    /** Reads the row when the last one read is too old. */
    refresh: (): Promise<void> | undefined => {
      if (now() - readAt >= ROW_MAX_AGE) reading ??= read();
      return reading;
    },
    /** Changes the row. Returns it as this container wrote it; undefined when it did not, for want of a change or of the table. Never throws. */
    change: async (decide: Decide): Promise<ProviderBreaker | undefined> => {
      try {
        return await write(decide);
      } catch (error) {
        log('provider_breaker_not_saved', { provider, calls }, error);
        return undefined;
      }
    },
  };
};

/**
 * The breaker of one kind of calls to a provider, shared by all containers through the table, since in Lambda each container serves one request at a time.
 * While the provider is healthy a container reads one row every five seconds and writes nothing. When the table does not answer,
 * the call is admitted: the breaker must never be the reason why a payment fails.
 */
export const sharedBreaker = ({ metrics, ...needs }: BreakerNeeds): SharedBreaker => {
  const { provider, calls, now, log } = needs;
  const row = storedRow(needs);
  let own: ContainerHistory = { answeredAt: 0, failures: 0 };
  /** Known here too, in case it could not be stored. */
  let limitedUntil = 0;

  const isUp = (): boolean => admission(row.current(), now()) === 'call';
  const probe: Decide = (before) => (admission(before, now()) === 'probe' ? beginProbe(before, now()) : undefined);

  return {
    prefetchHealth: () => {
      void row.refresh();
    },
    isSuspended: () => {
      const isLimited = Math.max(limitLeft(row.current(), now()), limitedUntil - now()) > 0;
      return row.isFresh() && (isLimited || admission(row.current(), now()) === 'suspended');
    },
    admit: async () => {
      await row.refresh();
      const wait = Math.max(limitLeft(row.current(), now()), limitedUntil - now());
      if (wait > 0) throw new ProviderBusy('The provider limits our requests.', wait);
      // Another container may have probed it meanwhile and found it up.
      if (isUp() || (await row.change(probe)) || isUp()) return;
      throw new ProviderUnavailable('The provider is suspended after repeated failures.');
    },
    recordAnswer: async () => {
      own = { answeredAt: now(), failures: 0 };
      const wasDown = row.current().suspendedUntil !== null;
      if ((await row.change((before) => recordAnswer(before, now()))) && wasDown)
        log('provider_up', { provider, calls });
    },
    recordLimit: async (waitMs) => {
      limitedUntil = now() + waitMs;
      if (calls === 'look_ups') metrics('look_ups_limited', 1);
      const after = await row.change((before) => recordLimit(before, now(), waitMs));
      if (after) log('provider_limited', { provider, calls, wait_milliseconds: waitMs });
    },
    recordFailure: async () => {
      own = { ...own, failures: own.failures + 1 };
      if (!countsTowardsOutage(own, now())) return;
      const after = await row.change((before) => recordFailure(before, now()));
      if (after?.suspendedUntil != null) log('provider_down', { provider, calls, failures: after.failures });
    },
  };
};
