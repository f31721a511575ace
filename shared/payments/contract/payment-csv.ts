import type { Payment } from '#shared/payments/domain/payment.ts';
import { formatCsv } from '#shared/platform/kernel/csv.ts';
import { recordedPaymentView } from './recorded-payment-view.ts';

type Row = ReturnType<typeof recordedPaymentView>;

/** The columns, in the order of the file. */
const COLUMNS = [
  'id',
  'recorded_at',
  'paid_at',
  'mode',
  'outcome',
  'currency',
  'amount',
  'fee',
  'late',
  'checkout_reference',
  'merchant_reference',
  'virtual_account_id',
  'sender_name',
  'sender_bank',
  'provider',
  'provider_reference',
] as const satisfies readonly (keyof Row)[];

/** Formats payments that recordedPaymentView has rendered. Returns a CSV file with a header row. */
export const paymentViewsToCsv = (rows: readonly Row[]): string =>
  formatCsv(
    COLUMNS,
    rows.map((payment) => COLUMNS.map((column) => payment[column])),
  );

/** Renders payments, and formats them as a CSV file with a header row. */
export const paymentCsv = (payments: readonly Payment[]): string =>
  paymentViewsToCsv(payments.map(recordedPaymentView));
