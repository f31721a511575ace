import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Open } from '#shared/webhooks/domain/breaker.ts';
import { unpark } from '#shared/webhooks/domain/delivery-transitions.ts';
import type { BreakerStore, DeliveryStore } from '#shared/webhooks/ports.ts';
import { changeBreaker } from './change-breaker.ts';
import { type QueueRetriesDeps, queueRetry } from './queue-retries.ts';

export interface ElectCanaryDeps extends QueueRetriesDeps {
  readonly breakers: BreakerStore;
  readonly deliveries: DeliveryStore;
}

/**
 * Makes the next parked delivery probe the endpoint at `at`. Deliveries take turns, so that an event that the endpoint rejects does not delay the
 * others. Returns `overtaken` if the breaker was not written: meanwhile it got another canary or is no longer open, or it changed at every try.
 * If the process crashes before it releases the delivery, the sweeper elects again.
 */
export const electCanary = async (
  deps: ElectCanaryDeps,
  breaker: Open,
  at: Millis,
): Promise<'elected' | 'overtaken' | 'none_parked'> => {
  const { endpointId, canary, outage } = breaker;
  const next = await deps.deliveries.nextParked(endpointId, canary ?? outage?.lastEventId ?? null);
  if (!next) return 'none_parked';
  const election = { kind: 'canary_elected', eventId: next.eventId, replaces: canary, at } as const;
  if (!(await changeBreaker(deps, breaker, breaker, election))) return 'overtaken';
  const released = await deps.deliveries.apply(next, unpark(next, at, deps.now()));
  if (released) await queueRetry(deps, released);
  return 'elected';
};
