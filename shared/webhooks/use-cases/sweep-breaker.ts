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

/** Writes under way at once. */
const MAX_CONCURRENT = 50;

/** Brings a retry that waits for its time forward. */
const hasten = async (deps: SweepBreakerDeps, waiting: Delivery, now: Millis): Promise<void> => {
  if (waiting.nextAttemptAt === null || waiting.nextAttemptAt <= now) return;
  await deps.deliveries.apply(waiting, retryNow(waiting, now));
};

/**
 * Releases the next parked deliveries, oldest first, spread evenly over the time until the next step. A step continues behind the last
 * one, also of a drain that was interrupted: what the endpoint always refuses would be released again and again. What is not released by
 * `deadline` stays parked for a later step. The first step retries the canary, whose own time may be hours away.
 */
const drainStep = async (deps: SweepBreakerDeps, breaker: Draining, dueAt: Millis, deadline: Millis): Promise<void> => {
  const { endpointId, stepSize, lastReleasedId } = breaker;
  const canary = breaker.canary && (await deps.deliveries.find({ endpointId, eventId: breaker.canary }));
  const parked = await deps.deliveries.nextToDrain(endpointId, lastReleasedId, stepSize);
  const last = parked.at(-1);
  const now = deps.now();
  // Written before the deliveries are released: of two sweepers one takes the step, and after a crash the next step releases the rest.
  // Fewer than asked for do not end a drain, because a sweeper may have crashed while it released the last ones.
  const step = last
    ? ({ kind: 'batch_released', lastEventId: last.eventId, dueAt, now } as const)
    : ({ kind: 'nothing_parked', dueAt, now } as const);
  // The end of a drain is when owners hear that the endpoint is well again.
  if (!(await changeBreaker(deps, breaker, breaker, step, addHealthNotice(deps, now)))) return;
  if (canary) await hasten(deps, canary, now);
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
 * Makes sure that a delivery probes the endpoint. A canary that waits is retried now, one that is being delivered is left alone, and
 * one that is finished is replaced by the next parked delivery.
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
  await hasten(deps, canary, now);
};

/**
 * Does what is due for an endpoint's breaker: the next step of a drain, or the search for a canary. A step releases nothing after
 * `deadline` (milliseconds since the epoch), or other endpoints' work would end with the function that does it.
 */
export const sweepBreaker = async (deps: SweepBreakerDeps, endpointId: string, deadline: Millis): Promise<void> => {
  const breaker = await deps.breakers.find(endpointId);
  if (!breaker || breaker.state === 'closed') return;
  const dueAt = breakerDueAt(breaker);
  if (dueAt === null || dueAt > deps.now()) return;
  await (breaker.state === 'draining' ? drainStep(deps, breaker, dueAt, deadline) : ensureCanary(deps, breaker, dueAt));
};
