import { isSameAddress } from '#shared/platform/kernel/email-address.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Checkout } from './checkout.ts';

/** A filter for the checkouts of a business; null: any value. */
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

/**
 * Whether a search must read more checkouts than it returns, because no list has exactly the checkouts of the filter. There are lists by
 * time, by payer and time, and by merchant reference.
 */
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
  (merchantReference !== null && [from, to, payerEmail].some((value) => value !== null));

export const matchesFilter = (
  { from, to, status, payerEmail, merchantReference, accountNumber }: CheckoutFilter,
  checkout: Checkout,
): boolean =>
  (from === null || checkout.createdAt >= from) &&
  (to === null || checkout.createdAt < to) &&
  (status === null || checkout.status === status) &&
  (payerEmail === null || isSameAddress(checkout.payerEmail, payerEmail)) &&
  (merchantReference === null || checkout.merchantReference === merchantReference) &&
  (accountNumber === null || checkout.attempts.some(({ account }) => account?.accountNumber === accountNumber));
