import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { noticeWrites } from '#shared/members/store/notice-item.ts';
import { conditionHeld } from '#shared/platform/table/conditional-write.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, type Table } from '#shared/platform/table/table.ts';
import { ABSENT, transact, versionIs } from '#shared/platform/table/transact.ts';
import { breaker } from '#shared/webhooks/domain/breaker.ts';
import type { BreakerStore } from '#shared/webhooks/ports.ts';
import { breakerKey } from '#shared/webhooks/store/keys.ts';
import { breakerItem } from './items.ts';

/** Stores the breakers of endpoints in the table. An endpoint without a breaker is healthy. */
export const breakerStore = (table: Table): BreakerStore => ({
  find: async (endpointId) => {
    const item = await getItem(table, breakerKey(endpointId));
    return readItem(table, breaker, item);
  },
  save: async (after, notice) => {
    const before = after.version - 1;
    if (notice) {
      const when = before === 0 ? ABSENT : versionIs(before);
      const saved = { put: breakerItem(table, after), when, otherwise: () => 'conflict' as const };
      return (await transact(table, [saved, ...noticeWrites(table, notice)])) === undefined;
    }
    const put = new PutCommand({
      TableName: table.name,
      Item: breakerItem(table, after),
      ...(before === 0
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'version = :before', ExpressionAttributeValues: { ':before': before } }),
    });
    return conditionHeld(table.client.send(put));
  },
});
