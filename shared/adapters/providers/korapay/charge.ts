import * as z from 'zod/mini';
import { korapayAccount, optionalText } from './virtual-accounts.ts';

/** Naira as a number or as text, since Korapay sends both (providers.md section 3.1); may be absent or null. */
export const optionalNaira = z.nullish(z.union([z.number(), z.string()]));
/** Who sent the money. */
const payer = z.nullish(z.object({ account_name: optionalText, bank_name: optionalText }));
/** The virtual account that was credited. */
const receiver = z.nullish(
  z.object({ account_number: optionalText, account_reference: optionalText, payer_bank_account: payer }),
);

/** A payment account. */
export const issuedAccount = z.extend(korapayAccount, { expiry_date_in_utc: optionalText });

/** A charge, Korapay's object for incoming money, as creations and look-ups return it (providers.md sections 3.3 and 3.4). */
export const charge = z.object({
  reference: optionalText,
  payment_reference: optionalText,
  status: optionalText,
  currency: optionalText,
  amount: optionalNaira,
  amount_expected: optionalNaira,
  amount_paid: optionalNaira,
  amount_accepted: optionalNaira,
  fee: optionalNaira,
  vat: optionalNaira,
  transaction_date: optionalText,
  /** The payment account, on the charge of a checkout. */
  bank_account: z.nullish(issuedAccount),
  bank_transfer: z.nullish(
    z.object({
      payer_bank_account: payer,
      /** Present only when a wrong amount was paid. */
      payment_event: optionalText,
      reversal: z.nullish(z.object({ status: optionalText, amount: optionalNaira })),
    }),
  ),
  /** Look-ups have the virtual account here; notifications have it in `virtual_bank_account_details`, beside the payer. */
  virtual_bank_account: receiver,
  payer_bank_account: payer,
  virtual_bank_account_details: z.nullish(z.object({ payer_bank_account: payer, virtual_bank_account: receiver })),
});
export type Charge = z.infer<typeof charge>;

/** The path that looks up a charge, by our reference or Korapay's. */
export const chargePath = (reference: string): string => `/charges/${encodeURIComponent(reference)}`;
