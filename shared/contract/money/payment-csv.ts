import type { Payment } from '#shared/domain/money/payment.ts';
import { recordedPaymentView } from './recorded-payment-view.ts';

type Row = ReturnType<typeof recordedPaymentView>;

/** In the order of the file. */
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

/** A spreadsheet takes a text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

/** A cell as RFC 4180 has it. A text that a spreadsheet would take for a formula begins with an apostrophe. */
const cell = (value: string | number | boolean | null): string => {
  if (value === null) return '';
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const line = (cells: readonly (string | number | boolean | null)[]): string => `${cells.map(cell).join(',')}\r\n`;

/** Payments as a CSV file with a header row. */
export const paymentCsv = (payments: readonly Payment[]): string => {
  const rows = payments.map((payment) => {
    const shown = recordedPaymentView(payment);
    return line(COLUMNS.map((column) => shown[column]));
  });
  return [line(COLUMNS), ...rows].join('');
};
