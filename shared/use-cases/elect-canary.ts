import { type Breaker, withCanary } from '#shared/domain/breaker.ts';
import { jobOf, LONGEST_QUEUE_DELAY, unpark } from '#shared/domain/delivery.ts';
import { type Millis, SECOND } from '#shared/domain/time.ts';
import type { BreakerStore, DeliveryQueue, DeliveryStore, Log, Nature } from '#shared/ports.ts';
import { changeBreaker } from './change-breaker.ts';

export interface ElectDeps extends Pick<Nature, 'now'> {
  readonly breakers: BreakerStore;
  readonly deliveries: DeliveryStore;
  readonly queue: DeliveryQueue<'retry'>;
  readonly log: Log;
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
  const now = deps.now();
  const elected = await deps.deliveries.apply(next, unpark(next, at, now));
  const wait = at - now;
  if (!elected || wait > LONGEST_QUEUE_DELAY) return true;
  try {
    await deps.queue.send('retry', [jobOf(elected)], Math.max(0, Math.ceil(wait / SECOND)));
  } catch (error) {
    // It is due in some minutes all the same.
    deps.log('deliveries_not_queued', { count: 1 }, error);
  }
  return true;
};
