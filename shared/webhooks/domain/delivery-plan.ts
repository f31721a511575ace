import type { Millis } from '#shared/platform/kernel/time.ts';
import { type Breaker, isSlow } from './breaker.ts';
import type { BreakerEvent } from './breaker-transitions.ts';
import { chooseLane, type DeliveryJob, type Lane } from './delivery.ts';
import { PARKED_RETENTION, type WebhookEndpoint } from './endpoint.ts';
import type { Event } from './event.ts';

/** The action of a consumer for one queue message. */
export type DeliveryPlan =
  /** The event or the endpoint no longer exists. */
  | { readonly action: 'cancel' }
  /**
   * Park the delivery: it waits for its endpoint to work again. It is due again at `until`, by default after a day (`park`). `breakerEvent`, if
   * any, is applied to the breaker first.
   */
  | { readonly action: 'park'; readonly until: Millis | undefined; readonly breakerEvent: BreakerEvent | undefined }
  /** The endpoint has been switched off for too long. */
  | { readonly action: 'give_up'; readonly breakerEvent: BreakerEvent }
  /** Post the delivery, or send it to the slow queue. With an `election`: do so only if the breaker accepts the election, otherwise park. */
  | {
      readonly action: 'attempt' | 'reroute';
      readonly event: Event;
      readonly endpoint: WebhookEndpoint;
      readonly election: BreakerEvent<'canary_elected'> | undefined;
    };

/**
 * The event, endpoint and breaker of a delivery. The event or the endpoint is undefined if it no longer exists. Without a breaker the endpoint is
 * healthy.
 */
export interface DeliveryContext {
  readonly event: Event | undefined;
  readonly endpoint: WebhookEndpoint | undefined;
  readonly breaker: Breaker | undefined;
}

const planWhileDisabled = ({ disabledAt }: WebhookEndpoint, now: Millis): DeliveryPlan => {
  const breakerEvent = { kind: 'endpoint_disabled' } as const;
  const until = (disabledAt ?? now) + PARKED_RETENTION;
  return now < until ? { action: 'park', until, breakerEvent } : { action: 'give_up', breakerEvent };
};

const PARK: DeliveryPlan = { action: 'park', until: undefined, breakerEvent: undefined };

/** Plans the action for one queue message, from what is stored about the delivery and from the queue of the message. */
export const planDelivery = (
  { event, endpoint, breaker }: DeliveryContext,
  job: DeliveryJob,
  lane: Lane,
  now: Millis,
): DeliveryPlan => {
  if (!event || !endpoint) return { action: 'cancel' };
  if (!endpoint.enabled) return planWhileDisabled(endpoint, now);

  const action = breaker && isSlow(breaker, now) && lane !== chooseLane(job, 'slow') ? 'reroute' : 'attempt';
  const attemptPlan: DeliveryPlan = { action, event, endpoint, election: undefined };
  if (job.byHand) return attemptPlan;
  if (breaker?.state !== 'open') {
    // A parked delivery is due. It stays parked, because only a drain releases it, at a limited rate. `parked_delivery_due` starts this drain, if
    // none runs.
    return job.parked ? { ...PARK, breakerEvent: { kind: 'parked_delivery_due', now } } : attemptPlan;
  }
  if (breaker.canary === null) {
    return { ...attemptPlan, election: { kind: 'canary_elected', eventId: job.eventId, replaces: null, at: now } };
  }
  return breaker.canary === job.eventId ? attemptPlan : PARK;
};
