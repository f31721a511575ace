import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { allowanceBucket, rateKey } from '#shared/adapters/dynamodb/table/keys.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { MINUTE, type Millis, unixSeconds } from '#shared/domain/kernel/time.ts';
import { type CreationAllowance, windowOf } from '#shared/domain/providers/allowance.ts';
import { ProviderBusy } from '#shared/domain/providers/errors.ts';
import type { ProviderAllowance } from '#shared/ports/providers.ts';

/**
 * Counts what each business makes us ask of each provider, in windows that all containers share: one conditional write unit for what is
 * admitted. A container that has seen an allowance used up refuses until the window ends without a call. Fails when the table does: what
 * is asked of a provider needs the table anyway.
 */
export const providerAllowance = (table: Table, allowance: CreationAllowance, now: () => Millis): ProviderAllowance => {
  const usedUp = { window: 0, buckets: new Set<string>() };

  const count = async (bucket: string, window: number): Promise<boolean> => {
    try {
      await table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: { ...rateKey(bucket, window) },
          UpdateExpression: 'ADD requests :one SET #ttl = :ttl',
          ConditionExpression: 'attribute_not_exists(pk) OR requests < :most',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: {
            ':one': 1,
            ':most': allowance.creations,
            ':ttl': unixSeconds(windowOf(allowance, now()).endsAt + MINUTE),
          },
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  };

  return {
    charge: async ({ businessId }, provider, work) => {
      if (allowance.creations === 0) return undefined;
      const at = now();
      const { number: window, endsAt } = windowOf(allowance, at);
      const bucket = allowanceBucket(work, provider, businessId);
      if (usedUp.window !== window) Object.assign(usedUp, { window, buckets: new Set() });
      if (!usedUp.buckets.has(bucket)) {
        if (await count(bucket, window)) return undefined;
        // Requests run side by side on the local stack: another window may have begun meanwhile.
        if (usedUp.window === window) usedUp.buckets.add(bucket);
      }
      return new ProviderBusy('The business has used up its allowance at this provider.', endsAt - at);
    },
  };
};
