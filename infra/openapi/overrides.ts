import type * as z from 'zod/mini';
import type { CreateDocumentOptions } from 'zod-openapi';
import { nairaText } from '#shared/payments/contract/payment-filters.ts';
import { instant, metadataAnswer } from '#shared/platform/contract/answer-fields.ts';
import { email } from '#shared/platform/contract/email.ts';
import { errorBody } from '#shared/platform/contract/errors.ts';
import { pageQuery } from '#shared/platform/contract/list.ts';
import { metadata } from '#shared/platform/contract/metadata.ts';
import { since } from '#shared/platform/contract/since.ts';
import { requestedProvider } from '#shared/providers/contract/requested-provider.ts';
import { phone } from '#shared/virtual-accounts/contract/customer-fields.ts';
import { endpointAnswer } from '#shared/webhooks/contract/endpoint-answer.ts';
import { subscription } from '#shared/webhooks/contract/endpoint-fields.ts';
import { eventAnswer } from '#shared/webhooks/contract/event-answer.ts';
import { flag } from '#shared/webhooks/contract/list-events.ts';
import { requestedEvent } from '#shared/webhooks/contract/test-webhook-endpoint.ts';
import { enumerationSchema, findEnumeration } from './enumerations.ts';
import type { JsonSchema } from './tidy.ts';

/** The schema that a transformed, optional or nullable one begins with. */
const inside = (schema: z.ZodMiniType): z.ZodMiniType => {
  const { innerType, in: input } = schema.def as { innerType?: z.ZodMiniType; in?: z.ZodMiniType };
  const next = innerType ?? input;
  return next ? inside(next) : schema;
};

const component = (id: string): JsonSchema => ({ $ref: `#/components/schemas/${id}` });

/** The data of an event of any type, of one that is added later too. The schema of each known type is its webhook's. */
const EVENT_DATA: JsonSchema = { type: 'object', additionalProperties: true };

/** What an endpoint receives. The contract takes `*` alone; a tuple for that is what few generators read. */
const subscriptions = (io: 'input' | 'output'): JsonSchema => ({
  type: 'array',
  items: enumerationSchema('Subscription', io),
});

/** Hand-written schemas where none can be generated, or only an unreadable one. Each accepts what the contract accepts. */
const OVERRIDES = new Map<unknown, JsonSchema>([
  [inside(metadata), component('Metadata')],
  [inside(metadataAnswer), component('Metadata')],
  [inside(requestedProvider), enumerationSchema('Provider', 'input')],
  [errorBody.shape.code, enumerationSchema('ErrorCode', 'output')],
  [inside(pageQuery.shape.limit), { type: 'integer', minimum: 1, maximum: 100, default: 25 }],
  [inside(email), { type: 'string', format: 'email', maxLength: 254 }],
  // Nigerian numbers have exactly ten digits after the prefix: a pattern for that needs what not every generator's emulator has.
  [phone, { type: 'string', pattern: '^\\+[1-9]\\d{7,14}$' }],
  [inside(nairaText), { type: 'number', format: 'double', minimum: 0 }],
  [instant, { type: 'string', format: 'date-time' }],
  [inside(since), { type: 'string', format: 'date-time' }],
  [inside(flag), { type: 'boolean' }],
  [eventAnswer.shape.type, enumerationSchema('EventType', 'output')],
  [eventAnswer.shape.data, EVENT_DATA],
  [requestedEvent, component('WebhookEvent')],
  [inside(subscription), { ...subscriptions('input'), minItems: 1 }],
  [endpointAnswer.shape.events, subscriptions('output')],
]);

const replace = (target: JsonSchema, instead: JsonSchema): void => {
  for (const keyword of Object.keys(target)) delete target[keyword];
  Object.assign(target, instead);
};

/** The `override` option of zod-openapi: replaces generated schemas. */
export const override: NonNullable<CreateDocumentOptions['override']> = ({ zodSchema, jsonSchema, io }) => {
  const target = jsonSchema as JsonSchema;
  const schema = zodSchema as unknown as z.ZodMiniType;
  const instead = OVERRIDES.get(schema);
  if (instead) return replace(target, instead);
  const name = findEnumeration(schema);
  if (name) return replace(target, enumerationSchema(name, io));
  // Without it, Go's clients have 32 bits, which lose kobo.
  if (target.type === 'number') target.format = 'double';
  // Clients in PHP compare a constant's text, and their own date, with what was read.
  if (typeof target.const === 'boolean') delete target.const;
  if (target.format === 'date') delete target.pattern;
};
