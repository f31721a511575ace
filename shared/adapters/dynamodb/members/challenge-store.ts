import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { challengeKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { readItem } from '#shared/adapters/dynamodb/table/readable.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { ABSENT } from '#shared/adapters/dynamodb/table/transact.ts';
import { unixSeconds } from '#shared/domain/kernel/time.ts';
import { challenge } from '#shared/domain/members/challenge.ts';
import type { ChallengeStore } from '#shared/ports/members.ts';

/** Challenges in the table. DynamoDB deletes those that nobody answered. */
export const challengeStore = (table: Table): ChallengeStore => ({
  create: async (created) => {
    const item = { ...created, ...challengeKey(created.hash), ttl: unixSeconds(created.expiresAt) };
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: item, ConditionExpression: ABSENT.expression }),
    );
  },
  take: async (hash) => {
    const { Attributes } = await table.client.send(
      new DeleteCommand({ TableName: table.name, Key: { ...challengeKey(hash) }, ReturnValues: 'ALL_OLD' }),
    );
    return readItem(table, challenge, Attributes);
  },
});
