import { SECOND } from '#shared/domain/kernel/time.ts';
import {
  admission,
  beginProbe,
  type ContainerHistory,
  countsTowardsOutage,
  healthyProvider,
  type ProviderBreaker,
  recordAnswer,
  recordFailure,
} from '#shared/domain/providers/breaker.ts';
import { ProviderUnavailable } from '#shared/domain/providers/errors.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import type { Log } from '#shared/observability/log.ts';
import type { ProviderBreakerStore } from '#shared/ports/providers.ts';

/** For so long a container goes by what it has read last. */
const FRESH = 5 * SECOND;
/** Rivals write one row when a provider falls over; those that lose so often were counted by the others. */
const TRIES = 5;

export interface BreakerNeeds {
  readonly provider: ProviderName;
  readonly store: ProviderBreakerStore;
  readonly now: () => number;
  readonly log: Log;
}

/** A provider's breaker as one container sees it. */
export interface SharedBreaker {
  /** A call is near: reads the row beside whatever comes before it, where that was not done just now. */
  readonly prefetchHealth: () => void;
  /** Lets a call pass. Throws ProviderUnavailable while the provider is down, but for the one call that tries it. */
  readonly admit: () => Promise<void>;
  readonly answered: () => Promise<void>;
  readonly failed: () => Promise<void>;
}

/**
 * Shares through the table what every container learns of a provider, since in Lambda each serves one request. A healthy call reads
 * one row in five seconds and writes nothing. Where the table cannot tell, the call goes out: this must never be why a payment fails.
 */
export const sharedBreaker = ({ provider, store, now, log }: BreakerNeeds): SharedBreaker => {
  let seen = healthyProvider(provider);
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let own: ContainerHistory = { answeredAt: 0, failures: 0 };

  const saw = (row: ProviderBreaker): void => {
    // A read may lag behind what this container has written, and so may the answer to a write of its own that lost.
    if (row.version >= seen.version) seen = row;
    readAt = now();
  };
  /** Throws nothing, and is silent: a container that was put to sleep over its last read wakes up to a time-out. */
  const read = async (): Promise<void> => {
    saw(await store.find(provider).catch(() => seen));
    reading = undefined;
  };
  const refreshed = (): Promise<void> | undefined => {
    if (now() - readAt >= FRESH) reading ??= read();
    return reading;
  };

  /** Changes the row as it stands; gives it as this container wrote it, undefined when there was nothing to change. */
  const change = async (
    decide: (before: ProviderBreaker) => ProviderBreaker | undefined,
  ): Promise<ProviderBreaker | undefined> => {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const after = decide(seen);
      if (!after) return undefined;
      const stands = await store.save(after);
      // Version 0: somebody has deleted the row, and it begins anew.
      if (stands.version === 0) seen = stands;
      saw(stands);
      if (stands === after) return after;
    }
    return undefined;
  };
  const changeQuietly = async (decide: Parameters<typeof change>[0]): Promise<ProviderBreaker | undefined> => {
    try {
      return await change(decide);
    } catch (error) {
      log('provider_breaker_not_saved', { provider }, error);
      return undefined;
    }
  };
  const probe = (before: ProviderBreaker): ProviderBreaker | undefined =>
    admission(before, now()) === 'probe' ? beginProbe(before, now()) : undefined;
  const isUp = (): boolean => admission(seen, now()) === 'call';

  return {
    prefetchHealth: () => {
      void refreshed();
    },
    admit: async () => {
      await refreshed();
      // A rival may have tried it meanwhile, and may have found it up.
      if (isUp() || (await changeQuietly(probe)) || isUp()) return;
      throw new ProviderUnavailable('It has been failing and is asked again in a moment.');
    },
    answered: async () => {
      own = { answeredAt: now(), failures: 0 };
      const wasDown = seen.suspendedUntil !== null;
      if ((await changeQuietly((before) => recordAnswer(before, now()))) && wasDown) log('provider_up', { provider });
    },
    failed: async () => {
      own = { ...own, failures: own.failures + 1 };
      if (!countsTowardsOutage(own, now())) return;
      const after = await changeQuietly((before) => recordFailure(before, now()));
      if (after?.suspendedUntil != null) log('provider_down', { provider, failures: after.failures });
    },
  };
};
