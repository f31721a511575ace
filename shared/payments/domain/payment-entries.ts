import type { Payment } from './payment.ts';

/** The payments that one transaction writes. */
export interface PaymentEntries {
  /** A new payment, or one that was only recorded as unmatched money. */
  readonly payment?: Payment;
  /** Payments that counted until now, with their new outcome `reversed`. */
  readonly reversed?: readonly Payment[];
  /** A payment whose outcome stays. Only its notes about refunds change. */
  readonly noteChange?: { readonly before: Payment; readonly after: Payment } | undefined;
}
