import * as z from 'zod/mini';
import { boolean, nonEmptyString, text } from '#shared/platform/kernel/schemas.ts';
import { commonSettings, describeProvider } from '#shared/providers/common/description.ts';
import { parseNaira } from '#shared/providers/common/money.ts';
import { type Need, needs } from '#shared/providers/domain/customer-needs.ts';

const firstAndLastName: Need = {
  field: 'customer_name',
  isMetBy: ({ name }) => name.trim().split(/\s+/).length >= 2,
  markdown: 'a first and a last name in `customer_name`',
  error: (provider) => `customer_name must contain a first and a last name for ${provider}.`,
};

const settings = z.object({
  ...commonSettings('https://api.paystack.co'),
  /** Paystack's slug of the bank that issues virtual accounts (`titan-paystack`, `wema-bank`). */
  bank: z._default(text, 'titan-paystack'),
  /** A domain of ours. Paystack identifies customers by e-mail address, so each account gets its own address in this domain. */
  customerEmailDomain: text.check(z.minLength(3)),
  /** Whether our account at Paystack belongs to a category whose customers must be validated before they get a virtual account. */
  validatesCustomers: z._default(boolean, false),
});
export type PaystackSettings = z.infer<typeof settings>;

const credentials = z.object({ secretKey: nonEmptyString, previousSecretKey: z.optional(nonEmptyString) });
export type PaystackCredentials = z.infer<typeof credentials>;

/** The description of Paystack (providers.md section 1). */
export const paystackDescription = describeProvider({
  title: 'Paystack',
  needs: { always: [needs('customer_phone'), needs('customer_email')], live: [firstAndLastName] },
  /** Paystack requires these of our customers if our account is in betting, financial services or general services (providers.md section 1.2). */
  needsUnder: ({ validatesCustomers }) => (validatesCustomers ? [needs('bvn'), needs('bank_account')] : []),
  /** ₦50 and more (providers.md section 1.3). */
  amountLimits: { least: parseNaira(50) },
  /** Paystack rejects and returns an amount that is too small (providers.md section 1.6). */
  acceptsRest: false,
  /** The list has a row for every transaction, whatever its status (providers.md section 1.4). */
  listShowsLateMoney: true,
  /** The list is sorted by the creation of the transaction (providers.md section 1.4). */
  listsByCreation: true,
  settings,
  credentials,
  credentialsDescription: 'a JSON object with secretKey, and with previousSecretKey during a rotation',
});
