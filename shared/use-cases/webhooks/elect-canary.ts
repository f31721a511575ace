import type { Millis } from '#shared/domain/kernel/time.ts';
import { type Breaker, withCanary } from '#shared/domain/webhooks/breaker.ts';
import { unpark } from '#shared/domain/webhooks/delivery.ts';
import type { BreakerStore, DeliveryStore } from '#shared/ports/webhooks.ts';
import { changeBreaker } from './change-breaker.ts';
import { type QueueRetriesDeps, queueRetry } from './queue-retries.ts';

export interface ElectDeps extends QueueRetriesDeps {
  readonly breakers: BreakerStore;
  readonly deliveries: DeliveryStore;
}

/**
 * The next parked delivery probes, at `at`: they take turns, so that an event which the endpoint refuses holds up no other.
 * False when none waits. Of those who would replace one canary the first elects; after a crash the sweeper elects anew.
 */
export const electCanary = async (deps: ElectDeps, before: Breaker, at: Millis): Promise<boolean> => {
  const next = await deps.deliveries.nextParked(before.endpointId, before.canary ?? before.lastFailed);
  if (!next) return false;
  // Whoever else fails in this moment writes the breaker too, and elects nobody.
  const turned = await changeBreaker(deps, before.endpointId, before, (current) =>
    current.state === 'open' && current.canary === before.canary ? withCanary(current, next.eventId, at) : undefined,
  );
  if (!turned) return true;
  const elected = await deps.deliveries.apply(next, unpark(next, at, deps.now()));
  if (elected) await queueRetry(deps, elected);
  return true;
};
