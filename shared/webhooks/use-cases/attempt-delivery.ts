import type { BusinessStore } from '#shared/businesses/ports.ts';
import { parseRetryAfter } from '#shared/platform/kernel/retry-after.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { type Breaker, disableCause, needsCanary } from '#shared/webhooks/domain/breaker.ts';
import {
  ATTEMPT_TIMEOUT,
  type Attempt,
  type Delivery,
  type DeliveryJob,
  toDeliveryJob,
} from '#shared/webhooks/domain/delivery.ts';
import {
  failAttempt,
  park,
  startAttempt,
  startAttemptInPlace,
  succeed,
} from '#shared/webhooks/domain/delivery-transitions.ts';
import { parseHost, type WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import { type Event, isAboutLiveMoney } from '#shared/webhooks/domain/event.ts';
import { nextProbeAt, type RetrySchedule } from '#shared/webhooks/domain/retry-schedule.ts';
import { webhookHeaders } from '#shared/webhooks/domain/signature.ts';
import type { BreakerStore, DeliveryQueue, DeliveryStore, PostWebhook } from '#shared/webhooks/ports.ts';
import { changeBreaker } from './change-breaker.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import { electCanary } from './elect-canary.ts';
import { openSigningSecrets, type SealDeps } from './open-secrets.ts';
import { queueRetry } from './queue-retries.ts';
import { addHealthNotice } from './tell-health.ts';

export interface AttemptDeps extends SealDeps, Pick<Runtime, 'now' | 'draw' | 'newId' | 'pause'> {
  readonly deliveries: DeliveryStore;
  readonly breakers: BreakerStore;
  readonly businesses: BusinessStore;
  readonly queue: DeliveryQueue;
  readonly post: PostWebhook;
  readonly schedule: RetrySchedule;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The event and endpoint of an attempt. Without a breaker the endpoint is healthy. */
interface Target {
  readonly event: Event;
  readonly endpoint: WebhookEndpoint;
  readonly breaker: Breaker | undefined;
}

interface Outcome {
  readonly attempt: Attempt;
  readonly endedAt: Millis;
  readonly succeeded: boolean;
  /** The wait that the endpoint asked for. Milliseconds. */
  readonly retryAfter: Millis | null;
}

/**
 * Whether this service caused the wait before a first attempt. It did not if the delivery was parked, redelivered or recovered, or if the
 * endpoint's breaker is not closed: the merchant or its endpoint caused these waits. Test mode does not count, because anybody can cause a wait
 * there.
 */
const isServiceLag = ({ mode, attempt, redeliveries, wasParked }: Delivery, breaker: Breaker | undefined): boolean =>
  mode === 'live' && attempt === 1 && redeliveries === 0 && !wasParked && (breaker?.state ?? 'closed') === 'closed';

const report = (deps: AttemptDeps, delivery: Delivery, { event, endpoint, breaker }: Target, outcome: Outcome) => {
  const { attempt, endedAt, succeeded } = outcome;
  deps.log('delivery_attempted', {
    event_id: event.id,
    event_type: event.type,
    endpoint_id: endpoint.id,
    attempt: attempt.number,
    status_code: attempt.statusCode,
    milliseconds: attempt.durationMs,
    error: attempt.error,
    succeeded,
  });
  if (isServiceLag(delivery, breaker)) deps.metrics('first_attempt_lag', attempt.at - delivery.createdAt);
  if (succeeded) deps.metrics('delivery_lag', endedAt - event.createdAt);
};

/** Posts the stored bytes, signed with the present time. */
const post = async (
  deps: AttemptDeps,
  delivery: Delivery,
  { event, endpoint }: Target,
  secrets: readonly string[],
): Promise<Outcome> => {
  const at = deps.now();
  const headers = webhookHeaders(secrets, event.id, at, event.body);
  const { statusCode, error, response, retryAfter } = await deps.post({
    url: endpoint.url,
    headers,
    body: event.body,
  });
  const endedAt = deps.now();
  return {
    attempt: { number: delivery.attempt, at, statusCode, durationMs: endedAt - at, error, response },
    endedAt,
    succeeded: statusCode !== null && statusCode >= 200 && statusCode < 300,
    retryAfter: parseRetryAfter(statusCode, retryAfter, endedAt),
  };
};

/**
 * Applies the outcome to the breaker. If necessary, it then switches the endpoint off or elects another canary. Returns whether another delivery
 * is the canary now.
 */
const updateBreaker = async (
  deps: AttemptDeps,
  { event, endpoint, breaker }: Target,
  { attempt: postedAttempt, endedAt, succeeded, retryAfter }: Outcome,
  { isRetry, nextAttemptAt, draw }: { isRetry: boolean; nextAttemptAt: Millis | null; draw: number },
): Promise<boolean> => {
  const { durationMs, statusCode } = postedAttempt;
  const breakerEndpoint = { endpointId: endpoint.id, mode: endpoint.mode };
  const attempt = { eventId: event.id, endedAt, durationMs, statusCode, isRetry };
  const answer = { statusCode, error: postedAttempt.error };
  const addNotice = addHealthNotice(deps, endedAt, {
    businessId: endpoint.businessId,
    host: parseHost(endpoint.url),
    answer,
  });
  if (succeeded) {
    await changeBreaker(deps, breakerEndpoint, breaker, { kind: 'attempt_succeeded', attempt }, addNotice);
    return false;
  }
  const after = await changeBreaker(
    deps,
    breakerEndpoint,
    breaker,
    { kind: 'attempt_failed', attempt, nextAttemptAt },
    addNotice,
  );
  if (!after) return false;
  const cause = disableCause(after, attempt);
  if (cause) await disableEndpoint(deps, endpoint, cause, answer);
  if (cause || !needsCanary(after)) return false;
  const probe = { endedAt, retryAfter, probes: after.probes, failingSince: after.outage?.since ?? endedAt };
  return (await electCanary(deps, after, nextProbeAt(deps.schedule, probe, draw))) === 'elected';
};

/** Leases the delivery. Returns undefined if the delivery is not as the job describes it. */
const lease = async (deps: AttemptDeps, job: DeliveryJob, now: Millis): Promise<Delivery | undefined> => {
  const token = deps.newId('lease');
  const inPlace = startAttemptInPlace(job, token, now);
  return (
    (inPlace && (await deps.deliveries.apply(job, inPlace))) ??
    deps.deliveries.apply(job, startAttempt(job, token, now))
  );
};

/**
 * Makes one attempt: leases the delivery, posts it, and writes the outcome under that lease. Then it updates the breaker and queues the
 * retry. A consumer that has lost the lease writes no result.
 */
export const attemptDelivery = async (
  deps: AttemptDeps,
  job: DeliveryJob,
  target: Target,
  now: Millis,
): Promise<void> => {
  const ids = { event_id: job.eventId, endpoint_id: job.endpointId };
  // The secrets are opened before the lease. If they cannot be opened, the delivery stays as it is.
  const secrets = await openSigningSecrets(deps, target.endpoint, now);
  const delivery = await lease(deps, job, now);
  if (!delivery) return deps.log('delivery_job_void', ids);
  // If this consumer was frozen after it took the lease, the lease may end before this attempt ends. Then another consumer may post the delivery, too.
  if (deps.now() + ATTEMPT_TIMEOUT >= delivery.leaseUntil) return deps.log('attempt_not_started', ids);

  const outcome = await post(deps, delivery, target, secrets);
  const { attempt, endedAt, succeeded, retryAfter } = outcome;
  report(deps, delivery, target, outcome);
  // The attempt is stored before the result, so that a crash in between loses no attempt from the history.
  if (!succeeded) await deps.deliveries.saveAttempt(job, attempt);
  const draw = deps.draw();
  const result = succeeded
    ? succeed(delivery, attempt)
    : failAttempt(delivery, attempt, { endedAt, retryAfter, schedule: deps.schedule, draw });
  if (!(await deps.deliveries.apply(delivery, result))) return deps.log('delivery_result_void', ids);
  // This is the delivery after this attempt. The stored one may have been redelivered since.
  const after: Delivery = { ...delivery, ...result.set };
  // Endpoints fail often, so an alarm calls people for live money only.
  if (after.state === 'exhausted' && isAboutLiveMoney(target.event)) deps.metrics('deliveries_exhausted', 1);
  const retry = { isRetry: delivery.tries > 0, nextAttemptAt: after.nextAttemptAt, draw };
  const isReplaced = await updateBreaker(deps, target, outcome, retry);
  if (after.state !== 'pending') return;
  if (!isReplaced) return queueRetry(deps, after);
  // This delivery is no longer the canary, so it is parked, and a drain releases it when the endpoint works again. Its own retry may then still
  // be hours away.
  if (await deps.deliveries.apply(after, park(toDeliveryJob(after), deps.now()))) deps.metrics('deliveries_parked', 1);
};
