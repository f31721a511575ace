import type { Millis } from '#shared/platform/kernel/time.ts';
import type { DeliveryJob, Lane } from '#shared/webhooks/domain/delivery.ts';
import { planDelivery } from '#shared/webhooks/domain/delivery-plan.ts';
import { cancel, giveUp, park } from '#shared/webhooks/domain/delivery-transitions.ts';
import { type AttemptDeps, attemptDelivery } from './attempt-delivery.ts';
import { changeBreaker } from './change-breaker.ts';

export type DeliverDeps = AttemptDeps;

/** Parks a delivery. The metric does not count a delivery that the sweeper sent while it was parked, because it only stays parked. */
const parkDelivery = async (deps: DeliverDeps, job: DeliveryJob, now: Millis, until?: Millis): Promise<void> => {
  const parked = await deps.deliveries.apply(job, park(job, now, until));
  if (parked && !job.parked) deps.metrics('deliveries_parked', 1);
};

/**
 * Processes one queue message: reads the event, the endpoint and the breaker together, plans the action, and does it. An outdated message
 * changes nothing. After a crash the sweeper finds the delivery in the due-work index.
 */
export const deliverWebhook = async (deps: DeliverDeps, lane: Lane, job: DeliveryJob): Promise<void> => {
  const { eventId, endpointId } = job;
  const ids = { event_id: eventId, endpoint_id: endpointId };
  const context = await deps.deliveries.read(job);
  const now = deps.now();
  const plan = planDelivery(context, job, lane, now);
  const { breaker } = context;
  switch (plan.action) {
    case 'cancel':
      if (await deps.deliveries.apply(job, cancel(job, now))) deps.log('delivery_cancelled', ids);
      return;
    case 'park':
      if (plan.breakerEvent) await changeBreaker(deps, job, breaker, plan.breakerEvent);
      return parkDelivery(deps, job, now, plan.until);
    case 'give_up':
      await changeBreaker(deps, job, breaker, plan.breakerEvent);
      // The metric of exhausted deliveries does not count this, because its alarm is not about endpoints that are switched off.
      if (await deps.deliveries.apply(job, giveUp(job, now))) deps.log('delivery_given_up', ids);
      return;
    case 'attempt':
    case 'reroute': {
      const elected = plan.election && (await changeBreaker(deps, job, breaker, plan.election));
      if (plan.election && !elected) return parkDelivery(deps, job, now);
      if (plan.action === 'reroute') return deps.queue.send('slow', [job]);
      return attemptDelivery(deps, job, { ...plan, breaker: elected ?? breaker }, now);
    }
  }
};
