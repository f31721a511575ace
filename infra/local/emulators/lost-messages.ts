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
 * Milliseconds. Queued work is due at most this far ahead: a delivery after its SQS delay and a grace period, which is shorter than the longest
 * delay; money work sooner.
 */
const MAX_DUE_AHEAD = 2 * LONGEST_QUEUE_DELAY;
const PAGE_SIZE = 100;

/** Makes a waiting delivery due at its next attempt, without the grace period. Has no effect if the delivery has changed. */
const makeDueOnTime = ({ attempt, redeliveries, dueAt }: Delivery, nextAttemptAt: Millis): Transition<Delivery> => ({
  expect: { state: 'pending', attempt, redeliveries, dueAt },
  set: { dueAt: nextAttemptAt },
});

/**
 * Makes money work due now if its message was sent, and ends its lease, because the process with the lease has ended. Other work keeps its due
 * time. Returns whether the message had been sent.
 */
const makeSentWorkDue = (table: Table, { pk, sk, position, dueAt }: DueWork, now: Millis): Promise<boolean> => {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: { pk, sk },
    UpdateExpression: 'SET gsi2sk = :due REMOVE sentAs, savedBy, leaseUntil, leasedBy',
    // A new notification has `savedBy` instead of `sentAs`: its message is sent when the notification is saved.
    ConditionExpression: 'gsi2sk = :entry AND (attribute_exists(sentAs) OR attribute_exists(savedBy))',
    ExpressionAttributeValues: { ':entry': position, ':due': formatDueEntry({ pk, sk }, Math.min(dueAt, now)) },
  });
  return conditionHeld(table.client.send(update));
};

/**
 * Makes work due if its queue message was lost. The embedded queue is in memory and starts empty. In the table, the due times still allow for
 * the messages of the last run, by up to five minutes. A delivery becomes due at its next attempt, and keeps its lease, which ends within half
 * a minute. Money work becomes due at once.
 * Call this function before any consumer or sweep starts. Returns the number of items that became due earlier or lost a lease.
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
