import { allowanceKey } from '#shared/adapters/dynamodb/table/keys.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { takeFrom } from '#shared/adapters/dynamodb/table/window-count.ts';
import { ALLOWANCES, allowanceWindow, allowanceWindowOf } from '#shared/domain/webhooks/allowance.ts';
import type { AllowanceStore } from '#shared/ports/businesses.ts';

/** What was started by hand, one item an endpoint or business and window, for one write unit. Without the table nothing is done. */
export const allowanceStore = (table: Table): AllowanceStore => ({
  take: (id, kind, now, count = 1) => {
    const key = allowanceKey(id, kind, allowanceWindow(kind, now));
    return takeFrom(table, key, now + 2 * allowanceWindowOf(kind), { count, most: ALLOWANCES[kind] });
  },
});
