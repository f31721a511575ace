import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { readItem } from '#shared/platform/table/readable.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { healthyProvider, providerBreaker } from '#shared/providers/domain/breaker.ts';
import type { ProviderBreakerStore } from '#shared/providers/ports.ts';
import { providerBreakerKey } from '#shared/providers/store/keys.ts';

/** Milliseconds that a call to a provider waits at most for the breaker. */
const ANSWER_MS = 150;

/** Stores the breakers of providers in the table. A provider that never failed has no item. */
export const providerBreakerStore = (table: Table, answerMs = ANSWER_MS): ProviderBreakerStore => ({
  find: async (provider, calls) => {
    const { Item: item } = await table.client.send(
      // Eventually consistent, for half the price: every write is conditional on the version.
      new GetCommand({ TableName: table.name, Key: { ...providerBreakerKey(provider, calls) } }),
      { abortSignal: AbortSignal.timeout(answerMs) },
    );
    return readItem(table, providerBreaker, item) ?? healthyProvider(provider, calls);
  },
  save: async (after) => {
    const before = after.version - 1;
    const { provider, calls } = after;
    try {
      await table.client.send(
        new PutCommand({
          TableName: table.name,
          Item: { ...after, ...providerBreakerKey(provider, calls) },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          ...(before === 0
            ? { ConditionExpression: 'attribute_not_exists(pk)' }
            : { ConditionExpression: 'version = :before', ExpressionAttributeValues: { ':before': before } }),
        }),
      );
      return after;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const stored = error.Item && unmarshall(error.Item);
      return readItem(table, providerBreaker, stored) ?? healthyProvider(provider, calls);
    }
  },
});
