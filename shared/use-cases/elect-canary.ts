import { type Breaker, withCanary } from '#shared/domain/breaker.ts';
import { unpark } from '#shared/domain/delivery.ts';
import type { Millis } from '#shared/domain/time.ts';
import type { BreakerStore, DeliveryStore } from '#shared/ports.ts';
import { type QueueRetriesDeps, queueRetry } from './queue-retries.ts';

export interface ElectDeps extends QueueRetriesDeps {
  readonly breakers: BreakerStore;
  readonly deliveries: DeliveryStore;
}

/**
 * The next parked delivery probes, at `at`: they take turns, so that an event which the endpoint refuses holds up no other.
 * False when none waits. Whoever saves the breaker elects; after a crash the sweeper elects anew.
 */
export const electCanary = async (deps: ElectDeps, before: Breaker, at: Millis): Promise<boolean> => {
  const next = await deps.deliveries.nextParked(before.endpointId, before.canary ?? before.lastFailed);
  if (!next) return false;
  if (!(await deps.breakers.save(withCanary(before, next.eventId, at)))) return true;
  const elected = await deps.deliveries.apply(next, unpark(next, at, deps.now()));
  if (elected) await queueRetry(deps, elected);
  return true;
};
