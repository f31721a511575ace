import { USAGE_LIMITS, usageWindow, usageWindowLength } from '#shared/businesses/domain/usage-limits.ts';
import type { UsageStore } from '#shared/businesses/ports.ts';
import { usageKey } from '#shared/businesses/store/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { countWithin } from '#shared/platform/table/window-count.ts';

/**
 * Counts actions that have a limit. Each id (of an endpoint, a business or a member) has one item for each kind and window. A count costs one
 * write unit. If the table does not take the count, `take` throws, so no action is done uncounted.
 */
export const usageStore = (table: Table): UsageStore => ({
  take: (id, kind, now, count = 1) => {
    const key = usageKey(id, kind, usageWindow(kind, now));
    return countWithin(table, key, now + 2 * usageWindowLength(kind), { count, most: USAGE_LIMITS[kind] });
  },
});
