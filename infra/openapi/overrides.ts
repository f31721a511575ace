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
import { chooseSchema, findEnumeration } from './enumerations.ts';
import type { JsonSchema } from './tidy.ts';

/** Unwraps a schema: removes transformations, `optional` and `nullable`. */
const unwrap = (schema: z.ZodMiniType): z.ZodMiniType => {
  const { innerType, in: input } = schema.def as { innerType?: z.ZodMiniType; in?: z.ZodMiniType };
  const next = innerType ?? input;
  return next ? unwrap(next) : schema;
};

const component = (id: string): JsonSchema => ({ $ref: `#/components/schemas/${id}` });

/** The `data` of any event, also of a type that is added later. The webhook of a known type has the exact schema. */
const EVENT_DATA: JsonSchema = { type: 'object', additionalProperties: true };

/** The list of event types that an endpoint receives, with `*` as one of them. The contract has a tuple for `["*"]`, which few generators can read. */
const makeSubscriptions = (io: 'input' | 'output'): JsonSchema => ({
  type: 'array',
  items: chooseSchema('Subscription', io),
});

/** Hand-written schemas, for contracts that give no schema or an unreadable one. Each accepts all that its contract accepts, and some accept more. */
const OVERRIDES = new Map<unknown, JsonSchema>([
  [unwrap(metadata), component('Metadata')],
  [unwrap(metadataAnswer), component('Metadata')],
  [unwrap(requestedProvider), chooseSchema('Provider', 'input')],
  [errorBody.shape.code, chooseSchema('ErrorCode', 'output')],
  [unwrap(pageQuery.shape.limit), { type: 'integer', minimum: 1, maximum: 100, default: 25 }],
  [unwrap(email), { type: 'string', format: 'email', maxLength: 254 }],
  // Nigerian numbers have exactly ten digits after +234, but the pattern for that needs lookahead, which not every generator supports.
  [phone, { type: 'string', pattern: '^\\+[1-9]\\d{7,14}$' }],
  [unwrap(nairaText), { type: 'number', format: 'double', minimum: 0 }],
  [instant, { type: 'string', format: 'date-time' }],
  [unwrap(since), { type: 'string', format: 'date-time' }],
  [unwrap(flag), { type: 'boolean' }],
  [eventAnswer.shape.type, chooseSchema('EventType', 'output')],
  [eventAnswer.shape.data, EVENT_DATA],
  [requestedEvent, component('WebhookEvent')],
  [unwrap(subscription), { ...makeSubscriptions('input'), minItems: 1 }],
  [endpointAnswer.shape.events, makeSubscriptions('output')],
]);

const replace = (target: JsonSchema, replacement: JsonSchema): void => {
  for (const keyword of Object.keys(target)) delete target[keyword];
  Object.assign(target, replacement);
};

/** The `override` option of zod-openapi: replaces or corrects generated schemas. */
export const override: NonNullable<CreateDocumentOptions['override']> = ({ zodSchema, jsonSchema, io }) => {
  const target = jsonSchema as JsonSchema;
  const schema = zodSchema as unknown as z.ZodMiniType;
  const replacement = OVERRIDES.get(schema);
  if (replacement) return replace(target, replacement);
  const name = findEnumeration(schema);
  if (name) return replace(target, chooseSchema(name, io));
  // Without this format, clients in Go use 32-bit floats, which lose kobo.
  if (target.type === 'number') target.format = 'double';
  // Generated clients in PHP compare a constant as text, and match a pattern against their own date object. Both checks fail for correct values.
  if (typeof target.const === 'boolean') delete target.const;
  if (target.format === 'date') delete target.pattern;
};
