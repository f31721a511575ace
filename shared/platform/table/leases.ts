import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { MINUTE, unixSeconds } from '#shared/platform/kernel/time.ts';
import type { Leases } from '#shared/platform/ports.ts';
import { conditionHeld } from './conditional-write.ts';
import { leaseKey } from './keys.ts';
import type { Table } from './table.ts';

/** Keeps the leases of one kind of work in the table. Each object has an item, which expires a minute after the planned end of its last lease. */
export const leases = (table: Table, work: 'recovery' | 'requery'): Leases => {
  /** Moves the end of a lease. Returns false if the condition did not hold. */
  const move = (id: string, until: number, condition: string, value: number): Promise<boolean> => {
    const update = new UpdateCommand({
      TableName: table.name,
      Key: leaseKey(work, id),
      UpdateExpression: 'SET leaseUntil = :until, #ttl = :ttl',
      ConditionExpression: condition,
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':until': until,
        ':ttl': unixSeconds(Math.max(until, value) + MINUTE),
        ':value': value,
      },
    });
    return conditionHeld(table.client.send(update));
  };

  return {
    begin: (id, until, now) => move(id, until, 'attribute_not_exists(pk) OR leaseUntil <= :value', now),
    end: async (id, until) => {
      await move(id, 0, 'leaseUntil = :value', until);
    },
  };
};
