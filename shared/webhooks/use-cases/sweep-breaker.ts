import { inBatches } from '#shared/platform/kernel/batches.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { breakerDueAt, type Draining, type Open } from '#shared/webhooks/domain/breaker.ts';
import { DRAIN_STEP_EVERY } from '#shared/webhooks/domain/breaker-transitions.ts';
import type { Delivery } from '#shared/webhooks/domain/delivery.ts';
import { retryNow, unpark } from '#shared/webhooks/domain/delivery-transitions.ts';
import { changeBreaker } from './change-breaker.ts';
import { type ElectCanaryDeps, electCanary } from './elect-canary.ts';
import { queueRetries } from './queue-retries.ts';
import { addHealthNotice } from './tell-health.ts';

export interface SweepBreakerDeps extends ElectCanaryDeps, Pick<Runtime, 'newId'> {
  readonly metrics: Metrics;
}

/** The number of writes that run at once. */
const MAX_CONCURRENT = 50;

/** Makes a waiting retry due now. */
const retryWaiting = async (deps: SweepBreakerDeps, waiting: Delivery, now: Millis): Promise<void> => {
  if (waiting.nextAttemptAt === null || waiting.nextAttemptAt <= now) return;
  await deps.deliveries.apply(waiting, retryNow(waiting, now));
};

/**
 * Releases the next parked deliveries, oldest first, spread evenly over the time until the next step. A step continues where the last step ended,
 * even if that step belongs to a drain that was cut short. If each drain began with the oldest event, and the endpoint rejected the oldest
 * events, only these would ever be released. A delivery that is not released by `deadline` stays parked for a later step. The first step retries
 * the canary, because its own retry may be hours away.
 */
const drainStep = async (deps: SweepBreakerDeps, breaker: Draining, dueAt: Millis, deadline: Millis): Promise<void> => {
  const { endpointId, stepSize, lastReleasedId } = breaker;
  const canary = breaker.canary && (await deps.deliveries.find({ endpointId, eventId: breaker.canary }));
  const parked = await deps.deliveries.nextToDrain(endpointId, lastReleasedId, stepSize);
  const last = parked.at(-1);
  const now = deps.now();
  // The breaker is written before the release: only one of two sweepers takes the step. After a crash a later step releases the rest: the drain
  // goes on after the last id, then begins at the oldest again. So a step that reads fewer deliveries than it may release does not end the drain:
  // only two steps in a row that find nothing parked end it.
  const step = last
    ? ({ kind: 'batch_released', lastEventId: last.eventId, dueAt, now } as const)
    : ({ kind: 'nothing_parked', dueAt, now } as const);
  // If this ends the drain, owners who were mailed about the failure are mailed that the endpoint works again.
  if (!(await changeBreaker(deps, breaker, breaker, step, addHealthNotice(deps, now)))) return;
  if (canary) await retryWaiting(deps, canary, now);
  let drained = 0;
  for (const [i, batch] of inBatches(parked, MAX_CONCURRENT).entries()) {
    if (deps.now() >= deadline) break;
    const delaySeconds = Math.floor(((DRAIN_STEP_EVERY / SECOND) * i * MAX_CONCURRENT) / stepSize);
    const at = deps.now() + delaySeconds * SECOND;
    const released = await Promise.all(
      batch.map((delivery) => deps.deliveries.apply(delivery, unpark(delivery, at, deps.now()))),
    );
    const waiting = released.filter((delivery) => delivery !== undefined);
    if (waiting.length > 0) await queueRetries(deps, waiting, delaySeconds);
    drained += batch.length;
  }
  deps.metrics('deliveries_drained', drained);
};

/**
 * Ensures that a delivery probes the endpoint. It retries a waiting canary now, and leaves a canary in progress alone. If the canary is finished
 * or parked, or there is none, the next parked delivery becomes the canary.
 */
const ensureCanary = async (deps: SweepBreakerDeps, breaker: Open, dueAt: Millis): Promise<void> => {
  const { endpointId } = breaker;
  const canary = breaker.canary && (await deps.deliveries.find({ endpointId, eventId: breaker.canary }));
  const now = deps.now();
  if (!canary || (canary.state !== 'pending' && canary.state !== 'delivering')) {
    const election = await electCanary(deps, breaker, now);
    if (election === 'none_parked') await changeBreaker(deps, breaker, breaker, { kind: 'nothing_parked', dueAt, now });
    return;
  }
  const nextAttemptAt = Math.max(now, canary.leaseUntil);
  const event = { kind: 'canary_found', eventId: canary.eventId, nextAttemptAt } as const;
  if (!(await changeBreaker(deps, breaker, breaker, event))) return;
  await retryWaiting(deps, canary, now);
};

/**
 * Does the due work of an endpoint's breaker: it takes the next step of a drain, or ensures a canary. A step releases nothing after
 * `deadline` (milliseconds since the epoch), so that the function has time left for other endpoints.
 */
export const sweepBreaker = async (deps: SweepBreakerDeps, endpointId: string, deadline: Millis): Promise<void> => {
  const breaker = await deps.breakers.find(endpointId);
  if (!breaker || breaker.state === 'closed') return;
  const dueAt = breakerDueAt(breaker);
  if (dueAt === null || dueAt > deps.now()) return;
  await (breaker.state === 'draining' ? drainStep(deps, breaker, dueAt, deadline) : ensureCanary(deps, breaker, dueAt));
};
