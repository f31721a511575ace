import { randomBytes } from 'node:crypto';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { challenge } from '#shared/members/domain/challenge.ts';
import type { ChallengeStore } from '#shared/members/ports.ts';
import { challengeKey } from '#shared/members/store/keys.ts';
import { unixSeconds } from '#shared/platform/kernel/time.ts';
import { resultIfHeld } from '#shared/platform/table/conditional-write.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Keeps challenges in the table. DynamoDB deletes them when they have expired. */
export const challengeStore = (table: Table): ChallengeStore => ({
  create: async (created) => {
    const item = { ...created, ...challengeKey(created.hash), ttl: unixSeconds(created.expiresAt) };
    // The hash is random, so no other item has this key. Without a condition, a repeat after a lost answer succeeds.
    await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
  },
  take: async (hash) => {
    const update = new UpdateCommand({
      TableName: table.name,
      Key: { ...challengeKey(hash) },
      UpdateExpression: 'SET takenBy = :own',
      // A repeat of the same call, after a lost answer, has taken the challenge already.
      ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(takenBy) OR takenBy = :own)',
      ExpressionAttributeValues: { ':own': randomBytes(6).toString('base64url') },
      ReturnValues: 'ALL_NEW',
    });
    const written = await resultIfHeld(table.client.send(update));
    return readItem(table, challenge, written?.Attributes);
  },
});
