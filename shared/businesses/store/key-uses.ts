import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { KeyUses } from '#shared/businesses/ports.ts';
import { lastUseKey } from '#shared/businesses/store/keys.ts';
import { stateOfNewestWindow } from '#shared/platform/kernel/newest-window.ts';
import { DAY, HOUR, unixSeconds } from '#shared/platform/kernel/time.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** The longest that a request waits for its note. Milliseconds. */
const ANSWER_MS = 150;
/** The time for which the last use is known. Milliseconds. */
const KEPT = 400 * DAY;
/** Bounds the memory, which is emptied when it holds this many keys of an hour. */
const MAX_REMEMBERED_KEYS = 10_000;

/** Notes when keys were used, in items of their own. Each container writes once an hour for each key. */
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
      await table.withoutRetry.send(update, { abortSignal: AbortSignal.timeout(answerMs) });
    },
  };
};
