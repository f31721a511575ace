import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { conditionHeld } from '#shared/platform/table/conditional-write.ts';
import { readEach } from '#shared/platform/table/readable.ts';
import { getItems, type Table } from '#shared/platform/table/table.ts';
import { beginMinute } from '#shared/providers/domain/health/counts.ts';
import { providerHealth } from '#shared/providers/domain/health/health.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import type { HealthReader, HealthStore } from '#shared/providers/health-ports.ts';
import { readCounts } from './health-counts.ts';
import { healthMinuteKey, healthStateKey } from './keys.ts';

/** Limit of items in one read: the minutes of an hour, the state, and a few spare ones. */
const MOST_ITEMS = 70;

/** Stores the counts and the health of providers in the table. */
export const healthStore = (table: Table): HealthStore => ({
  readCounts: async (provider, since) => {
    const { pk, sk } = healthMinuteKey(provider, beginMinute(since));
    const { Items = [] } = await table.client.send(
      // Eventually consistent, for half the price: a count that is missed now is read a minute later.
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :since AND :state',
        ExpressionAttributeValues: { ':pk': pk, ':since': sk, ':state': healthStateKey(provider).sk },
        Limit: MOST_ITEMS,
        ScanIndexForward: false,
      }),
    );
    const isState = ({ sk: kind }: Record<string, unknown>): boolean => kind === 'STATE';
    const [judged] = readEach(table, providerHealth, Items.filter(isState));
    return { minutes: Items.filter((item) => !isState(item)).map(readCounts), judged };
  },
  save: async (health) => {
    const before = health.version - 1;
    const put = new PutCommand({
      TableName: table.name,
      Item: { ...health, ...healthStateKey(health.provider) },
      ...(before === 0
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'version = :before', ExpressionAttributeValues: { ':before': before } }),
    });
    return conditionHeld(table.client.send(put));
  },
});

/** Reads the last judged health of all providers in one read, which may lag by a second. */
export const healthReader = (table: Table): HealthReader => ({
  readHealth: async () => {
    const keys = providerName.options.map(healthStateKey);
    const states = readEach(table, providerHealth, await getItems(table, keys, { mayLag: true }));
    return Object.fromEntries(providerName.options.map((name, i) => [name, states[i]]));
  },
});
