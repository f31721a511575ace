import type * as z from 'zod/mini';
import { checkoutAnswer } from '#shared/checkouts/contract/checkout-answer.ts';
import { paymentAnswer } from '#shared/payments/contract/payment-answer.ts';
import { API_ERRORS } from '#shared/platform/contract/errors.ts';
import { providerStanding } from '#shared/providers/contract/list-providers.ts';
import { providerFailure } from '#shared/virtual-accounts/contract/create-virtual-accounts.ts';
import { virtualAccountAnswer } from '#shared/virtual-accounts/contract/virtual-account-answer.ts';
import { deliveryStatus, waitingStatus } from '#shared/webhooks/contract/delivery-answer.ts';
import { endpointHealth } from '#shared/webhooks/contract/endpoint-answer.ts';
import { namedEventType } from '#shared/webhooks/contract/endpoint-fields.ts';
import type { JsonSchema } from './tidy.ts';

/** An enumeration of the document: generated clients name a type by it. */
interface Enumeration {
  readonly description: string;
  readonly values: readonly string[];
  /** Whether values may be added. An answer then has a text there: most generated clients fail at a value that an enumeration lacks. */
  readonly grows?: true;
}

/** Every enumeration, by its name. No two have the same values. */
export const ENUMERATIONS = {
  Mode: { description: 'Test mode moves no money.', values: checkoutAnswer.shape.mode.options },
  Currency: { description: 'Naira.', values: ['NGN'] },
  Provider: {
    description: 'Who issues an account. Answers may name a provider that is added later.',
    values: paymentAnswer.shape.provider.options,
    grows: true,
  },
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
  EventType: {
    description: 'What happened: see Webhooks. Events may be of a type that is added later.',
    values: namedEventType.options,
    grows: true,
  },
  Subscription: {
    description: 'A type of event that an endpoint receives; `*` stands for all, future ones included.',
    values: ['*', ...namedEventType.options],
    grows: true,
  },
  ProviderState: {
    description: 'Whether money lands at a provider. States may be added.',
    values: providerStanding.shape.state.options,
    grows: true,
  },
  ProviderFailureCode: {
    description:
      '`provider_busy` and `provider_unreachable`: it did nothing, ask it again later. `outcome_unknown`: its account is pending, do not ask it again. `provider_refused` and `provider_not_enabled`: the same request will not succeed. Codes may be added.',
    values: providerFailure.shape.code.options,
    grows: true,
  },
  ErrorCode: {
    description:
      'The codes of this version, to compare `code` with. Codes may be added: for one that you do not know, use the HTTP status.',
    values: Object.keys(API_ERRORS),
    grows: true,
  },
} satisfies Record<string, Enumeration>;

type Name = keyof typeof ENUMERATIONS;

const NAMES = new Map(Object.entries(ENUMERATIONS).map(([name, { values }]) => [JSON.stringify(values), name as Name]));

/** The enumerations as named schemas. */
export const enumerationSchemas = (): Record<string, { description: string; type: 'string'; enum: string[] }> =>
  Object.fromEntries(
    Object.entries(ENUMERATIONS).map(([name, { description, values }]) => [
      name,
      { description, type: 'string', enum: [...values] },
    ]),
  );

/** A text that has the values of an enumeration, and later others. `x-extensible-enum` lists them for tools that know it. */
const openSchema = (name: Name): JsonSchema => ({
  type: 'string',
  'x-extensible-enum': [...ENUMERATIONS[name].values],
});

/** The schema of an enumeration: the named one where it is sent, and where no value is ever added; else a text. */
export const enumerationSchema = (name: Name, io: 'input' | 'output'): JsonSchema => {
  const { grows }: Enumeration = ENUMERATIONS[name];
  return io === 'output' && grows ? openSchema(name) : { $ref: `#/components/schemas/${name}` };
};

/** Its values, if a schema is an enumeration or one constant. */
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
 * The enumeration that a schema of the contract has the values of; undefined where it has none.
 * @throws Error for several values without a name, since generators would make one of their own.
 */
export const findEnumeration = (schema: z.ZodMiniType): Name | undefined => {
  const values = readValues(schema);
  const name = NAMES.get(JSON.stringify(values));
  if (name === undefined && values.length > 1) throw new Error(`An enumeration has no name: ${values.join(', ')}.`);
  return name;
};
