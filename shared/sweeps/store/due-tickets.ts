import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { conditionHeld } from '#shared/platform/table/conditional-write.ts';
import { entryAt } from '#shared/platform/table/due-keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { DueTickets } from '#shared/sweeps/ports.ts';
import { workOf } from './due-index.ts';

/**
 * Tickets of due work. The two attributes stand beside the item's own: whoever writes the item anew takes them away, as its due time is
 * another one then.
 */
export const dueTickets = (table: Table): DueTickets => ({
  take: async (ticket, now, until) => {
    const { family, pk, sk, entry } = ticket;
    const update = new UpdateCommand({
      TableName: table.name,
      Key: { pk, sk },
      UpdateExpression: 'SET leaseUntil = :until',
      // Under another entry it is due at another time. In a backlog it has been moved on, and is still the work that was sent.
      ConditionExpression:
        '(gsi2sk = :entry OR sentAs = :entry) AND (attribute_not_exists(leaseUntil) OR leaseUntil <= :now)',
      ExpressionAttributeValues: { ':until': until, ':entry': entry, ':now': now },
    });
    return (await conditionHeld(table.client.send(update))) ? workOf(family, pk, sk, entry) : undefined;
  },
  postpone: async ({ family, pk, sk, entry }, until) => {
    const update = new UpdateCommand({
      TableName: table.name,
      Key: { pk, sk },
      UpdateExpression: 'SET gsi2sk = :later, sentAs = if_not_exists(sentAs, :entry)',
      ConditionExpression: 'gsi2sk = :entry',
      ExpressionAttributeValues: { ':entry': entry, ':later': entryAt({ pk, sk }, until) },
      ReturnValues: 'UPDATED_NEW',
    });
    try {
      const { Attributes } = await table.client.send(update);
      return { family, pk, sk, entry: String(Attributes?.sentAs) };
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  },
  giveBack: async ({ pk, sk, entry }, until) => {
    const update = new UpdateCommand({
      TableName: table.name,
      Key: { pk, sk },
      UpdateExpression: 'SET gsi2sk = :entry',
      ConditionExpression: 'gsi2sk = :later',
      ExpressionAttributeValues: { ':entry': entry, ':later': entryAt({ pk, sk }, until) },
    });
    await conditionHeld(table.client.send(update));
  },
});
