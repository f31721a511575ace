import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { signIn } from '#shared/members/domain/sign-in.ts';
import type { SignInStore } from '#shared/members/ports.ts';
import { codesKey, signInKey } from '#shared/members/store/keys.ts';
import { unixSeconds } from '#shared/platform/kernel/time.ts';
import { resultIfHeld } from '#shared/platform/table/conditional-write.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { ABSENT, transact } from '#shared/platform/table/transact.ts';
import { countWithin } from '#shared/platform/table/window-count.ts';
import { sessionItem } from './session-store.ts';

/** Keeps sign-ins in the table. DynamoDB deletes them when their codes have expired. */
export const signInStore = (table: Table): SignInStore => ({
  countCode: (bucket, { window, most }, now) =>
    countWithin(table, codesKey(bucket, window, Math.floor(now / window)), now + 2 * window, { most }),
  create: async (newSignIn) => {
    const item = { ...newSignIn, ...signInKey(newSignIn.tokenHash), ttl: unixSeconds(newSignIn.expiresAt) };
    // The hash is random, so no other item has this key. Without a condition, a repeat after a lost answer succeeds.
    await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
  },
  countTry: async (tokenHash) => {
    const update = new UpdateCommand({
      TableName: table.name,
      Key: { ...signInKey(tokenHash) },
      UpdateExpression: 'ADD tries :one',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':one': 1 },
      ReturnValues: 'ALL_NEW',
    });
    const written = await resultIfHeld(table.withoutRetry.send(update));
    return written && signIn.parse(written.Attributes);
  },
  complete: async ({ tokenHash }, session) => {
    const ended = {
      delete: signInKey(tokenHash),
      when: { expression: 'attribute_exists(pk)' },
      otherwise: () => 'ended',
    };
    return (await transact(table, [ended, { put: sessionItem(session), when: ABSENT }])) === undefined;
  },
});
