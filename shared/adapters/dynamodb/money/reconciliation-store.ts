import { paymentKey, reconciliationKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { getItem, getItems, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { ABSENT, transact, versionIs } from '#shared/adapters/dynamodb/table/transact.ts';
import { payment } from '#shared/domain/money/payment.ts';
import { reconciliation } from '#shared/domain/money/reconciliation.ts';
import type { ReconciliationStore } from '#shared/ports/money.ts';
import { reconciliationItem } from './items.ts';

/** How far the reconciliations have come, in the table. */
export const reconciliationStore = (table: Table): ReconciliationStore => ({
  find: async (provider, pass) => {
    const item = await getItem(table, reconciliationKey(provider, pass));
    return item && reconciliation.parse(item);
  },
  save: async (before, after) => {
    const when = before ? versionIs(before.version) : ABSENT;
    const put = reconciliationItem(after);
    return (await transact(table, [{ put, when, otherwise: () => 'moved on' }])) === undefined;
  },
  outcomes: async (provider, origins) => {
    const items = await getItems(
      table,
      origins.map((origin) => paymentKey('live', provider, origin)),
    );
    // Unmatched money is looked up again: its owner may have appeared.
    return items.map((item) => payment.safeParse(item).data?.outcome);
  },
});
