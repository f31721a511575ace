import { USAGE_LIMITS, usageWindow, usageWindowLength } from '#shared/businesses/domain/usage-limits.ts';
import type { UsageStore } from '#shared/businesses/ports.ts';
import { usageKey } from '#shared/businesses/store/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { takeFrom } from '#shared/platform/table/window-count.ts';

/** What was started by hand, one item an endpoint or business and window, for one write unit. Without the table nothing is done. */
export const usageStore = (table: Table): UsageStore => ({
  take: (id, kind, now, count = 1) => {
    const key = usageKey(id, kind, usageWindow(kind, now));
    return takeFrom(table, key, now + 2 * usageWindowLength(kind), { count, most: USAGE_LIMITS[kind] });
  },
});
