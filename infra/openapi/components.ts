import { listMeta } from '#shared/platform/contract/list.ts';
import { CHECKOUT_COMPONENTS } from './components/checkouts.ts';
import { type Component, component } from './components/component.ts';
import { ERROR_COMPONENTS } from './components/errors.ts';
import { EVENT_COMPONENTS } from './components/events.ts';
import { PAYMENT_COMPONENTS } from './components/payments.ts';
import { PROVIDER_COMPONENTS } from './components/providers.ts';
import { VIRTUAL_ACCOUNT_COMPONENTS } from './components/virtual-accounts.ts';
import { WEBHOOK_ENDPOINT_COMPONENTS } from './components/webhook-endpoints.ts';
import { makeEnumerationSchemas } from './enumerations.ts';
import { nameSchema } from './named-bodies.ts';

/** All named schemas of the contract. */
export const COMPONENTS: readonly Component[] = [
  ...CHECKOUT_COMPONENTS,
  ...PAYMENT_COMPONENTS,
  ...PROVIDER_COMPONENTS,
  ...VIRTUAL_ACCOUNT_COMPONENTS,
  ...WEBHOOK_ENDPOINT_COMPONENTS,
  ...EVENT_COMPONENTS,
  component(listMeta, 'ListMeta', 'The position in a list.', {
    has_more: 'True if there is a next page.',
    next_cursor: 'Send this as `cursor` to get the next page; null on the last page.',
  }),
  ...ERROR_COMPONENTS,
];

/**
 * Registers the names of these schemas, so that the document refers to them by name. It does not change the schemas themselves. No Lambda
 * function loads this module.
 */
export const nameComponents = (): void => {
  for (const { schema, id } of COMPONENTS) nameSchema(schema, id);
};

/** Named schemas that are written here as JSON Schema, because no contract has them. */
export const JSON_SCHEMA_COMPONENTS = {
  ...makeEnumerationSchemas(),
  Metadata: { description: 'Any JSON object of at most 2 KiB.', type: 'object', additionalProperties: true },
  Acknowledgement: {
    description: 'A success without data.',
    type: 'object',
    properties: { status: { type: 'boolean', description: 'Always true.' } },
    required: ['status'],
  },
} as const;
