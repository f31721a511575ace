import * as z from 'zod/mini';
import type { FieldError } from './errors.ts';
import type { Mode } from './mode.ts';
import { someText, text, textOrNull } from './parts.ts';

/** The identifiers of the external account providers (api.md section 3). */
export const providerName = z.enum(['paystack', 'monnify', 'korapay']);
export type ProviderName = z.infer<typeof providerName>;

/** An account that a provider issued for us to receive money in. */
export const receivingAccount = z.object({
  accountNumber: someText,
  accountName: text,
  bankName: text,
  bankCode: textOrNull,
  /** The provider's own id of the account, where its calls ask for that. Never shown. */
  providerId: textOrNull,
});
export type ReceivingAccount = z.infer<typeof receivingAccount>;

/** What a business tells us about its customer. `bvn` and `nin` go to the provider and nowhere else. */
export interface Customer {
  readonly name: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly bvn: string | null;
  readonly nin: string | null;
}

type Need = (customer: Customer) => FieldError[];

const absent = (field: string, provider: ProviderName): FieldError => ({
  field,
  message: `${field} is required by ${provider}.`,
});

const FIELD_OF = { customer_phone: 'phone', customer_email: 'email', bvn: 'bvn', nin: 'nin' } as const;

const needs =
  (provider: ProviderName, ...fields: (keyof typeof FIELD_OF)[]): Need =>
  (customer) =>
    fields.filter((field) => customer[FIELD_OF[field]] === null).map((field) => absent(field, provider));

const firstAndLastName: Need = (customer) =>
  customer.name.trim().split(/\s+/).length >= 2
    ? []
    : [{ field: 'customer_name', message: 'customer_name must hold a first and a last name for paystack.' }];

const bvnOrNin: Need = (customer) =>
  customer.bvn === null && customer.nin === null
    ? [{ field: 'bvn', message: 'bvn or nin is required by monnify.' }]
    : [];

/** What each provider needs of a customer, always and beyond that in live mode: the table of api.md section 3. */
const NEEDS: Record<ProviderName, Record<'always' | 'live', readonly Need[]>> = {
  paystack: { always: [needs('paystack', 'customer_phone', 'customer_email')], live: [firstAndLastName] },
  monnify: { always: [], live: [needs('monnify', 'customer_email'), bvnOrNin] },
  korapay: { always: [], live: [needs('korapay', 'bvn', 'nin')] },
};

/** What a provider would still need to open an account for this customer, naming provider and field; empty when it has all. */
export const unmetNeeds = (provider: ProviderName, mode: Mode, customer: Customer): FieldError[] => {
  const { always, live } = NEEDS[provider];
  return [...always, ...(mode === 'live' ? live : [])].flatMap((need) => need(customer));
};
