import type { Payment } from './payment.ts';

/** Payments that are written in one transaction with what follows from them. */
export interface PaymentEntries {
  /** A payment that was not recorded before, or only as unmatched. */
  readonly payment?: Payment;
  /** Payments that counted until now. */
  readonly reversed?: readonly Payment[];
  /** A payment on which a refund is noted, and which does not change otherwise. */
  readonly noted?: { readonly before: Payment; readonly after: Payment } | undefined;
}
