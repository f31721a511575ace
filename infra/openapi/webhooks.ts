import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { WEBHOOK_DATA, webhookBody } from '#shared/contract/webhooks/webhooks.ts';
import { eventFields } from './components.ts';
import { eventOf } from './examples/events.ts';
import { describe } from './tidy.ts';

type EventType = keyof typeof WEBHOOK_DATA;

/** When each is sent. One that is missing fails the type check. */
const WHEN: Readonly<Record<EventType, string>> = {
  'checkout.paid':
    'A checkout became paid: the accepted money reached its amount, or the provider takes it as complete. Sent once in a checkout’s life, unless a reversal undid it.',
  'checkout.overpaid': 'More money landed on a checkout that was paid already. `paid_amount` is the new sum.',
  'checkout.underpaid': 'Money landed on a checkout, and all of it together is less than the amount.',
  'checkout.payment_rejected': 'The provider sent a transfer back on arrival. It does not count.',
  'checkout.payment_reversed':
    'The provider took back money that had counted. The state is computed anew without it: a paid checkout may be underpaid or pending again. Where only part of a payment went back, the payment is `reversed` and what stays is an `accepted` payment of its own.',
  'checkout.failed': 'A checkout failed: the provider will take no money for it, or you simulated a failure.',
  'checkout.expired': 'A checkout expired, and the provider knows of no money. Money that turns up later still counts.',
  'virtual_account.payment_received': 'Money landed on a virtual account.',
  'virtual_account.payment_reversed': 'The provider took back money that had landed on a virtual account.',
  'virtual_account.activated': 'The provider has opened an account that was pending.',
  'virtual_account.failed': 'The provider has not opened an account that was pending.',
  'endpoint.disabled':
    'One of your endpoints was switched off because it took no webhooks: 410 twice, an hour or more apart, or nothing but failures for five days. Your other endpoints are told.',
  'endpoint.test': 'You called **Test a webhook endpoint**.',
};

const SIGNATURE = 'See *Verifying webhooks*.';

const header = (name: string, description: string, example: string) =>
  ({ name, in: 'header', required: true, description, schema: { type: 'string' }, example }) as const;

const ANSWERS: Readonly<Record<string, { readonly description: string }>> = {
  '2XX': { description: 'Received. Answer within 15 seconds, before you do the work.' },
  '410': { description: 'Gone for good. Twice, an hour or more apart, switches the endpoint off.' },
  '429': { description: 'Too busy: tried again, and not before your `Retry-After`.' },
  '503': { description: 'Too busy: tried again, and not before your `Retry-After`.' },
  default: { description: 'Anything else, redirects too, is tried again: see *Webhooks*.' },
};

const BODY = '200';

/** `data` is told by what it refers to. */
const { data: _, ...ENVELOPE } = eventFields;

/** Its body stands where an answer's does, because it is one of ours: zod-openapi takes what is sent to us for another schema. */
const draft = (type: EventType): ZodOpenApiPathItemObject => {
  const example = eventOf(type);
  return {
    post: {
      operationId: `on${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
      tags: ['Webhooks'],
      summary: type,
      description: WHEN[type],
      security: [],
      parameters: [
        header('webhook-id', 'The event’s id: the same on every attempt. Use it to do your work once.', example.id),
        header('webhook-timestamp', `When this attempt was made, in unix seconds. ${SIGNATURE}`, '1795182728'),
        header(
          'webhook-signature',
          `One signature, or two with a space between them while a rotated secret still signs. ${SIGNATURE}`,
          'v1,bGJ8Vm5tQ2xVd0x5aHk2cGZkS3o0WnVQbkpYc1o4ZVE=',
        ),
      ],
      responses: {
        [BODY]: {
          description: '',
          content: { 'application/json': { schema: webhookBody(type), examples: { [type]: { value: example } } } },
        },
      },
    },
  };
};

/** The webhook of every event type, for zod-openapi; what it makes of them goes through `finishWebhooks`. */
export const draftWebhooks = (): Record<string, ZodOpenApiPathItemObject> =>
  Object.fromEntries((Object.keys(WEBHOOK_DATA) as EventType[]).map((type) => [type, draft(type)]));

interface Drafted {
  readonly post: {
    requestBody?: object;
    responses: Readonly<Record<string, { readonly description?: string; readonly content?: object }>>;
  };
}

/** Puts each body where it belongs, and the answers that a receiver may give. */
export const finishWebhooks = (written: Readonly<Record<string, Drafted>>): void => {
  for (const { post } of Object.values(written)) {
    const content = post.responses[BODY]?.content;
    for (const media of Object.values(content ?? {})) media.schema = describe(media.schema, ENVELOPE);
    post.requestBody = { required: true, content };
    post.responses = ANSWERS;
  }
};
