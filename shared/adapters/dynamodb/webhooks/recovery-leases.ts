import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { conditionHeld } from '#shared/adapters/dynamodb/table/conditional-write.ts';
import { recoveryLeaseKey } from '#shared/adapters/dynamodb/table/keys.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { unixSeconds } from '#shared/domain/kernel/time.ts';
import type { RecoveryLeases } from '#shared/ports/webhooks.ts';

/** Leases of recoveries, one item an endpoint. A lease is identified by the moment at which it ends. */
export const recoveryLeases = (table: Table): RecoveryLeases => {
  /** Moves the end of a lease. False when the condition did not hold. */
  const move = (endpointId: string, until: number, condition: string, value: number): Promise<boolean> => {
    const update = new UpdateCommand({
      TableName: table.name,
      Key: recoveryLeaseKey(endpointId),
      UpdateExpression: 'SET leaseUntil = :until, #ttl = :ttl',
      ConditionExpression: condition,
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':until': until, ':ttl': unixSeconds(Math.max(until, value)), ':value': value },
    });
    return conditionHeld(table.client.send(update));
  };

  return {
    begin: (endpointId, until, now) => move(endpointId, until, 'attribute_not_exists(pk) OR leaseUntil <= :value', now),
    end: async (endpointId, until) => {
      await move(endpointId, 0, 'leaseUntil = :value', until);
    },
  };
};
