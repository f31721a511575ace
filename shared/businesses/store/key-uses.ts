import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { KeyUses } from '#shared/businesses/ports.ts';
import { lastUseKey } from '#shared/businesses/store/keys.ts';
import { stateOfNewestWindow } from '#shared/platform/kernel/newest-window.ts';
import { DAY, HOUR, unixSeconds } from '#shared/platform/kernel/time.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Milliseconds that a request waits for its note at most. */
const ANSWER_MS = 150;
/** Milliseconds after the last use for which it is known. */
const KEPT = 400 * DAY;
/** Bounds the memory: more keys than that in an hour empty it. */
const MAX_REMEMBERED_KEYS = 10_000;

/** When keys were used, in items of their own: one write for a key in each container in each hour. */
export const keyUses = (table: Table, answerMs = ANSWER_MS): KeyUses => {
  const notedIn = stateOfNewestWindow(() => new Set<string>());
  return {
    note: async (keyId, now) => {
      const noted = notedIn(Math.floor(now / HOUR));
      if (noted.has(keyId)) return;
      if (noted.size >= MAX_REMEMBERED_KEYS) noted.clear();
      noted.add(keyId);
      const update = new UpdateCommand({
        TableName: table.name,
        Key: { ...lastUseKey(keyId) },
        UpdateExpression: 'SET usedAt = :now, #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': now, ':ttl': unixSeconds(now + KEPT) },
      });
      await table.once.send(update, { abortSignal: AbortSignal.timeout(answerMs) });
    },
  };
};
