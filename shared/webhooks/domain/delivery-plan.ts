import type { Millis } from '#shared/platform/kernel/time.ts';
import { type Breaker, isSlow } from './breaker.ts';
import type { BreakerEvent } from './breaker-transitions.ts';
import { chooseLane, type DeliveryJob, type Lane } from './delivery.ts';
import { PARKED_RETENTION, type WebhookEndpoint } from './endpoint.ts';
import type { Event } from './event.ts';

/** What a consumer does about one queue message. */
export type DeliveryPlan =
  /** The event or the endpoint no longer exists. */
  | { readonly action: 'cancel' }
  /** It waits behind its endpoint; due again at `until`, or after the usual time. The breaker gets the event, if any. */
  | { readonly action: 'park'; readonly until: Millis | undefined; readonly breakerEvent: BreakerEvent | undefined }
  /** The endpoint has been switched off for too long. */
  | { readonly action: 'give_up'; readonly breakerEvent: BreakerEvent }
  /** Post it, or pass it on to the queue of slow endpoints. With an `election` only if the breaker takes it, else park. */
  | {
      readonly action: 'attempt' | 'reroute';
      readonly event: Event;
      readonly endpoint: WebhookEndpoint;
      readonly election: BreakerEvent<'canary_elected'> | undefined;
    };

/** What is read of a delivery before it is planned; undefined where it does not exist. No breaker: the endpoint is healthy. */
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

/** Decides about one queue message from what is stored and the queue that it came from (architecture.md section 5). */
export const planDelivery = (
  { event, endpoint, breaker }: DeliveryContext,
  job: DeliveryJob,
  lane: Lane,
  now: Millis,
): DeliveryPlan => {
  if (!event || !endpoint) return { action: 'cancel' };
  if (!endpoint.enabled) return planWhileDisabled(endpoint, now);

  const action = breaker && isSlow(breaker, now) && lane !== chooseLane(job, 'slow') ? 'reroute' : 'attempt';
  const go: DeliveryPlan = { action, event, endpoint, election: undefined };
  if (job.byHand) return go;
  if (breaker?.state !== 'open') {
    // A parked delivery leaves with a drain only, at its bounded rate.
    return job.parked ? { ...PARK, breakerEvent: { kind: 'parked_delivery_due', now } } : go;
  }
  if (breaker.canary === null) {
    return { ...go, election: { kind: 'canary_elected', eventId: job.eventId, replaces: null, at: now } };
  }
  return breaker.canary === job.eventId ? go : PARK;
};
