import type { Millis } from '#shared/domain/kernel/time.ts';
import type { Transition } from '#shared/domain/kernel/transition.ts';
import type { Lane } from '#shared/domain/webhooks/delivery.ts';
import { type Delivery, jobOf } from '#shared/domain/webhooks/delivery.ts';
import { markNotQueued, markQueued } from '#shared/domain/webhooks/delivery-transitions.ts';
import type { DueWork } from '#shared/ports/sweeps.ts';
import type { DeliveryAt, DeliveryQueue } from '#shared/ports/webhooks.ts';
import { type SweepBreakerDeps, sweepBreaker } from '#shared/use-cases/webhooks/sweep-breaker.ts';
import { type SweepDeps, sweep } from './sweep.ts';

export interface SweepDeliveriesDeps extends SweepDeps, SweepBreakerDeps {
  readonly queue: DeliveryQueue<SweptLane>;
}

/** What is slow goes round by its own queue; nothing of it is due. */
type SweptLane = Exclude<Lane, 'slow'>;

type DeliveryWork = Extract<DueWork, { kind: 'delivery' }>;
type BreakerWork = Extract<DueWork, { kind: 'breaker' }>;

const isDelivery = (work: DueWork): work is DeliveryWork => work.kind === 'delivery';
const isBreaker = (work: DueWork): work is BreakerWork => work.kind === 'breaker';

const isNew = (delivery: Delivery): boolean => delivery.attempt === 0;
const isOld = (delivery: Delivery): boolean => !isNew(delivery);

/** Undefined where it cannot be written: what becomes of one delivery must not hold up another. */
const applyAlone = (
  deps: SweepDeliveriesDeps,
  at: DeliveryAt,
  transition: Transition<Delivery>,
): Promise<Delivery | undefined> =>
  deps.deliveries.apply(at, transition).catch((error: unknown) => {
    deps.log('work_failed', { kind: 'delivery' }, error);
    return undefined;
  });

const sendTaken = async (deps: SweepDeliveriesDeps, lane: SweptLane, taken: readonly Delivery[]): Promise<void> => {
  if (taken.length === 0) return;
  try {
    await deps.queue.send(lane, taken.map(jobOf));
  } catch (error) {
    deps.log('deliveries_not_queued', { count: taken.length }, error);
    await Promise.all(taken.map((delivery) => applyAlone(deps, delivery, markNotQueued(delivery, deps.now()))));
  }
};

/** Sends due deliveries to their queues: each is pushed forward first, so that whoever else sweeps leaves it alone. */
const sendDue = async (deps: SweepDeliveriesDeps, works: readonly DeliveryWork[]): Promise<void> => {
  const now = deps.now();
  const applied = await Promise.all(works.map((work) => applyAlone(deps, work, markQueued(work.dueAt, now))));
  const taken = applied.filter((delivery) => delivery !== undefined);
  await Promise.all([sendTaken(deps, 'first', taken.filter(isNew)), sendTaken(deps, 'retry', taken.filter(isOld))]);
};

const tend = async (deps: SweepDeliveriesDeps, { endpointId }: BreakerWork): Promise<void> => {
  try {
    await sweepBreaker(deps, endpointId);
  } catch (error) {
    deps.log('work_failed', { kind: 'breaker' }, error);
  }
};

/** Takes up what time owes to webhooks: lost sends, lapsed leases, long retries, parked work, breakers. Until `deadline`. */
export const sweepDeliveries = (deps: SweepDeliveriesDeps, deadline: Millis): Promise<void> =>
  sweep(deps, 'deliveries', deadline, (page) =>
    Promise.all([
      sendDue(deps, page.filter(isDelivery)),
      ...page.filter(isBreaker).map((breaker) => tend(deps, breaker)),
    ]),
  );
