import { inBatches } from '#shared/domain/kernel/batches.ts';
import { SECOND } from '#shared/domain/kernel/time.ts';
import {
  afterDrainStep,
  afterEmptyLook,
  type Breaker,
  DRAIN_EVERY,
  watchCanary,
} from '#shared/domain/webhooks/breaker.ts';
import { type Delivery, hasten, unpark } from '#shared/domain/webhooks/delivery.ts';
import type { Metrics } from '#shared/observability/metrics.ts';
import { changeBreaker } from './change-breaker.ts';
import { type ElectDeps, electCanary } from './elect-canary.ts';
import { queueRetries } from './queue-retries.ts';

export interface TendDeps extends ElectDeps {
  readonly metrics: Metrics;
}

/** Writes under way at once. */
const ABREAST = 50;

/**
 * Lets the next parked deliveries go, oldest first, spread evenly over the time until the next step. It goes on behind those of the
 * last step, also of a drain that the endpoint cut short: what it refuses must not be all that ever leaves.
 */
const drainStep = async (deps: TendDeps, before: Breaker): Promise<void> => {
  const parked = await deps.deliveries.nextToDrain(before.endpointId, before.drained, before.drain);
  // The step is taken before it is made: of two sweepers one makes it, and a crash leaves the rest for the next step. The attempts
  // of a slow endpoint write the breaker too, and take none.
  const taken = await changeBreaker(deps, before.endpointId, before, (current) =>
    current.state === 'draining' && current.dueAt === before.dueAt
      ? afterDrainStep(current, parked.at(-1)?.eventId ?? null, deps.now())
      : undefined,
  );
  if (!taken) return;
  for (const [i, batch] of inBatches(parked, ABREAST).entries()) {
    const delaySeconds = Math.floor(((DRAIN_EVERY / SECOND) * i * ABREAST) / before.drain);
    const at = deps.now() + delaySeconds * SECOND;
    const freed = await Promise.all(
      batch.map((delivery) => deps.deliveries.apply(delivery, unpark(delivery, at, deps.now()))),
    );
    const going = freed.filter((delivery) => delivery !== undefined);
    if (going.length > 0) await queueRetries(deps, going, delaySeconds);
  }
  deps.metrics('deliveries_drained', parked.length);
};

const PROBING = new Set<Delivery['state']>(['pending', 'delivering']);

/**
 * Sees that somebody probes: one that is about to is left alone, one that still waits is not waited for, and one that is gone is
 * replaced by the next parked delivery.
 */
const mindCanary = async (deps: TendDeps, before: Breaker): Promise<void> => {
  const { endpointId } = before;
  const canary = before.canary && (await deps.deliveries.find({ endpointId, eventId: before.canary }));
  const now = deps.now();
  if (!canary || !PROBING.has(canary.state)) {
    if (!(await electCanary(deps, before, now))) await deps.breakers.save(afterEmptyLook(before, now));
    return;
  }
  if (!(await deps.breakers.save(watchCanary(before, Math.max(now, canary.leaseUntil))))) return;
  if (canary.nextAttemptAt !== null && canary.nextAttemptAt > now)
    await deps.deliveries.apply(canary, hasten(canary, now));
};

/** What time asks of an endpoint's breaker: to go on draining, or to see that a canary lives. */
export const tendBreaker = async (deps: TendDeps, endpointId: string): Promise<void> => {
  const breaker = await deps.breakers.find(endpointId);
  if (breaker?.dueAt == null || breaker.dueAt > deps.now()) return;
  await (breaker.state === 'draining' ? drainStep(deps, breaker) : mindCanary(deps, breaker));
};
