import type { FieldError } from '#shared/platform/kernel/errors.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Customer, ProviderName } from './provider.ts';

/** A detail of the customer that a provider requires to open an account. */
export interface Need {
  /** The field of the request that the error names. */
  readonly field: string;
  readonly isMetBy: (customer: Customer) => boolean;
  /** The required fields in Markdown, as part of a sentence of the API document. */
  readonly markdown: string;
  /** The message of a request that lacks it. */
  readonly error: (provider: ProviderName) => string;
}

/** A provider's requirements for customers: those of both modes, and the additional ones of live mode. */
export type CustomerNeeds = Readonly<Record<'always' | 'live', readonly Need[]>>;

const CUSTOMER_PROPERTIES = {
  customer_phone: 'phone',
  customer_email: 'email',
  bvn: 'bvn',
  nin: 'nin',
  bank_account: 'bankAccount',
} as const;
type Field = keyof typeof CUSTOMER_PROPERTIES;

/** Declares that a field is required, or one of several fields. The error's `field` is the first of them. */
export const needs = (field: Field, ...others: Field[]): Need => {
  const fields = [field, ...others];
  return {
    field,
    isMetBy: (customer) => fields.some((name) => (customer[CUSTOMER_PROPERTIES[name]] ?? null) !== null),
    markdown: `${others.length > 0 ? 'either ' : ''}${fields.map((name) => `\`${name}\``).join(' or ')}`,
    error: (provider) => `${fields.join(' or ')} is required by ${provider}.`,
  };
};

/** Lists the details that a provider requires and this customer lacks; empty if nothing is missing. */
export const unmetNeeds = (
  provider: ProviderName,
  { always, live }: CustomerNeeds,
  mode: Mode,
  customer: Customer,
): FieldError[] =>
  [...always, ...(mode === 'live' ? live : [])]
    .filter((need) => !need.isMetBy(customer))
    .map(({ field, error }) => ({ field, message: error(provider) }));
