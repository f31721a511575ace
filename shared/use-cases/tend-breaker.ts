import { afterDrainStep, type Breaker, DRAIN_EVERY, watchCanary, withCanary } from '#shared/domain/breaker.ts';
import { type Delivery, jobOf, unpark } from '#shared/domain/delivery.ts';
import { SECOND } from '#shared/domain/time.ts';
import type { BreakerStore, DeliveryQueue, DeliveryStore, Log, Metrics, Nature } from '#shared/ports.ts';

export interface TendDeps extends Pick<Nature, 'now'> {
  readonly breakers: BreakerStore;
  readonly deliveries: DeliveryStore;
  readonly queue: DeliveryQueue<'retry'>;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Writes under way at once. */
const ABREAST = 50;

const inBatches = async <T>(items: readonly T[], work: (batch: readonly T[], first: number) => Promise<void>) => {
  for (let first = 0; first < items.length; first += ABREAST) await work(items.slice(first, first + ABREAST), first);
};

const send = async (deps: TendDeps, deliveries: readonly Delivery[], delaySeconds: number): Promise<void> => {
  try {
    await deps.queue.send('retry', deliveries.map(jobOf), delaySeconds);
  } catch (error) {
    // They are due in some minutes all the same.
    deps.log('deliveries_not_queued', { count: deliveries.length }, error);
  }
};

/** Lets the oldest parked deliveries go, spread evenly over the time until the next step. */
const drainStep = async (deps: TendDeps, before: Breaker): Promise<void> => {
  const parked = await deps.deliveries.waiting(before.endpointId, 'parked', before.drain);
  // The step is taken before it is made: of two sweepers one makes it, and a crash leaves the rest for the next step.
  if (!(await deps.breakers.save(afterDrainStep(before, parked.length, deps.now())))) return;
  await inBatches(parked, async (batch, first) => {
    const delaySeconds = Math.floor(((DRAIN_EVERY / SECOND) * first) / before.drain);
    const at = deps.now() + delaySeconds * SECOND;
    const freed = await Promise.all(batch.map((delivery) => deps.deliveries.apply(delivery, unpark(delivery, at))));
    const going = freed.filter((delivery) => delivery !== undefined);
    if (going.length > 0) await send(deps, going, delaySeconds);
  });
  deps.metrics('deliveries_drained', parked.length);
};

const PROBING = new Set<Delivery['state']>(['pending', 'delivering']);

/** Sees that somebody probes: the canary that does is left alone, one that is gone is replaced by the oldest parked delivery. */
const mindCanary = async (deps: TendDeps, before: Breaker): Promise<void> => {
  const { endpointId } = before;
  const canary = before.canary && (await deps.deliveries.find({ endpointId, eventId: before.canary }));
  const now = deps.now();
  if (canary && PROBING.has(canary.state)) {
    await deps.breakers.save(watchCanary(before, Math.max(now, canary.nextAttemptAt ?? canary.leaseUntil)));
    return;
  }
  const [oldest] = await deps.deliveries.waiting(endpointId, 'parked', 1);
  if (!(await deps.breakers.save(withCanary(before, oldest?.eventId ?? null, now))) || !oldest) return;
  const elected = await deps.deliveries.apply(oldest, unpark(oldest, now));
  if (elected) await send(deps, [elected], 0);
};

/** What time asks of an endpoint's breaker: to go on draining, or to see that a canary lives. */
export const tendBreaker = async (deps: TendDeps, endpointId: string): Promise<void> => {
  const breaker = await deps.breakers.find(endpointId);
  if (breaker?.dueAt == null || breaker.dueAt > deps.now()) return;
  await (breaker.state === 'draining' ? drainStep(deps, breaker) : mindCanary(deps, breaker));
};
