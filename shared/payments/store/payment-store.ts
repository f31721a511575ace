import { payment } from '#shared/payments/domain/payment.ts';
import type { PaymentReader } from '#shared/payments/ports.ts';
import { ownerPartition } from '#shared/payments/store/keys.ts';
import { timeOfId } from '#shared/platform/kernel/ids.ts';
import { belongsTo } from '#shared/platform/kernel/tenant.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, type Item, listItems, type Table } from '#shared/platform/table/table.ts';
import { type IndexedPayment, queryPayments } from './payment-index.ts';

/**
 * Milliseconds. Upper bound on the difference between the time in a payment's id and its time of recording. One process reads the two times
 * right after each other.
 */
const MARGIN = SECOND;

/** Reads the payments in the table. */
export const paymentStore = (table: Table): PaymentReader => ({
  listByOwner: (owner, page) => listItems(table, payment, ownerPartition(owner), page),
  find: async (tenant, id) => {
    const at = timeOfId(id);
    const range = { from: at - MARGIN, to: at + MARGIN };
    let indexed: IndexedPayment | undefined;
    let startAt: Item | undefined;
    do {
      const { entries, next } = await queryPayments(table, tenant, range, { startAt });
      indexed = entries.find((entry) => entry.id === id);
      startAt = next;
    } while (!indexed && startAt);
    const item = indexed && (await getItem(table, indexed.key));
    const recorded = readItem(table, payment, item);
    return recorded && belongsTo(tenant, recorded) ? recorded : undefined;
  },
});
