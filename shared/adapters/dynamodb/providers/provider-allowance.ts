import { usedAllowanceKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { stateOfNewestWindow } from '#shared/adapters/dynamodb/table/newest-window.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { takeFrom } from '#shared/adapters/dynamodb/table/window-count.ts';
import { MINUTE, type Millis } from '#shared/domain/kernel/time.ts';
import { type CreationAllowance, sharesOf, windowOf } from '#shared/domain/providers/allowance.ts';
import { ProviderBusy } from '#shared/domain/providers/errors.ts';
import type { Log } from '#shared/observability/log.ts';
import type { ProviderAllowance } from '#shared/ports/providers.ts';

/**
 * Counts what each business makes us ask of each provider, in windows that all containers share: one conditional write unit for each
 * share that admits it. A container that has seen a share used up refuses until the window ends without a call, and logs once that a
 * business's is. Fails when the table does: what is asked of a provider needs the table anyway.
 */
export const providerAllowance = (
  table: Table,
  allowance: CreationAllowance,
  { now, log }: { readonly now: () => Millis; readonly log: Log },
): ProviderAllowance => {
  const usedUpIn = stateOfNewestWindow(() => new Set<string>());

  return {
    charge: async (asker, provider, work) => {
      const at = now();
      const { number: window, endsAt } = windowOf(allowance, at);
      const { businessId } = asker;
      const usedUp = usedUpIn(window);
      for (const { name, bucket, quota } of sharesOf(allowance, asker)) {
        const key = usedAllowanceKey({ work, provider, businessId, bucket }, window);
        if (!usedUp.has(key.pk)) {
          if (await takeFrom(table, key, endsAt + MINUTE, { most: quota })) continue;
          // An address is in the log line of each of its requests. Requests run side by side on the local stack: one of them logs.
          const isNews = !usedUp.has(key.pk) && name !== 'address';
          usedUp.add(key.pk);
          if (isNews) log('allowance_used_up', { business_id: businessId, provider, work, share: name, window });
        }
        return new ProviderBusy('The business has used up its allowance at this provider.', endsAt - at);
      }
      return undefined;
    },
  };
};
