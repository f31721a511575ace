import type * as z from 'zod/mini';
import type { CreateDocumentOptions } from 'zod-openapi';
import { instant, metadataAnswer } from '#shared/contract/kernel/answer-fields.ts';
import { email } from '#shared/contract/kernel/email.ts';
import { metadata } from '#shared/contract/kernel/metadata.ts';
import { pageQuery } from '#shared/contract/kernel/page.ts';
import { requestedProvider } from '#shared/contract/kernel/requested-provider.ts';
import { since } from '#shared/contract/kernel/since.ts';
import { paymentAnswer } from '#shared/contract/money/payment-answer.ts';
import { nairaText } from '#shared/contract/money/payment-filters.ts';
import { phone } from '#shared/contract/virtual-accounts/customer-fields.ts';
import { endpointAnswer } from '#shared/contract/webhooks/endpoint-answer.ts';
import { namedEventType, subscription } from '#shared/contract/webhooks/endpoint-fields.ts';
import { eventAnswer } from '#shared/contract/webhooks/event-answer.ts';
import type { JsonSchema } from './tidy.ts';

/** The schema that a transformed, optional or nullable one begins with. */
const inside = (schema: z.ZodMiniType): z.ZodMiniType => {
  const { innerType, in: input } = schema.def as { innerType?: z.ZodMiniType; in?: z.ZodMiniType };
  const next = innerType ?? input;
  return next ? inside(next) : schema;
};

const component = (id: string): JsonSchema => ({ $ref: `#/components/schemas/${id}` });

/** The data of an event, one of several objects by its type. */
const EVENT_DATA: JsonSchema = {
  anyOf: [
    component('CheckoutInEvent'),
    component('VirtualAccount'),
    component('PaymentOnVirtualAccount'),
    component('WebhookEndpoint'),
    component('TestMessage'),
  ],
};

/** What an endpoint receives. The contract takes `*` alone; a tuple for that is what few generators read. */
const SUBSCRIPTION: JsonSchema = { type: 'array', items: { type: 'string', enum: ['*', ...namedEventType.options] } };

/** Hand-written schemas where none can be generated, or only an unreadable one. Each accepts what the contract accepts. */
const OVERRIDES = new Map<unknown, JsonSchema>([
  [inside(metadata), component('Metadata')],
  [inside(metadataAnswer), component('Metadata')],
  [inside(requestedProvider), { type: 'string', enum: [...paymentAnswer.shape.provider.options] }],
  [inside(pageQuery.shape.limit), { type: 'integer', minimum: 1, maximum: 100, default: 25 }],
  [inside(email), { type: 'string', format: 'email', maxLength: 254 }],
  // Nigerian numbers have exactly ten digits after the prefix: a pattern for that needs what not every generator's engine has.
  [phone, { type: 'string', pattern: '^\\+[1-9]\\d{7,14}$' }],
  [inside(nairaText), { type: 'number', minimum: 0, multipleOf: 0.01 }],
  [inside(since), { type: 'string', format: 'date-time' }],
  [eventAnswer.shape.data, EVENT_DATA],
  [inside(subscription), { ...SUBSCRIPTION, minItems: 1 }],
  [endpointAnswer.shape.events, SUBSCRIPTION],
]);

/** The `override` option of zod-openapi: replaces generated schemas. */
export const override: NonNullable<CreateDocumentOptions['override']> = ({ zodSchema, jsonSchema }) => {
  const target = jsonSchema as JsonSchema;
  const instead = OVERRIDES.get(zodSchema);
  if (instead) {
    for (const keyword of Object.keys(target)) delete target[keyword];
    Object.assign(target, instead);
  }
  if ((zodSchema as unknown) === instant) target.format = 'date-time';
};
