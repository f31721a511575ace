import type { Millis } from '#shared/domain/kernel/time.ts';
import type { Checkout } from './checkout.ts';

/** Which checkouts of a business are wanted; null where it does not matter. */
export interface CheckoutFilter {
  /** Created at this time or later. */
  readonly from: Millis | null;
  /** Created before this time. */
  readonly to: Millis | null;
  readonly status: Checkout['status'] | null;
  readonly payerEmail: string | null;
  readonly merchantReference: string | null;
}

/** Whether a checkout is one of those that are wanted. */
export const isWanted = ({ from, to, status, payerEmail, merchantReference }: CheckoutFilter, of: Checkout): boolean =>
  (from === null || of.createdAt >= from) &&
  (to === null || of.createdAt < to) &&
  (status === null || of.status === status) &&
  (payerEmail === null || of.payerEmail.toLowerCase() === payerEmail.toLowerCase()) &&
  (merchantReference === null || of.merchantReference === merchantReference);
