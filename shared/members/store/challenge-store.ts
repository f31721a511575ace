import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { challenge } from '#shared/members/domain/challenge.ts';
import type { ChallengeStore } from '#shared/members/ports.ts';
import { challengeKey } from '#shared/members/store/keys.ts';
import { unixSeconds } from '#shared/platform/kernel/time.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { ABSENT } from '#shared/platform/table/transact.ts';

/** Keeps challenges in the table. DynamoDB deletes those that nobody answered. */
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
