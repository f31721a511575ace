import * as z from 'zod/mini';
import { invalid } from '#shared/platform/kernel/errors.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { millis, millisOrNull, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { DAY, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { type EndpointHead, endpointHead } from './endpoint-head.ts';
import { sealedSecret } from './sealed-secret.ts';

/** A URL that receives a business's webhooks, and the secrets that sign them. */
export const webhookEndpoint = z.extend(endpointHead, {
  businessId: idSchema('biz'),
  url: z.url(),
  /** The encrypted secrets, newest first. `until`: the time when a replaced secret stops signing; null for the current one. */
  secrets: z.array(z.object({ secret: sealedSecret, until: millisOrNull })).check(z.minLength(1), z.maxLength(2)),
  disabledAt: millisOrNull,
  disabledReason: textOrNull,
  createdAt: millis,
});
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

/** Returns the host of a URL, for records. The path and query are left out, because they often contain tokens. */
export const parseHost = (url: string): string => new URL(url).host;

/** If an endpoint has been switched off for this long, its deliveries are given up. Milliseconds. */
export const PARKED_RETENTION = 30 * DAY;

/** Returns the encrypted secrets that sign at a moment: the current one, and a replaced one until its grace period ends. */
export const storedSigningSecrets = (endpoint: WebhookEndpoint, now: Millis): string[] =>
  endpoint.secrets.filter(({ until }) => until === null || now < until).map(({ secret }) => secret);

/** Returns the time when the previous secret stops signing; null if it does not sign any more. */
export const previousSecretUntil = ({ secrets: [, previous] }: WebhookEndpoint, now: Millis): Millis | null =>
  previous?.until && now < previous.until ? previous.until : null;

/** Rotates the secret: `secret`, encrypted, signs from now on, and the previous secret signs for another `graceSeconds`. */
export const withNewSecret = (
  endpoint: WebhookEndpoint,
  secret: string,
  graceSeconds: number,
  now: Millis,
): WebhookEndpoint => {
  const [replaced] = endpoint.secrets;
  const overlapping = replaced && graceSeconds > 0 ? [{ ...replaced, until: now + graceSeconds * SECOND }] : [];
  return { ...endpoint, secrets: [{ secret, until: null }, ...overlapping] };
};

/** Returns the endpoint switched off, with the reason that the merchant reads. */
export const asDisabled = (endpoint: WebhookEndpoint, reason: string, now: Millis): WebhookEndpoint => ({
  ...endpoint,
  enabled: false,
  disabledReason: reason,
  disabledAt: now,
});

/** Returns the endpoint switched on. */
export const asEnabled = (endpoint: WebhookEndpoint): WebhookEndpoint => ({
  ...endpoint,
  enabled: true,
  disabledReason: null,
  disabledAt: null,
});

/** Returns the endpoint if it is switched on. @throws validation_failed for `field`, the field of the request that names the endpoint. */
export const ensureEnabled = <E extends Pick<WebhookEndpoint, 'enabled'>>(endpoint: E, field: string): E => {
  if (endpoint.enabled) return endpoint;
  throw invalid({ field, message: `${field} names a webhook endpoint that is switched off. Enable it first.` });
};

/** Returns the part of an endpoint that its business item contains. */
export const toEndpointHead = ({ id, mode, events, enabled }: WebhookEndpoint): EndpointHead => ({
  id,
  mode,
  events,
  enabled,
});
