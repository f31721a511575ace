import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Transition } from '#shared/platform/kernel/transition.ts';
import type { DueWork } from '#shared/sweeps/ports.ts';
import { type Delivery, type LiveLane, toDeliveryJob } from '#shared/webhooks/domain/delivery.ts';
import { markNotQueued, markQueued } from '#shared/webhooks/domain/delivery-transitions.ts';
import type { DeliveryKeyWithMode, DeliveryQueue } from '#shared/webhooks/ports.ts';
import { type SweepBreakerDeps, sweepBreaker } from '#shared/webhooks/use-cases/sweep-breaker.ts';
import { forEachUntil, runSequentially, type SweepDeps, sweep, sweepLowPriority, TEST_AT_ONCE } from './sweep.ts';

export interface SweepDeliveriesDeps extends SweepDeps, SweepBreakerDeps {
  readonly queue: DeliveryQueue<SweptLane>;
}

/** The queues to which the sweeper sends. It does not send to `slow`: consumers move deliveries there, because they read the breaker. */
type SweptLane = Exclude<LiveLane, 'slow'>;

type DeliveryWork = Extract<DueWork, { kind: 'delivery' }>;
type BreakerWork = Extract<DueWork, { kind: 'breaker' }>;

const isDelivery = (work: DueWork): work is DeliveryWork => work.kind === 'delivery';
const isBreaker = (work: DueWork): work is BreakerWork => work.kind === 'breaker';

const isNew = (delivery: Delivery): boolean => delivery.attempt === 0;
const isRetry = (delivery: Delivery): boolean => !isNew(delivery);

/** Applies a transition. Undefined if it cannot be written: the failure of one delivery must not stop the others. */
const applySafely = (
  deps: SweepDeliveriesDeps,
  key: DeliveryKeyWithMode,
  transition: Transition<Delivery>,
): Promise<Delivery | undefined> =>
  deps.deliveries.apply(key, transition).catch((error: unknown) => {
    deps.log('work_failed', { kind: 'delivery' }, error);
    return undefined;
  });

const queueMarked = async (deps: SweepDeliveriesDeps, lane: SweptLane, marked: readonly Delivery[]): Promise<void> => {
  if (marked.length === 0) return;
  try {
    await deps.queue.send(lane, marked.map(toDeliveryJob));
  } catch (error) {
    deps.log('deliveries_not_queued', { count: marked.length }, error);
    await Promise.all(marked.map((delivery) => applySafely(deps, delivery, markNotQueued(delivery, deps.now()))));
  }
};

/** Sends due deliveries to their queues. */
const queueDue = async (deps: SweepDeliveriesDeps, works: readonly DeliveryWork[]): Promise<void> => {
  const now = deps.now();
  const applied = await Promise.all(works.map((work) => applySafely(deps, work, markQueued(work.dueAt, now))));
  const marked = applied.filter((delivery) => delivery !== undefined);
  await Promise.all([
    queueMarked(deps, 'first', marked.filter(isNew)),
    queueMarked(deps, 'retry', marked.filter(isRetry)),
  ]);
};

const sweepSafely = async (deps: SweepDeliveriesDeps, { endpointId }: BreakerWork, deadline: Millis): Promise<void> => {
  try {
    await sweepBreaker(deps, endpointId, deadline);
  } catch (error) {
    deps.log('work_failed', { kind: 'breaker' }, error);
  }
};

/**
 * Works on due deliveries and breakers until `deadline` (milliseconds since the epoch): lost messages, lapsed leases, long retries, parked
 * deliveries, drains and canaries. Live mode comes first.
 */
export const sweepDeliveries = (deps: SweepDeliveriesDeps, deadline: Millis): Promise<void> => {
  const live = (page: readonly DueWork[]) =>
    Promise.all([
      queueDue(deps, page.filter(isDelivery)),
      ...page.filter(isBreaker).map((breaker) => sweepSafely(deps, breaker, deadline)),
    ]);
  const test = async (batch: readonly DueWork[], shareEnds: Millis) => {
    await queueDue(deps, batch.filter(isDelivery));
    // A step of a drain makes thousands of writes. So drains run one at a time, until this family's time is over.
    await forEachUntil(deps, shareEnds, batch.filter(isBreaker), (breaker) => sweepSafely(deps, breaker, shareEnds));
  };
  return runSequentially(
    () => sweep(deps, 'deliveries', deadline, live),
    () => sweepLowPriority(deps, 'test_deliveries', deadline, { atOnce: TEST_AT_ONCE, work: test }),
  );
};
