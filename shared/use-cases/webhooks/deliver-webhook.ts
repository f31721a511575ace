import type { Millis } from '#shared/domain/kernel/time.ts';
import {
  afterFailure,
  afterSuccess,
  atRest,
  type Breaker,
  disableReason,
  drainNow,
  hasProbed,
  isSlow,
  withCanary,
} from '#shared/domain/webhooks/breaker.ts';
import {
  ATTEMPT_TIMEOUT,
  type Attempt,
  cancel,
  claim,
  type Delivery,
  type DeliveryJob,
  failAttempt,
  giveUpParked,
  park,
  succeed,
} from '#shared/domain/webhooks/delivery.ts';
import { PARKED_RETENTION, signingSecrets, type WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import type { Event } from '#shared/domain/webhooks/event.ts';
import { nextProbeAt, type RetrySchedule, retryAfterOf } from '#shared/domain/webhooks/retry-schedule.ts';
import { webhookHeaders } from '#shared/domain/webhooks/signature.ts';
import type { Log } from '#shared/observability/log.ts';
import type { Metrics } from '#shared/observability/metrics.ts';
import type { BusinessStore } from '#shared/ports/businesses.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { BreakerStore, DeliveryQueue, DeliveryStore, Lane, PostWebhook } from '#shared/ports/webhooks.ts';
import { changeBreaker } from './change-breaker.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import { electCanary } from './elect-canary.ts';
import { queueRetry } from './queue-retries.ts';

export interface DeliverDeps extends Pick<Runtime, 'now' | 'draw' | 'newId'> {
  readonly deliveries: DeliveryStore;
  readonly breakers: BreakerStore;
  readonly businesses: BusinessStore;
  readonly queue: DeliveryQueue;
  readonly post: PostWebhook;
  readonly schedule: RetrySchedule;
  readonly log: Log;
  readonly metrics: Metrics;
}

type Found = { readonly event: Event; readonly endpoint: WebhookEndpoint; readonly breaker: Breaker | undefined };

/** A drain that was put to rest, because its endpoint was off, begins anew as well. */
const drainIfIdle = (now: Millis) => (before: Breaker) =>
  before.state !== 'open' && before.dueAt === null ? drainNow(before, now) : undefined;

/**
 * Whether this job waits behind its failing endpoint. An open breaker without a canary makes this delivery its canary. What was
 * parked leaves with the drain only, at its bounded rate, and begins one where none runs.
 */
const waitsBehindBreaker = async (deps: DeliverDeps, job: DeliveryJob, { breaker }: Found): Promise<boolean> => {
  if (job.byHand) return false;
  if (breaker?.state !== 'open') {
    if (job.woken) await changeBreaker(deps, job.endpointId, breaker, drainIfIdle(deps.now()));
    return job.woken === true;
  }
  if (breaker.canary === job.eventId) return false;
  if (breaker.canary !== null) return true;
  return !(await deps.breakers.save(withCanary(breaker, job.eventId, deps.now())));
};

/** Parks it, and counts that once: what time brought for a look was parked before. */
const parkNow = async (deps: DeliverDeps, job: DeliveryJob, now: Millis, dueAt?: Millis): Promise<void> => {
  const parked = await deps.deliveries.apply(job, park(job, now, dueAt));
  if (parked && !job.woken) deps.metrics('deliveries_parked', 1);
};

/** The POST itself, as an attempt; the stored bytes with a signature of this moment. */
const post = async (deps: DeliverDeps, claimed: Delivery, { event, endpoint, breaker }: Found) => {
  const startedAt = deps.now();
  const headers = webhookHeaders(signingSecrets(endpoint, startedAt), event.id, startedAt, event.body);
  const answer = await deps.post({ url: endpoint.url, headers, body: event.body });
  const endedAt = deps.now();
  const { statusCode, error, response } = answer;
  const made: Attempt = {
    number: claimed.attempt,
    at: startedAt,
    statusCode,
    durationMs: endedAt - startedAt,
    error,
    response,
  };
  const succeeded = error === null && statusCode !== null && statusCode >= 200 && statusCode < 300;
  deps.log('delivery_attempted', {
    event_id: event.id,
    event_type: event.type,
    endpoint_id: endpoint.id,
    attempt: made.number,
    status_code: statusCode,
    milliseconds: made.durationMs,
    error,
    succeeded,
  });
  // What waited behind a failing endpoint, or was asked for later, tells nothing of our own speed.
  const isPrompt = made.number === 1 && (breaker?.state ?? 'closed') === 'closed';
  if (isPrompt) deps.metrics('first_attempt_lag', startedAt - claimed.createdAt);
  if (succeeded) deps.metrics('delivery_lag', endedAt - event.createdAt);
  return { made, endedAt, succeeded, retryAfter: retryAfterOf(statusCode, answer.retryAfter, endedAt) };
};

/**
 * One queue message (architecture.md section 5): read event, endpoint and breaker; claim the delivery under a lease; post; write
 * what came of it under that lease; queue the next attempt. Behind a failing or switched-off endpoint it is parked with one
 * write instead. A job that no longer describes its delivery is dropped. Whatever dies in between, the due-work index brings
 * the delivery back.
 */
export const deliverWebhook = async (deps: DeliverDeps, lane: Lane, job: DeliveryJob): Promise<void> => {
  const about = { event_id: job.eventId, endpoint_id: job.endpointId };
  const { event, endpoint, breaker } = await deps.deliveries.read(job);
  const now = deps.now();
  if (!event || !endpoint) {
    if (await deps.deliveries.apply(job, cancel(job, now))) deps.log('delivery_cancelled', about);
    return;
  }
  const found: Found = { event, endpoint, breaker };
  if (!endpoint.enabled) {
    // Nobody probes it and nothing drains until it is switched on again.
    if (breaker?.dueAt != null) await deps.breakers.save(atRest(breaker));
    const until = (endpoint.disabledAt ?? now) + PARKED_RETENTION;
    if (now < until) return parkNow(deps, job, now, until);
    // Told, but not counted with the exhausted: nobody is to be called for what a business left switched off.
    if (await deps.deliveries.apply(job, giveUpParked(job, now))) deps.log('delivery_given_up', about);
    return;
  }
  if (await waitsBehindBreaker(deps, job, found)) return parkNow(deps, job, now);
  // A slow endpoint's work goes round by its own queue; only there it is worked on.
  if (breaker && isSlow(breaker, now) && lane !== 'slow') return deps.queue.send('slow', [job]);

  const claimed = await deps.deliveries.apply(job, claim(job, deps.newId('lease'), now));
  if (!claimed) return deps.log('delivery_claim_lost', about);
  // A consumer that was frozen since its claim must not post what another may be posting.
  if (deps.now() + ATTEMPT_TIMEOUT >= claimed.leaseUntil) return deps.log('delivery_result_void', about);

  const { made, endedAt, succeeded, retryAfter } = await post(deps, claimed, found);
  // Before its result, so that no attempt that was made is missing from the history.
  if (!succeeded) await deps.deliveries.keepAttempt(job, made);
  const failed = { endedAt, retryAfter, schedule: deps.schedule, draw: deps.draw() };
  const outcome = succeeded ? succeed(claimed, made) : failAttempt(claimed, made, failed);
  const after = await deps.deliveries.apply(claimed, outcome);
  if (!after) return deps.log('delivery_result_void', about);
  if (after.state === 'exhausted') deps.metrics('deliveries_exhausted', 1);
  if (after.state === 'pending') await queueRetry(deps, after);

  const { durationMs, statusCode } = made;
  const seen = { eventId: event.id, endedAt, durationMs, statusCode, isRetry: claimed.tries > 0 };
  const state = await changeBreaker(deps, endpoint.id, breaker, (before) =>
    succeeded ? afterSuccess(before, seen) : afterFailure(before, seen, after.nextAttemptAt),
  );
  if (!state || succeeded) return;
  const reason = disableReason(state, seen);
  if (reason) return disableEndpoint(deps, endpoint, reason);
  if (!hasProbed(state)) return;
  const probe = { endedAt, retryAfter, probes: state.probes, failingSince: state.failingSince ?? endedAt };
  await electCanary(deps, state, nextProbeAt(deps.schedule, probe, failed.draw));
};
