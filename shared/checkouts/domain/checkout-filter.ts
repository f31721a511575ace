import { isSameAddress } from '#shared/platform/kernel/email-address.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
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
  readonly accountNumber: string | null;
}

/** Whether more checkouts must be read than are wanted: only a time, a payer or a merchant reference has a list of its own. */
export const isCheckoutSearch = ({
  from,
  to,
  status,
  payerEmail,
  merchantReference,
  accountNumber,
}: CheckoutFilter): boolean =>
  status !== null ||
  accountNumber !== null ||
  (merchantReference !== null && [from, to, payerEmail].some((one) => one !== null));

/** Whether a checkout is one of those that are wanted. */
export const isWanted = (
  { from, to, status, payerEmail, merchantReference, accountNumber }: CheckoutFilter,
  of: Checkout,
): boolean =>
  (from === null || of.createdAt >= from) &&
  (to === null || of.createdAt < to) &&
  (status === null || of.status === status) &&
  (payerEmail === null || isSameAddress(of.payerEmail, payerEmail)) &&
  (merchantReference === null || of.merchantReference === merchantReference) &&
  (accountNumber === null || of.attempts.some(({ account }) => account?.accountNumber === accountNumber));
