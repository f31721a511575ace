import { createHmac, createSecretKey } from 'node:crypto';
import type { RandomBytes } from '#shared/platform/kernel/ids.ts';
import { type Millis, unixSeconds } from '#shared/platform/kernel/time.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Creates an endpoint secret: `whsec_` and the base64 of 32 random bytes (Standard Webhooks, "Symmetric keys"). */
export const newWebhookSecret = (random: RandomBytes): string =>
  PREFIX + Buffer.from(random(SECRET_BYTES)).toString('base64');

/** Signs with a key object, because with plain bytes Node takes four times as long. */
const sign = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', createSecretKey(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64')}`;

/**
 * Returns the three headers of one attempt (Standard Webhooks): the event's id, the time of this attempt, and one signature of
 * `id.timestamp.body` for each secret, separated by spaces. `at`: milliseconds since the epoch.
 */
export const webhookHeaders = (
  secrets: readonly string[],
  eventId: string,
  at: Millis,
  body: string,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> => {
  const timestamp = String(unixSeconds(at));
  const content = `${eventId}.${timestamp}.${body}`;
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => sign(secret, content)).join(' '),
  };
};
