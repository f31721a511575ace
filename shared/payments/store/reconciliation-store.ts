import { reconciliation } from '#shared/payments/domain/reconciliation.ts';
import type { ReconciliationStore } from '#shared/payments/ports.ts';
import { paymentKey, reconciliationKey } from '#shared/payments/store/keys.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, getItems, type Table } from '#shared/platform/table/table.ts';
import { ABSENT, transact, versionIs } from '#shared/platform/table/transact.ts';
import type { PaymentOrigin, SourceId } from '#shared/providers/domain/source.ts';
import { outcomesOf } from './booked.ts';
import { reconciliationItem } from './items.ts';

/** The running total that a payment is a part of. */
const totalOf = (origin: PaymentOrigin | undefined) =>
  origin?.kind === 'part' ? ({ kind: 'running_total', reference: origin.reference } as const) : undefined;

/** How far the reconciliations have come, in the table. */
export const reconciliationStore = (table: Table): ReconciliationStore => ({
  find: async (provider, pass) => {
    const item = await getItem(table, reconciliationKey(provider, pass));
    return readItem(table, reconciliation, item);
  },
  save: async (before, after) => {
    const when = before ? versionIs(before.version) : ABSENT;
    const put = reconciliationItem(after);
    return (await transact(table, [{ put, when, otherwise: () => 'moved on' }])) === undefined;
  },
  outcomes: async (provider, origins) => {
    const read = async (ids: readonly (PaymentOrigin | SourceId)[]) =>
      outcomesOf(
        table,
        await getItems(
          table,
          ids.map((id) => paymentKey('live', provider, id)),
        ),
      );
    const outcomes = await read(origins);
    // Unmatched money of a running total stands under the total, not under a part.
    const totals = origins.flatMap((origin, i) => (outcomes[i] === undefined ? (totalOf(origin) ?? []) : []));
    const found = await read(totals);
    const ofTotals = new Map(totals.map(({ reference }, i) => [reference, found[i]]));
    return outcomes.map((outcome, i) => outcome ?? ofTotals.get(totalOf(origins[i])?.reference ?? ''));
  },
});
