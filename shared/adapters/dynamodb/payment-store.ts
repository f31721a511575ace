import { payment } from '#shared/domain/payment.ts';
import type { PaymentReader } from '#shared/ports.ts';
import { paymentsOf } from './keys.ts';
import { listItems, type Table } from './table.ts';

/** Payments in the table. */
export const paymentStore = (table: Table): PaymentReader => ({
  listOf: (owner, page) => listItems(table, payment, paymentsOf(owner), page),
});
