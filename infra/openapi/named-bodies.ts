import * as z from 'zod/mini';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { WEBHOOKS, webhookBody } from '#shared/webhooks/contract/webhooks.ts';
import { ref } from './shared-parts.ts';

/*
 * Names the bodies of requests, answers and webhooks in the document, so that generated clients have readable types.
 * Generators add Response, Params, Res or OK to an operation's name, and use that as a name, too. No name of ours may be such a name.
 */

/** Converts a name to PascalCase: `checkout.payment_rejected` to `CheckoutPaymentRejected`, `verifyCheckout` to `VerifyCheckout`. */
const pascal = (words: string): string =>
  words.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

export type EventType = keyof typeof WEBHOOKS;

/** All event types. */
export const EVENT_TYPES = Object.keys(WEBHOOKS) as readonly EventType[];

/** The schema of the webhook body for each event type. */
export const WEBHOOK_BODIES = Object.fromEntries(EVENT_TYPES.map((type) => [type, webhookBody(type)])) as Readonly<
  Record<EventType, ReturnType<typeof webhookBody>>
>;

/** Names a webhook, such as `CheckoutPaid`. The id of its operation is then `onCheckoutPaid`. */
export const webhookName = (type: EventType): string => pascal(type);
/** Names the body of a webhook. */
export const webhookBodyName = (type: EventType): string => `${webhookName(type)}Event`;
const bodyRef = (type: EventType) => ref('schemas', webhookBodyName(type));

/** The schema `WebhookEvent`: one of the known webhook bodies, selected by `type`. */
export const KNOWN_EVENT = {
  description:
    'An event of a known type: `type` tells the form of `data`. New types may be added, so read an event as `Event` first.',
  oneOf: EVENT_TYPES.map((type) => bodyRef(type)),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(EVENT_TYPES.map((type) => [type, bodyRef(type).$ref])),
  },
};

/** Names the request body of an operation. */
export const requestName = (operationId: string): string => `${pascal(operationId)}Request`;
/** Names the body of an operation's success. */
export const answerName = (operationId: string): string => `${pascal(operationId)}Answer`;

/** Registers a name for a schema of the contract. A schema that has a name already keeps it. */
export const nameSchema = (schema: z.ZodMiniType, id: string): void => {
  if (!z.globalRegistry.has(schema)) z.globalRegistry.add(schema, { id });
};

/** Registers names for the request and the success of an operation. */
export const nameBodies = (operationId: string, { body, success }: Contract): void => {
  if (body) nameSchema(body, requestName(operationId));
  if (success.type === undefined) nameSchema(success.body, answerName(operationId));
};

/** Registers names for the bodies of all webhooks. */
export const nameWebhooks = (): void => {
  for (const type of EVENT_TYPES) nameSchema(WEBHOOK_BODIES[type], webhookBodyName(type));
};
