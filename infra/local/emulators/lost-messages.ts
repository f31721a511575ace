import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DueFamily } from '#shared/platform/due-family.ts';
import { dueTicket } from '#shared/platform/due-ticket.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Transition } from '#shared/platform/kernel/transition.ts';
import { conditionHeld } from '#shared/platform/table/conditional-write.ts';
import { formatDueEntry } from '#shared/platform/table/due-keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { DueWork } from '#shared/sweeps/ports.ts';
import { dueIndex } from '#shared/sweeps/store/due-index.ts';
import type { Delivery } from '#shared/webhooks/domain/delivery.ts';
import { LONGEST_QUEUE_DELAY } from '#shared/webhooks/domain/delivery-transitions.ts';
import { deliveryStore } from '#shared/webhooks/store/delivery-store.ts';

/**
 * Milliseconds. Work that has a message in a queue is due within this time. A delivery is due a grace period after its SQS delay, and the grace
 * period is shorter than the longest SQS delay. Money work is due sooner.
 */
const MAX_DUE_AHEAD = 2 * LONGEST_QUEUE_DELAY;
const PAGE_SIZE = 100;

/** Makes a waiting delivery due at the time of its next attempt, without the grace period. Has no effect if the delivery has changed since it was read. */
const makeDueOnTime = ({ attempt, redeliveries, dueAt }: Delivery, nextAttemptAt: Millis): Transition<Delivery> => ({
  expect: { state: 'pending', attempt, redeliveries, dueAt },
  set: { dueAt: nextAttemptAt },
});

/**
 * Makes money work due now if its message was sent before, and ends its lease, because the process with the lease has ended. Work without a
 * sent message stays as it is. Returns whether the work was changed.
 */
const makeSentWorkDue = (table: Table, { pk, sk, position, dueAt }: DueWork, now: Millis): Promise<boolean> => {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: { pk, sk },
    UpdateExpression: 'SET gsi2sk = :due REMOVE sentAs, savedBy, leaseUntil, leasedBy',
    // A new notification has `savedBy` and no `sentAs`, because its first message is sent by the function that saves it.
    ConditionExpression: 'gsi2sk = :entry AND (attribute_exists(sentAs) OR attribute_exists(savedBy))',
    ExpressionAttributeValues: { ':entry': position, ':due': formatDueEntry({ pk, sk }, Math.min(dueAt, now)) },
  });
  return conditionHeld(table.client.send(update));
};

/**
 * Makes work due sooner if its queue message was lost. The embedded queue is in memory, so it is empty after a restart. But the due times in the
 * table still leave time for the messages of the last run: up to five minutes.
 * - A delivery that waits becomes due at the time of its next attempt.
 * - A delivery with a lease stays as it is: its lease ends within half a minute.
 * - Money work with a sent message becomes due at once, and loses its lease.
 * Call this function before any consumer or sweep starts. Returns the number of changed items.
 */
export const makeLostMessagesDue = async (table: Table, now: Millis): Promise<number> => {
  const index = dueIndex(table);
  const deliveries = deliveryStore(table);

  const makeDeliveryDue = async (work: DueWork): Promise<boolean> => {
    if (work.kind !== 'delivery' || work.dueAt <= now) return false;
    const delivery = await deliveries.find(work);
    if (delivery?.state !== 'pending' || delivery.nextAttemptAt === null || delivery.dueAt === null) return false;
    if (delivery.dueAt <= delivery.nextAttemptAt) return false;
    return (await deliveries.apply(delivery, makeDueOnTime(delivery, delivery.nextAttemptAt))) !== undefined;
  };
  const makeMoneyDue = (work: DueWork): Promise<boolean> => makeSentWorkDue(table, work, now);

  const makeShardDue = async (family: DueFamily, shard: number, makeDue: typeof makeMoneyDue): Promise<number> => {
    let count = 0;
    let after: string | null = null;
    do {
      const latest: Millis = now + MAX_DUE_AHEAD;
      const page: Awaited<ReturnType<typeof index.due>> = await index.due(family, shard, latest, PAGE_SIZE, after);
      after = page.next;
      count += (await Promise.all(page.works.map(makeDue))).filter(Boolean).length;
    } while (after !== null);
    return count;
  };

  const shards = Array.from({ length: index.shards }, (_, shard) => shard);
  const counts = await Promise.all(
    shards.flatMap((shard) => [
      ...(['deliveries', 'test_deliveries'] as const).map((family) => makeShardDue(family, shard, makeDeliveryDue)),
      ...dueTicket.shape.family.options.map((family) => makeShardDue(family, shard, makeMoneyDue)),
    ]),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};
