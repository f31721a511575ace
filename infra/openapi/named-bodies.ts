import * as z from 'zod/mini';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { WEBHOOKS, webhookBody } from '#shared/webhooks/contract/webhooks.ts';
import { ref } from './shared-parts.ts';

/*
 * Gives the bodies of requests, answers and webhooks a name in the document, so that generated clients have types that people can read. No
 * name is one that a generator makes of an operation: those end in Request, Response, Params, Res or OK.
 */

/** `checkout.payment_rejected` and `verifyCheckout` begin with a capital in the names of types. */
const pascal = (words: string): string =>
  words.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

export type EventType = keyof typeof WEBHOOKS;

/** Every type of event. */
export const EVENT_TYPES = Object.keys(WEBHOOKS) as readonly EventType[];

/** The body of the webhook of every event type. */
export const WEBHOOK_BODIES = Object.fromEntries(EVENT_TYPES.map((type) => [type, webhookBody(type)])) as Readonly<
  Record<EventType, ReturnType<typeof webhookBody>>
>;

/** The name of a webhook's body, and of its operation without `on`. */
export const webhookName = (type: EventType): string => pascal(type);
export const webhookBodyName = (type: EventType): string => `${webhookName(type)}Event`;
const bodyRef = (type: EventType) => ref('schemas', webhookBodyName(type));

/** A choice among the bodies of webhooks by their `type`. */
export const KNOWN_EVENT = {
  description:
    'An event of a type that this version has: `type` tells what `data` holds. Events may be of a type that is added later: read them as `Event` first.',
  oneOf: EVENT_TYPES.map((type) => bodyRef(type)),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(EVENT_TYPES.map((type) => [type, bodyRef(type).$ref])),
  },
};

/** The names of the bodies of an operation. */
export const requestName = (operationId: string): string => `${pascal(operationId)}Request`;
export const answerName = (operationId: string): string => `${pascal(operationId)}Answer`;

/** Adds a schema of the contract to those that have a name. One that has a name already keeps it. */
export const nameSchema = (schema: z.ZodMiniType, id: string): void => {
  if (!z.globalRegistry.has(schema)) z.globalRegistry.add(schema, { id });
};

/** Names the bodies of an operation. */
export const nameBodies = (operationId: string, { body, success }: Contract): void => {
  if (body) nameSchema(body, requestName(operationId));
  if (success.type === undefined) nameSchema(success.body, answerName(operationId));
};

/** Names the bodies of webhooks. */
export const nameWebhooks = (): void => {
  for (const type of EVENT_TYPES) nameSchema(WEBHOOK_BODIES[type], webhookBodyName(type));
};
