import { type Delivery, jobOf, putBack, takeUp } from '#shared/domain/delivery.ts';
import type { Millis } from '#shared/domain/time.ts';
import type { DeliveryQueue, DueIndex, DueWork, Lane, Providers } from '#shared/ports.ts';
import type { ChangeDeps } from './change-checkout.ts';
import { expireCheckout } from './expire-checkout.ts';
import { settleVirtualAccount } from './settle-virtual-account.ts';
import { type TendDeps, tendBreaker } from './tend-breaker.ts';

export interface SweepDeps extends Omit<ChangeDeps, 'queue'>, TendDeps {
  readonly queue: DeliveryQueue;
  readonly dueIndex: DueIndex;
  readonly providers: Providers;
}

const PAGE = 100;

type DeliveryWork = Extract<DueWork, { kind: 'delivery' }>;
type OwnerWork = Exclude<DueWork, DeliveryWork>;

const isDelivery = (work: DueWork): work is DeliveryWork => work.kind === 'delivery';
const isOwner = (work: DueWork): work is OwnerWork => work.kind !== 'delivery';

const isNew = (delivery: Delivery): boolean => delivery.attempt === 0;
const isOld = (delivery: Delivery): boolean => !isNew(delivery);

const sendTaken = async (deps: SweepDeps, lane: Lane, taken: readonly Delivery[]): Promise<void> => {
  if (taken.length === 0) return;
  try {
    await deps.queue.send(lane, taken.map(jobOf));
  } catch (error) {
    deps.log('deliveries_not_queued', { count: taken.length }, error);
    await Promise.all(taken.map((delivery) => deps.deliveries.apply(delivery, putBack(delivery, deps.now()))));
  }
};

/** Sends due deliveries to their queues: each is pushed forward first, so that whoever else sweeps leaves it alone. */
const sendDue = async (deps: SweepDeps, works: readonly DeliveryWork[]): Promise<void> => {
  const now = deps.now();
  // One that cannot be taken must not keep those that were from being sent.
  const take = (work: DeliveryWork): Promise<Delivery | undefined> =>
    deps.deliveries.apply(work, takeUp(work.dueAt, now)).catch((error: unknown) => {
      deps.log('work_failed', { kind: work.kind }, error);
      return undefined;
    });
  const taken = (await Promise.all(works.map(take))).filter((delivery) => delivery !== undefined);
  await Promise.all([sendTaken(deps, 'first', taken.filter(isNew)), sendTaken(deps, 'retry', taken.filter(isOld))]);
};

/** Does what is due for a checkout, a virtual account or a breaker. What fails is logged and stays due. */
const settleDue = async (deps: SweepDeps, work: OwnerWork): Promise<void> => {
  try {
    if (work.kind === 'breaker') return await tendBreaker(deps, work.endpointId);
    const owner =
      work.kind === 'checkout'
        ? ({ kind: 'checkout', reference: work.reference } as const)
        : ({ kind: 'virtual_account', id: work.id } as const);
    const tenant = await deps.ledger.tenantOf(owner);
    if (!tenant) return;
    if (owner.kind === 'checkout') await expireCheckout(deps, tenant, owner.reference);
    else await settleVirtualAccount(deps, tenant, owner.id);
  } catch (error) {
    deps.log('work_failed', { kind: work.kind }, error);
  }
};

/**
 * One sweep of the due-work index (architecture.md section 5): everything that was due when it began, shard by shard,
 * oldest first, until `deadline` (milliseconds since the epoch). What it does not reach stays due for the next sweep.
 */
export const sweepDueWork = async (deps: SweepDeps, deadline: Millis): Promise<void> => {
  const startedAt = deps.now();
  let swept = 0;
  let oldest = startedAt;
  const sweepShard = async (shard: number): Promise<void> => {
    let after: string | null = null;
    do {
      const works: readonly DueWork[] = await deps.dueIndex.due(shard, startedAt, PAGE, after);
      after = works.length === PAGE ? (works.at(-1)?.position ?? null) : null;
      await Promise.all([
        sendDue(deps, works.filter(isDelivery)),
        ...works.filter(isOwner).map((w) => settleDue(deps, w)),
      ]);
      swept += works.length;
      oldest = Math.min(oldest, ...works.map(({ dueAt }) => dueAt));
    } while (after !== null && deps.now() < deadline);
  };
  await Promise.all(Array.from({ length: deps.dueIndex.shards }, (_, shard) => sweepShard(shard)));
  deps.metrics('oldest_due', startedAt - oldest);
  if (swept > 0) deps.log('swept', { count: swept, milliseconds: deps.now() - startedAt });
};
