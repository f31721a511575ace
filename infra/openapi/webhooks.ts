import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { WEBHOOKS } from '#shared/webhooks/contract/webhooks.ts';
import { findExampleEvent } from './examples/events.ts';
import { EVENT_TYPES, type EventType, WEBHOOK_BODIES, webhookName } from './named-bodies.ts';

const SIGNATURE = 'See *Verifying webhooks*.';

const header = (name: string, description: string, example: string) =>
  ({ name, in: 'header', required: true, description, schema: { type: 'string' }, example }) as const;

const ANSWERS: Readonly<Record<string, { readonly description: string }>> = {
  '2XX': { description: 'Received. Answer within 15 seconds, before you do the work.' },
  '410': { description: 'Gone for good. A second one, an hour or more later, disables the endpoint.' },
  '429': { description: 'Too busy: tried again, and not before your `Retry-After`.' },
  '503': { description: 'Too busy: tried again, and not before your `Retry-After`.' },
  default: { description: 'Anything else, redirects too, is tried again: see *Webhooks*.' },
};

const BODY = '200';

/** The body is drafted as an answer's, because we send it: zod-openapi generates another schema for request bodies. `finishWebhooks` moves it. */
const draft = (type: EventType): ZodOpenApiPathItemObject => {
  const example = findExampleEvent(type);
  return {
    post: {
      operationId: `on${webhookName(type)}`,
      tags: ['Webhooks'],
      summary: type,
      description: WEBHOOKS[type].when,
      security: [],
      parameters: [
        header('webhook-id', 'The event’s id: the same on every attempt. Use it to do your work once.', example.id),
        header('webhook-timestamp', `When this attempt was made, in unix seconds. ${SIGNATURE}`, '1795182728'),
        header(
          'webhook-signature',
          `One signature, or two separated by a space during a rotation. ${SIGNATURE}`,
          'v1,bGJ8Vm5tQ2xVd0x5aHk2cGZkS3o0WnVQbkpYc1o4ZVE=',
        ),
      ],
      responses: {
        [BODY]: {
          description: '',
          content: { 'application/json': { schema: WEBHOOK_BODIES[type], examples: { [type]: { value: example } } } },
        },
      },
    },
  };
};

/** The webhook of every event type, for zod-openapi; what it makes of them goes through `finishWebhooks`. */
export const draftWebhooks = (): Record<string, ZodOpenApiPathItemObject> =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, draft(type)]));

interface Drafted {
  readonly post: {
    requestBody?: object;
    responses: Readonly<Record<string, { readonly description?: string; readonly content?: object }>>;
  };
}

/** Moves each drafted body to the request, and adds the answers that a receiver may give. */
export const finishWebhooks = (written: Readonly<Record<string, Drafted>>): void => {
  for (const { post } of Object.values(written)) {
    post.requestBody = { required: true, content: post.responses[BODY]?.content };
    post.responses = ANSWERS;
  }
};
