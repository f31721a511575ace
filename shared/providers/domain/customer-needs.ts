import type { FieldError } from '#shared/platform/kernel/errors.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Customer, ProviderName } from './provider.ts';

/** A detail of the customer that a provider requires to open an account. */
export interface Need {
  /** The field of the request that a refusal names. */
  readonly field: string;
  readonly isMetBy: (customer: Customer) => boolean;
  /** The required fields in Markdown, as part of a sentence of the API document. */
  readonly markdown: string;
  /** The message of a request that lacks it. */
  readonly error: (provider: ProviderName) => string;
}

/** What a provider requires of a customer, in both modes and additionally in live mode: a row of the table of api-decisions.md section 3. */
export type CustomerNeeds = Readonly<Record<'always' | 'live', readonly Need[]>>;

const CUSTOMER_PROPERTIES = {
  customer_phone: 'phone',
  customer_email: 'email',
  bvn: 'bvn',
  nin: 'nin',
  bank_account: 'bankAccount',
} as const;
type Field = keyof typeof CUSTOMER_PROPERTIES;

/** The need of a field, or of one of several; the refusal names the first. */
export const needs = (field: Field, ...others: Field[]): Need => {
  const fields = [field, ...others];
  return {
    field,
    isMetBy: (customer) => fields.some((name) => (customer[CUSTOMER_PROPERTIES[name]] ?? null) !== null),
    markdown: `${others.length > 0 ? 'either ' : ''}${fields.map((name) => `\`${name}\``).join(' or ')}`,
    error: (provider) => `${fields.join(' or ')} is required by ${provider}.`,
  };
};

/** What a provider still requires of this customer; empty when nothing is missing. */
export const unmetNeeds = (
  provider: ProviderName,
  { always, live }: CustomerNeeds,
  mode: Mode,
  customer: Customer,
): FieldError[] =>
  [...always, ...(mode === 'live' ? live : [])]
    .filter((need) => !need.isMetBy(customer))
    .map(({ field, error }) => ({ field, message: error(provider) }));
