import { stateOfNewestWindow } from '#shared/platform/kernel/newest-window.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { countWithin } from '#shared/platform/table/window-count.ts';
import { ProviderBusy } from '#shared/providers/domain/errors.ts';
import { findWindow, listShares, type ProviderQuota } from '#shared/providers/domain/quota.ts';
import type { QuotaMeter } from '#shared/providers/ports.ts';
import { usedQuotaKey } from '#shared/providers/store/keys.ts';

/**
 * Counts the use of provider quotas in the table, in windows that all containers share: one conditional write for each share. If a container
 * finds a share used up, it refuses further work without a write until the window ends, and logs the share once. The meter throws if the table
 * fails, because the work itself needs the table anyway.
 */
export const quotaMeter = (
  table: Table,
  settings: ProviderQuota,
  { now, log }: { readonly now: () => Millis; readonly log: Log },
): QuotaMeter => {
  const usedUpIn = stateOfNewestWindow(() => new Set<string>());

  return {
    charge: async (asker, provider, work) => {
      const at = now();
      const { number: window, endsAt } = findWindow(settings, at);
      const { businessId } = asker;
      const usedUp = usedUpIn(window);
      for (const { name, bucket, quota, isShared = false } of listShares(settings, asker)) {
        const key = usedQuotaKey({ work, provider, businessId: isShared ? 'all' : businessId, bucket }, window);
        if (!usedUp.has(key.pk)) {
          if (await countWithin(table, key, endsAt + MINUTE, { most: quota })) continue;
          // A share of an address is not logged: each request's log line has its address. If requests are concurrent (local stack),
          // only one of them logs.
          const isFirst = !usedUp.has(key.pk) && !name.startsWith('address');
          usedUp.add(key.pk);
          if (isFirst) log('provider_quota_used_up', { business_id: businessId, provider, work, share: name, window });
        }
        return new ProviderBusy('The business has used up its quota at this provider.', endsAt - at);
      }
      return undefined;
    },
  };
};
