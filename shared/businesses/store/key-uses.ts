import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { KeyUses } from '#shared/businesses/ports.ts';
import { lastUseKey } from '#shared/businesses/store/keys.ts';
import { stateOfNewestWindow } from '#shared/platform/kernel/newest-window.ts';
import { DAY, HOUR, unixSeconds } from '#shared/platform/kernel/time.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** A request waits at most this long until the use of its key is written. Milliseconds. */
const ANSWER_MS = 150;
/** The time for which the last use of a key is stored. Milliseconds. */
const LAST_USE_RETENTION = 400 * DAY;
/** The most keys that a container remembers within an hour. When it reaches this number it forgets all of them, which bounds its memory. */
const MAX_REMEMBERED_KEYS = 10_000;

/** Records when keys were used, in items of their own. Each container writes once an hour for each key. */
export const keyUses = (table: Table, answerMs = ANSWER_MS): KeyUses => {
  const notedKeysIn = stateOfNewestWindow(() => new Set<string>());
  return {
    note: async (keyId, now) => {
      const notedKeys = notedKeysIn(Math.floor(now / HOUR));
      if (notedKeys.has(keyId)) return;
      if (notedKeys.size >= MAX_REMEMBERED_KEYS) notedKeys.clear();
      notedKeys.add(keyId);
      const update = new UpdateCommand({
        TableName: table.name,
        Key: { ...lastUseKey(keyId) },
        UpdateExpression: 'SET usedAt = :now, #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': now, ':ttl': unixSeconds(now + LAST_USE_RETENTION) },
      });
      await table.withoutRetry.send(update, { abortSignal: AbortSignal.timeout(answerMs) });
    },
  };
};
