import * as z from 'zod/mini';
import { name } from '#shared/providers/common/texts.ts';
import { korapayAccount, optionalNaira, optionalReference, optionalText, status } from './fields.ts';

/** A field with any content. It never makes a charge unreadable. */
const anything = z.optional(z.unknown());

/** The sender of the money; null if it cannot be read. */
const payer = z.catch(z.nullish(z.object({ account_name: name, bank_name: name })), null);
/** The virtual account that was credited. */
const receiver = z.nullish(
  z.object({ account_number: optionalText, account_reference: optionalText, payer_bank_account: payer }),
);

export const issuedAccount = z.extend(korapayAccount, { expiry_date_in_utc: anything });

/** A charge, Korapay's object for incoming money, as creations and look-ups return it (providers.md sections 3.3 and 3.4). */
export const charge = z.object({
  reference: optionalReference,
  payment_reference: optionalReference,
  status,
  currency: anything,
  amount: optionalNaira,
  amount_expected: optionalNaira,
  amount_paid: optionalNaira,
  amount_accepted: optionalNaira,
  fee: anything,
  vat: anything,
  transaction_date: anything,
  /** The payment account, on the charge of a checkout. */
  bank_account: anything,
  bank_transfer: z.nullish(
    z.object({
      payer_bank_account: payer,
      /** Present only if a wrong amount was paid. */
      payment_event: optionalText,
      reversal: z.nullish(z.object({ status, amount: optionalNaira })),
    }),
  ),
  /** The virtual account in look-ups. In notifications it is in `virtual_bank_account_details`, next to the payer. */
  virtual_bank_account: receiver,
  payer_bank_account: payer,
  virtual_bank_account_details: z.nullish(z.object({ payer_bank_account: payer, virtual_bank_account: receiver })),
});
export type Charge = z.infer<typeof charge>;

/** Builds the path that looks up a charge, by our reference or Korapay's. */
export const chargePath = (reference: string): string => `/charges/${encodeURIComponent(reference)}`;
