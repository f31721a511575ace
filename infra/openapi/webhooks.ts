import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { WEBHOOKS } from '#shared/webhooks/contract/webhooks.ts';
import { findExampleEvent } from './examples/events.ts';
import { EVENT_TYPES, type EventType, WEBHOOK_BODIES, webhookName } from './named-bodies.ts';

const SIGNATURE = 'See *Verifying webhooks*.';

const makeHeader = (name: string, description: string, example: string) =>
  ({ name, in: 'header', required: true, description, schema: { type: 'string' }, example }) as const;

const ANSWERS: Readonly<Record<string, { readonly description: string }>> = {
  '2XX': { description: 'The webhook was received. Answer within 15 seconds, before you do the work.' },
  '410': { description: 'The URL is gone. A second 410, an hour or more later, disables the endpoint.' },
  '429': { description: 'Your server is busy. We retry, but not before your `Retry-After`.' },
  '503': { description: 'Your server is busy. We retry, but not before your `Retry-After`.' },
  default: { description: 'We retry after any other answer, redirects included: see *Webhooks*.' },
};

const DRAFT_STATUS = '200';

/** Drafts a webhook with its body as a response, so that zod-openapi makes an output schema. `finishWebhooks` moves it to the request. */
const draftWebhook = (type: EventType): ZodOpenApiPathItemObject => {
  const example = findExampleEvent(type);
  return {
    post: {
      operationId: `on${webhookName(type)}`,
      tags: ['Webhooks'],
      summary: type,
      description: WEBHOOKS[type].when,
      security: [],
      parameters: [
        makeHeader(
          'webhook-id',
          'The id of the event, the same on every attempt. Use it to ignore a repeated delivery.',
          example.id,
        ),
        makeHeader('webhook-timestamp', `The time of this attempt, in unix seconds. ${SIGNATURE}`, '1795182728'),
        makeHeader(
          'webhook-signature',
          `The signature; two, separated by a space, while a rotated secret still signs. ${SIGNATURE}`,
          'v1,bGJ8Vm5tQ2xVd0x5aHk2cGZkS3o0WnVQbkpYc1o4ZVE=',
        ),
      ],
      responses: {
        [DRAFT_STATUS]: {
          description: '',
          content: { 'application/json': { schema: WEBHOOK_BODIES[type], examples: { [type]: { value: example } } } },
        },
      },
    },
  };
};

/** Drafts the webhook of every event type for zod-openapi. Pass its output through `finishWebhooks`. */
export const draftWebhooks = (): Record<string, ZodOpenApiPathItemObject> =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, draftWebhook(type)]));

interface Drafted {
  readonly post: {
    requestBody?: object;
    responses: Readonly<Record<string, { readonly description?: string; readonly content?: object }>>;
  };
}

/** Moves each drafted body to the request, and adds the answers that a receiver may give. */
export const finishWebhooks = (written: Readonly<Record<string, Drafted>>): void => {
  for (const { post } of Object.values(written)) {
    post.requestBody = { required: true, content: post.responses[DRAFT_STATUS]?.content };
    post.responses = ANSWERS;
  }
};
