import { USAGE_LIMITS, usageWindow, usageWindowLength } from '#shared/businesses/domain/usage-limits.ts';
import type { UsageStore } from '#shared/businesses/ports.ts';
import { usageKey } from '#shared/businesses/store/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { countWithin } from '#shared/platform/table/window-count.ts';

/** Counts uses of limits, in one item for each id and window, at one write unit. Without the table nothing may be done. */
export const usageStore = (table: Table): UsageStore => ({
  take: (id, kind, now, count = 1) => {
    const key = usageKey(id, kind, usageWindow(kind, now));
    return countWithin(table, key, now + 2 * usageWindowLength(kind), { count, most: USAGE_LIMITS[kind] });
  },
});
