import type * as z from 'zod/mini';
import { checkoutAnswer } from '#shared/checkouts/contract/checkout-answer.ts';
import { paymentAnswer } from '#shared/payments/contract/payment-answer.ts';
import { API_ERRORS } from '#shared/platform/contract/errors.ts';
import { providerStanding } from '#shared/providers/contract/list-providers.ts';
import { providerFailure } from '#shared/virtual-accounts/contract/create-virtual-accounts.ts';
import { virtualAccountAnswer } from '#shared/virtual-accounts/contract/virtual-account-answer.ts';
import { deliveryStatus, undeliveredStatus } from '#shared/webhooks/contract/delivery-answer.ts';
import { endpointHealth } from '#shared/webhooks/contract/endpoint-answer.ts';
import { namedEventType } from '#shared/webhooks/contract/endpoint-fields.ts';
import type { JsonSchema } from './tidy.ts';

/** An enumeration of the document. Generated clients have a type with its name. */
interface Enumeration {
  readonly description: string;
  readonly values: readonly string[];
  /** Whether values may be added. Answers then have a plain string, because most generated clients fail at an unknown value. */
  readonly mayGrow?: true;
}

/** All enumerations by name. No two have the same values. */
export const ENUMERATIONS = {
  Mode: { description: 'Live mode moves money, test mode does not.', values: checkoutAnswer.shape.mode.options },
  Currency: { description: 'Naira.', values: ['NGN'] },
  Provider: {
    description: 'The company that issues an account. Providers may be added.',
    values: paymentAnswer.shape.provider.options,
    mayGrow: true,
  },
  CreatedWith: {
    description: 'Created with a secret key, with a public key, or in the dashboard.',
    values: checkoutAnswer.shape.created_with.options,
  },
  CheckoutStatus: {
    description: 'The state of a checkout: see *Checkout states*.',
    values: checkoutAnswer.shape.status.options,
  },
  VirtualAccountStatus: {
    description: 'The state of a virtual account.',
    values: virtualAccountAnswer.shape.status.options,
  },
  PaymentOutcome: {
    description: '`accepted` payments count. `rejected` and `reversed` payments were sent back.',
    values: paymentAnswer.shape.outcome.options,
  },
  SimulatedResult: { description: 'The simulated result: a transfer, or a failure.', values: ['success', 'failed'] },
  SimulatedTransferOutcome: {
    description: 'The outcome of a simulated transfer to a virtual account.',
    values: ['accepted', 'reversed'],
  },
  DeliveryStatus: { description: 'The state of a delivery.', values: deliveryStatus.options },
  WaitingDeliveryStatus: {
    description: 'The state of a delivery that has not arrived.',
    values: undeliveredStatus.options,
  },
  EndpointHealthStatus: {
    description: 'The health of the server behind an endpoint.',
    values: endpointHealth.shape.status.options,
  },
  EventType: {
    description: 'The type of an event: see *Webhooks*. Types may be added.',
    values: namedEventType.options,
    mayGrow: true,
  },
  Subscription: {
    description: 'An event type that an endpoint receives. `*` means all types, also those that are added later.',
    values: ['*', ...namedEventType.options],
    mayGrow: true,
  },
  ProviderState: {
    description: 'The state of a provider. States may be added.',
    values: providerStanding.shape.state.options,
    mayGrow: true,
  },
  ProviderFailureCode: {
    description:
      'The reason why a provider opened no account: see *Partial failure: some banks opened, some did not*. Codes may be added.',
    values: providerFailure.shape.code.options,
    mayGrow: true,
  },
  ErrorCode: {
    description:
      'The error codes of today, to compare `code` with. Codes may be added: handle an unknown code by its HTTP status.',
    values: Object.keys(API_ERRORS),
    mayGrow: true,
  },
} satisfies Record<string, Enumeration>;

type Name = keyof typeof ENUMERATIONS;

const NAMES = new Map(Object.entries(ENUMERATIONS).map(([name, { values }]) => [JSON.stringify(values), name as Name]));

/** Makes a named schema of each enumeration. */
export const makeEnumerationSchemas = (): Record<string, { description: string; type: 'string'; enum: string[] }> =>
  Object.fromEntries(
    Object.entries(ENUMERATIONS).map(([name, { description, values }]) => [
      name,
      { description, type: 'string', enum: [...values] },
    ]),
  );

/** Makes a string schema for an enumeration that may grow. `x-extensible-enum` lists today's values for tools that read it. */
const makeOpenSchema = (name: Name): JsonSchema => ({
  type: 'string',
  'x-extensible-enum': [...ENUMERATIONS[name].values],
});

/** Chooses the schema of an enumeration: a plain string in an answer if values may be added, else the named schema. */
export const chooseSchema = (name: Name, io: 'input' | 'output'): JsonSchema => {
  const { mayGrow }: Enumeration = ENUMERATIONS[name];
  return io === 'output' && mayGrow ? makeOpenSchema(name) : { $ref: `#/components/schemas/${name}` };
};

/** Reads the values of an enumeration or a constant; empty for other schemas. */
const readValues = (schema: z.ZodMiniType): readonly unknown[] => {
  const {
    type,
    entries = {},
    values = [],
  } = schema.def as {
    type: string;
    entries?: Record<string, string>;
    values?: readonly unknown[];
  };
  return type === 'enum' ? Object.values(entries) : values;
};

/**
 * Finds the enumeration with the values of a schema; undefined if the schema has no values, or a single value that is no enumeration.
 * @throws Error if several values have no name: generators would invent one.
 */
export const findEnumeration = (schema: z.ZodMiniType): Name | undefined => {
  const values = readValues(schema);
  const name = NAMES.get(JSON.stringify(values));
  if (name === undefined && values.length > 1) throw new Error(`An enumeration has no name: ${values.join(', ')}.`);
  return name;
};
