import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import {
  admission,
  beginProbe,
  type ContainerHistory,
  computeLimitLeft,
  countsTowardsOutage,
  healthyProvider,
  type ProviderBreaker,
  recordAnswer,
  recordFailure,
  recordLimit,
} from '#shared/providers/domain/breaker.ts';
import { ProviderBusy, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import type { ProviderCalls, ProviderName } from '#shared/providers/domain/provider.ts';
import type { ProviderBreakerStore } from '#shared/providers/ports.ts';

/** Milliseconds after which a container reads the row again. */
const ROW_MAX_AGE = 5 * SECOND;
/**
 * Maximum number of attempts to write the row. While a provider fails, many containers write the same row, and an attempt fails if another container
 * wrote first. After the last attempt the container gives up, and its own failure is not counted. The failures of the faster containers are.
 */
const MAX_WRITE_ATTEMPTS = 5;

/** Dependencies of a breaker, which covers one kind of calls to one provider. */
export interface BreakerNeeds {
  readonly provider: ProviderName;
  readonly calls: ProviderCalls;
  readonly store: ProviderBreakerStore;
  readonly now: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Computes the row to store; undefined leaves the stored row unchanged. */
type Decide = (before: ProviderBreaker) => ProviderBreaker | undefined;

/** One container's access to the breaker of one kind of calls to a provider. */
export interface SharedBreaker {
  /** Starts to read the row before a call, unless it was read within the last five seconds. */
  readonly prefetchHealth: () => void;
  /**
   * Whether calls are held back now: the breaker is open and no probe is due, or the provider limits our requests. False if the row was not read
   * within the last five seconds.
   */
  readonly isOpen: () => boolean;
  /**
   * Admits a call. While the breaker is open, only its probes are admitted, one in each PROBE_INTERVAL.
   * @throws ProviderBusy while the provider limits such calls; ProviderUnavailable while the breaker is open.
   */
  readonly admit: () => Promise<void>;
  /** Records that the provider answered a call. Never throws. */
  readonly recordAnswer: () => Promise<void>;
  /** Records that the provider takes no such calls for `waitMs` milliseconds. Never throws. */
  readonly recordLimit: (waitMs: number) => Promise<void>;
  /** Records that a call failed. Never throws. */
  readonly recordFailure: () => Promise<void>;
}

/** Caches the stored row of a breaker in one container. */
const storedRow = ({ provider, calls, store, now, log }: Omit<BreakerNeeds, 'metrics'>) => {
  let current = healthyProvider(provider, calls);
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  const remember = (row: ProviderBreaker): void => {
    // Ignore a row that is older than the newest row that this container has written or read.
    if (row.version >= current.version) current = row;
    readAt = now();
  };
  /**
   * Reads the row. Never throws: if the read fails, the row known before stays for another five seconds. A failed read is not logged, because it is
   * often harmless: Lambda freezes a container between requests, and a read that the freeze interrupted times out.
   */
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
    /** Reads the row if the cached one is too old. */
    refresh: (): Promise<void> | undefined => {
      if (now() - readAt >= ROW_MAX_AGE) reading ??= read();
      return reading;
    },
    /** Changes the row and returns the written one; undefined if nothing had to change, or the write failed. Never throws. */
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
 * Creates the breaker of one kind of calls to a provider. All containers share the breaker through the table: a Lambda container serves one request
 * at a time, so alone it sees too few failures. While the provider is healthy, a container reads one row, at most every five seconds, and writes
 * nothing. If the table does not answer, the row known before decides. A container that has not read any row yet admits the call: a table that fails
 * must not make a payment fail.
 */
export const sharedBreaker = ({ metrics, ...needs }: BreakerNeeds): SharedBreaker => {
  const { provider, calls, now, log } = needs;
  const row = storedRow(needs);
  let history: ContainerHistory = { answeredAt: 0, failures: 0 };
  /**
   * End of the provider's limit (milliseconds since the epoch). The row has it, too. This copy holds back the calls of this container even if the row
   * cannot be stored.
   */
  let limitedUntil = 0;

  const isUp = (): boolean => admission(row.current(), now()) === 'call';
  const probe: Decide = (before) => (admission(before, now()) === 'probe' ? beginProbe(before, now()) : undefined);

  return {
    prefetchHealth: () => {
      void row.refresh();
    },
    isOpen: () => {
      const isLimited = Math.max(computeLimitLeft(row.current(), now()), limitedUntil - now()) > 0;
      return row.isFresh() && (isLimited || admission(row.current(), now()) === 'wait');
    },
    admit: async () => {
      await row.refresh();
      const wait = Math.max(computeLimitLeft(row.current(), now()), limitedUntil - now());
      if (wait > 0) throw new ProviderBusy('The provider limits our requests.', wait);
      // Another container may meanwhile have probed the provider successfully.
      if (isUp() || (await row.change(probe)) || isUp()) return;
      throw new ProviderUnavailable('The provider is not called now: its breaker is open after repeated failures.');
    },
    recordAnswer: async () => {
      history = { answeredAt: now(), failures: 0 };
      const wasDown = row.current().openUntil !== null;
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
      history = { ...history, failures: history.failures + 1 };
      if (!countsTowardsOutage(history, now())) return;
      const after = await row.change((before) => recordFailure(before, now()));
      if (after?.openUntil != null) log('provider_down', { provider, calls, failures: after.failures });
    },
  };
};
