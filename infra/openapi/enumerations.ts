import { checkoutAnswer } from '#shared/contract/checkouts/checkout-answer.ts';
import { REFUSALS } from '#shared/contract/kernel/errors.ts';
import { paymentAnswer } from '#shared/contract/money/payment-answer.ts';
import { providerFailure } from '#shared/contract/virtual-accounts/create-virtual-accounts.ts';
import { virtualAccountAnswer } from '#shared/contract/virtual-accounts/virtual-account-answer.ts';
import { deliveryStatus, waitingStatus } from '#shared/contract/webhooks/delivery-answer.ts';
import { endpointHealth } from '#shared/contract/webhooks/endpoint-answer.ts';
import { namedEventType } from '#shared/contract/webhooks/endpoint-fields.ts';
import { type JsonSchema, mapSchema } from './tidy.ts';

/** An enumeration of the document: generated clients name a type by it. */
interface Enumeration {
  readonly description: string;
  readonly values: readonly string[];
}

const EVENT_TYPES = namedEventType.options;

/** Every enumeration, by its name. No two have the same values. */
export const ENUMERATIONS = {
  Mode: { description: 'Test mode moves no money.', values: checkoutAnswer.shape.mode.options },
  Provider: { description: 'Who issues an account.', values: paymentAnswer.shape.provider.options },
  CreatedWith: {
    description: 'What a checkout was made with: a kind of API key, or the dashboard.',
    values: checkoutAnswer.shape.created_with.options,
  },
  CheckoutStatus: {
    description: 'The state of a checkout: see Checkout states.',
    values: checkoutAnswer.shape.status.options,
  },
  VirtualAccountStatus: {
    description: 'The state of a virtual account.',
    values: virtualAccountAnswer.shape.status.options,
  },
  PaymentOutcome: {
    description: 'Whether a payment counts, or what became of it.',
    values: paymentAnswer.shape.outcome.options,
  },
  SimulatedResult: { description: 'What is simulated: a transfer, or a failure.', values: ['success', 'failed'] },
  SimulatedTransferOutcome: {
    description: 'What becomes of a simulated transfer to a virtual account.',
    values: ['accepted', 'reversed'],
  },
  DeliveryStatus: { description: 'The state of a delivery.', values: deliveryStatus.options },
  WaitingDeliveryStatus: {
    description: 'Why a delivery has not arrived.',
    values: waitingStatus.options,
  },
  EndpointHealthStatus: {
    description: 'How the server behind an endpoint is doing.',
    values: endpointHealth.shape.status.options,
  },
  EventType: { description: 'What happened: see Webhooks.', values: EVENT_TYPES },
  Subscription: {
    description: 'A type of event that an endpoint receives; `*` stands for all, future ones included.',
    values: ['*', ...EVENT_TYPES],
  },
  ProviderFailureCode: {
    description:
      '`provider_busy` and `provider_unreachable`: it did nothing, ask it again later. `outcome_unknown`: its account is pending, do not ask it again. `provider_refused` and `provider_not_enabled`: the same request will not succeed. Codes may be added.',
    values: providerFailure.shape.code.options,
  },
  ErrorCode: {
    description: 'What is wrong, for programs. Codes may be added: for one that you do not know, use the HTTP status.',
    values: Object.keys(REFUSALS),
  },
} satisfies Record<string, Enumeration>;

const NAMES = new Map(Object.entries(ENUMERATIONS).map(([name, { values }]) => [JSON.stringify(values), name]));

/** The enumerations as named schemas. */
export const enumerationSchemas = (): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(ENUMERATIONS).map(([name, { description, values }]) => [
      name,
      { description, type: 'string', enum: [...values] },
    ]),
  );

/** One value or null, as a constant, which generators take for what it is. */
const single = ({ type: _, enum: __, ...rest }: JsonSchema, [value]: readonly unknown[]): JsonSchema => ({
  ...rest,
  anyOf: [{ type: 'string', const: value }, { type: 'null' }],
});

/**
 * Refers to the named enumerations in place of their values.
 * @throws Error when a schema has values that no enumeration has, since generators would make a name of their own for it.
 */
export const withEnumerations = (schema: unknown): unknown =>
  mapSchema(schema, (one) => {
    const values = Array.isArray(one.enum) ? one.enum.filter((value) => value !== null) : [];
    if (values.length < 2) return one.enum === undefined ? one : single(one, values);
    const name = NAMES.get(JSON.stringify(values));
    if (name === undefined) throw new Error(`An enumeration has no name: ${values.join(', ')}.`);
    const { type, enum: all, ...rest } = one;
    const named = { $ref: `#/components/schemas/${name}` };
    if (Array.isArray(type) && type.includes('null')) return { ...rest, anyOf: [named, { type: 'null' }] };
    return Object.keys(rest).length > 0 ? { ...rest, allOf: [named] } : named;
  });
