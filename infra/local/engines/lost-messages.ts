import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Transition } from '#shared/platform/kernel/transition.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { DueWork } from '#shared/sweeps/ports.ts';
import { dueIndex } from '#shared/sweeps/store/due-index.ts';
import type { Delivery } from '#shared/webhooks/domain/delivery.ts';
import { LONGEST_QUEUE_DELAY } from '#shared/webhooks/domain/delivery-transitions.ts';
import { deliveryStore } from '#shared/webhooks/store/delivery-store.ts';

/** A queued delivery is due at most this much later: its SQS delay plus a grace period, which is never longer. */
const MAX_DUE_AHEAD = 2 * LONGEST_QUEUE_DELAY;
const PAGE = 100;

/** Moves the due time of a waiting delivery back to the time of its next attempt. Has no effect if the delivery has changed. */
const dueOnTime = ({ attempt, generation, dueAt }: Delivery, nextAttemptAt: Millis): Transition<Delivery> => ({
  expect: { state: 'pending', attempt, generation, dueAt },
  set: { dueAt: nextAttemptAt },
});

/**
 * Makes deliveries due whose queue messages were lost: the embedded queue is in memory and starts empty, while the table
 * still expects it to carry them and leaves them alone for up to five minutes. Each becomes due at its own next attempt,
 * so retries keep their time. Deliveries under a lease keep their lease: it ends within half a minute.
 * Call it before anything consumes or sweeps. Returns how many became due earlier.
 */
export const makeLostMessagesDue = async (table: Table, now: Millis): Promise<number> => {
  const index = dueIndex(table);
  const deliveries = deliveryStore(table);

  const makeDue = async (work: DueWork): Promise<number> => {
    if (work.kind !== 'delivery' || work.dueAt <= now) return 0;
    const found = await deliveries.find(work);
    if (found?.state !== 'pending' || found.nextAttemptAt === null || found.dueAt === null) return 0;
    if (found.dueAt <= found.nextAttemptAt) return 0;
    return (await deliveries.apply(found, dueOnTime(found, found.nextAttemptAt))) ? 1 : 0;
  };

  const makeShardDue = async (family: 'deliveries' | 'test_deliveries', shard: number): Promise<number> => {
    let made = 0;
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof index.due>> = await index.due(
        family,
        shard,
        now + MAX_DUE_AHEAD,
        PAGE,
        after,
      );
      after = page.next;
      const counts = await Promise.all(page.works.map(makeDue));
      made += counts.reduce((sum, count) => sum + count, 0);
    } while (after !== null);
    return made;
  };

  const shards = Array.from({ length: index.shards }, (_, shard) => shard);
  const counts = await Promise.all(
    (['deliveries', 'test_deliveries'] as const).flatMap((family) =>
      shards.map((shard) => makeShardDue(family, shard)),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};
