import * as z from 'zod/mini';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { checkoutReference } from '#shared/platform/kernel/ids.ts';
import { ordinal } from '#shared/platform/kernel/schemas.ts';
import type { Checkout, CreatedWith } from './checkout.ts';

/*
 * A merchant's own reference. It is unique among the checkouts that a business makes by its servers. From a browser it is only a label and
 * reserves nothing: anybody with the public key can send any text.
 */

/** Normalizes a merchant reference: two spellings of one text are one reference (Unicode NFC, UAX 15). */
export const normalizeReference = (text: string): string => text.trim().normalize('NFC');

/** Whether a server or a member made the checkout, not a browser with the public key. */
export const isMadeByServer = ({ createdWith }: { readonly createdWith: CreatedWith }): boolean =>
  createdWith !== 'public';

/** The checkout that passes its merchant reference to a new one. */
export const formerOwner = z.object({
  reference: checkoutReference,
  /** The revision of that checkout when it was read and had ended without money. The take-over fails if it has changed. Null after the take-over. */
  revision: z.nullable(ordinal),
});
export type FormerOwner = z.infer<typeof formerOwner>;

const duplicateError = (message: string, endable?: string): ApiError =>
  new ApiError('duplicate_merchant_reference', { message, ...(endable !== undefined && { endable }) });

/** Makes the API error for a merchant reference whose checkout is still being opened: nobody can see or end that checkout yet. */
export const usedByOpeningCheckout = (reference: string): ApiError =>
  duplicateError(
    `merchant_reference was used before, by checkout ${reference}, which is still being opened at its provider. Try again in a minute.`,
  );

/** Describes the state of the checkout with the unique reference, as the end of a sentence. */
const describeState = (status: Checkout['status'], paidAmount: number): string => {
  if (status === 'paid') return 'which is paid. Another payment needs a merchant_reference of its own.';
  if (paidAmount > 0) return 'which has received money. Another payment needs a merchant_reference of its own.';
  return 'which waits for money.';
};

/**
 * Returns a checkout as the former owner of its merchant reference, if the checkout has ended without money. Then a new checkout may take
 * the reference over.
 * @throws ApiError duplicate_merchant_reference, which names the checkout, if the checkout is open or has money.
 */
export const takeOverFrom = ({ reference, status, paidAmount, revision }: Checkout): FormerOwner => {
  if ((status === 'expired' || status === 'failed') && paidAmount === 0) return { reference, revision };
  const isEndable = status !== 'paid' && paidAmount === 0;
  throw duplicateError(
    `merchant_reference was used before, by checkout ${reference}, ${describeState(status, paidAmount)}`,
    isEndable ? reference : undefined,
  );
};
