import * as z from 'zod/mini';
import { korapayAccount, textIfAny as text } from './virtual-accounts.ts';

/** Naira as a number or as text: Korapay does both (providers.md section 3.1). */
export const naira = z.nullish(z.union([z.number(), z.string()]));
const payer = z.nullish(z.object({ account_name: text, bank_name: text }));
const receiver = z.nullish(z.object({ account_number: text, account_reference: text, payer_bank_account: payer }));

/** The bank payment account. */
export const issuedAccount = z.extend(korapayAccount, { expiry_date_in_utc: text });

/** A charge as Korapay tells it when it is made and when it is asked for (providers.md sections 3.3 and 3.4). */
export const charge = z.object({
  reference: text,
  payment_reference: text,
  status: text,
  currency: text,
  amount: naira,
  amount_expected: naira,
  amount_paid: naira,
  amount_accepted: naira,
  fee: naira,
  vat: naira,
  transaction_date: text,
  /** Where the money for one payment goes. */
  bank_account: z.nullish(issuedAccount),
  bank_transfer: z.nullish(
    z.object({
      payer_bank_account: payer,
      /** Present only when more or less came than was expected. */
      payment_event: text,
      reversal: z.nullish(z.object({ status: text, amount: naira })),
    }),
  ),
  /** The virtual account that was credited. The look-up shows it bare, the notification with the payer beside it. */
  virtual_bank_account: receiver,
  payer_bank_account: payer,
  virtual_bank_account_details: z.nullish(z.object({ payer_bank_account: payer, virtual_bank_account: receiver })),
});
export type Charge = z.infer<typeof charge>;

/** Where a charge is asked for under our reference or Korapay's. */
export const chargePath = (reference: string): string => `/charges/${encodeURIComponent(reference)}`;
