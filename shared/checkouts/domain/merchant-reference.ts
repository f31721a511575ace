import * as z from 'zod/mini';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { checkoutReference } from '#shared/platform/kernel/ids.ts';
import { ordinal } from '#shared/platform/kernel/schemas.ts';
import type { Checkout, CreatedWith } from './checkout.ts';

/*
 * A merchant's own reference (api-decisions.md section 4). Among the checkouts that a business makes by its servers, one holds it.
 * From a browser it is only a label, which reserves nothing: anybody with the public key can send any text.
 */

/** A merchant reference as it is stored, compared and answered: two spellings of one text are one reference (Unicode NFC, UAX 15). */
export const normalizeReference = (text: string): string => text.trim().normalize('NFC');

/** Whether a checkout was made by the merchant itself, its server or a member, not in somebody's browser. */
export const isMadeByServer = ({ createdWith }: { readonly createdWith: CreatedWith }): boolean =>
  createdWith !== 'public';

/** The checkout from which a new one takes over a merchant reference. */
export const formerOwner = z.object({
  reference: checkoutReference,
  /** The revision in which it had ended; null once it was taken over. */
  revision: z.nullable(ordinal),
});
export type FormerOwner = z.infer<typeof formerOwner>;

const error = (message: string, endable?: string): ApiError =>
  new ApiError('duplicate_merchant_reference', { message, ...(endable !== undefined && { endable }) });

/** The refusal while the other checkout is being opened: nobody can see it or end it yet. */
export const usedByOpeningCheckout = (reference: string): ApiError =>
  error(
    `merchant_reference was used before, by checkout ${reference}, which is still being opened at its provider. Try again in a minute.`,
  );

/** How the holder stands, as the end of a sentence. Only one without money can be ended. */
const describeState = (status: Checkout['status'], paidAmount: number): string => {
  if (status === 'paid') return 'which is paid. Another payment needs a merchant_reference of its own.';
  if (paidAmount > 0) return 'which has received money. Another payment needs a merchant_reference of its own.';
  return 'which waits for money.';
};

/**
 * The holder, for a new checkout that takes over its merchant reference: it has ended, and no money counts on it.
 * @throws duplicate_merchant_reference, which names the holder, while it is open or has money.
 */
export const takeOverFrom = ({ reference, status, paidAmount, revision }: Checkout): FormerOwner => {
  if ((status === 'expired' || status === 'failed') && paidAmount === 0) return { reference, revision };
  const isEndable = status !== 'paid' && paidAmount === 0;
  throw error(
    `merchant_reference was used before, by checkout ${reference}, ${describeState(status, paidAmount)}`,
    isEndable ? reference : undefined,
  );
};
