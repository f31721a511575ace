import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { allowanceKey } from '#shared/adapters/dynamodb/table/keys.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { unixSeconds } from '#shared/domain/kernel/time.ts';
import { ALLOWANCE_WINDOW, ALLOWANCES, allowanceWindow } from '#shared/domain/webhooks/allowance.ts';
import type { AllowanceStore } from '#shared/ports/webhooks.ts';

/** What endpoints were sent by hand, one item an endpoint and minute, for one write unit. Without the table nothing is sent. */
export const allowanceStore = (table: Table): AllowanceStore => ({
  take: async (endpointId, kind, now) => {
    try {
      await table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: { ...allowanceKey(endpointId, kind, allowanceWindow(now)) },
          UpdateExpression: 'ADD taken :one SET #ttl = :ttl',
          ConditionExpression: 'attribute_not_exists(taken) OR taken < :most',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: {
            ':one': 1,
            ':most': ALLOWANCES[kind],
            ':ttl': unixSeconds(now + 2 * ALLOWANCE_WINDOW),
          },
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  },
});
