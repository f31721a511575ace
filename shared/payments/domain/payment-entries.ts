import type { Payment } from './payment.ts';

/** The payments that one transaction writes. */
export interface PaymentEntries {
  /** A new payment, or one that was only recorded as unmatched money. */
  readonly payment?: Payment;
  /** Payments that counted until now, with their new outcome `reversed`. */
  readonly reversed?: readonly Payment[];
  /** A payment that only gets a note of a refund. */
  readonly noted?: { readonly before: Payment; readonly after: Payment } | undefined;
}
