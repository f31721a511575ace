import { ALLOWANCES, allowanceWindow, allowanceWindowLength } from '#shared/businesses/domain/allowance.ts';
import type { AllowanceStore } from '#shared/businesses/ports.ts';
import { allowanceKey } from '#shared/businesses/store/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { takeFrom } from '#shared/platform/table/window-count.ts';

/** What was started by hand, one item an endpoint or business and window, for one write unit. Without the table nothing is done. */
export const allowanceStore = (table: Table): AllowanceStore => ({
  take: (id, kind, now, count = 1) => {
    const key = allowanceKey(id, kind, allowanceWindow(kind, now));
    return takeFrom(table, key, now + 2 * allowanceWindowLength(kind), { count, most: ALLOWANCES[kind] });
  },
});
