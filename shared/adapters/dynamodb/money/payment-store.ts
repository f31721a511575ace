import { paymentsOf } from '#shared/adapters/dynamodb/table/keys.ts';
import { listItems, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { payment } from '#shared/domain/money/payment.ts';
import type { PaymentReader } from '#shared/ports/money.ts';

/** Payments in the table. */
export const paymentStore = (table: Table): PaymentReader => ({
  listOf: (owner, page) => listItems(table, payment, paymentsOf(owner), page),
});
