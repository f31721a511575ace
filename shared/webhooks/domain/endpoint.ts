import * as z from 'zod/mini';
import { invalid } from '#shared/platform/kernel/errors.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { millis, millisOrNull, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { DAY, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { type EndpointHead, endpointHead } from './endpoint-head.ts';
import { sealedSecret } from './sealed-secret.ts';

/** A URL that takes a business's webhooks, and the secrets that sign them. */
export const webhookEndpoint = z.extend(endpointHead, {
  businessId: idSchema('biz'),
  url: z.url(),
  /** Newest first, sealed. `until`: when a rotated one stops signing; null for the current one. */
  secrets: z.array(z.object({ secret: sealedSecret, until: millisOrNull })).check(z.minLength(1), z.maxLength(2)),
  disabledAt: millisOrNull,
  disabledReason: textOrNull,
  createdAt: millis,
});
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

/** Where a URL leads, for records: its path and query often hold tokens. */
export const parseHost = (url: string): string => new URL(url).host;

/** Deliveries parked behind a switched-off endpoint are given up after this (architecture.md section 5). Milliseconds. */
export const PARKED_RETENTION = 30 * DAY;

/** The secrets that sign at a moment, as they are stored: the current one, and a rotated one until its grace ends. */
export const storedSigningSecrets = (endpoint: WebhookEndpoint, now: Millis): string[] =>
  endpoint.secrets.filter(({ until }) => until === null || now < until).map(({ secret }) => secret);

/** When the secret before the current one stops signing; null where it does not sign. */
export const previousSecretUntil = ({ secrets: [, previous] }: WebhookEndpoint, now: Millis): Millis | null =>
  previous?.until && now < previous.until ? previous.until : null;

/** Rotates the secret: the new one, sealed, signs from now on, and the one before it for `graceSeconds` more. */
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

/** The endpoint switched off, with the reason that the merchant reads. */
export const asDisabled = (endpoint: WebhookEndpoint, reason: string, now: Millis): WebhookEndpoint => ({
  ...endpoint,
  enabled: false,
  disabledReason: reason,
  disabledAt: now,
});

/** The endpoint switched on again. */
export const asEnabled = (endpoint: WebhookEndpoint): WebhookEndpoint => ({
  ...endpoint,
  enabled: true,
  disabledReason: null,
  disabledAt: null,
});

/** Returns the endpoint if it is switched on. @throws validation_failed for the request's `field`, which named it. */
export const ensureEnabled = <E extends Pick<WebhookEndpoint, 'enabled'>>(endpoint: E, field: string): E => {
  if (endpoint.enabled) return endpoint;
  throw invalid({ field, message: `${field} names a webhook endpoint that is switched off. Enable it first.` });
};

/** The part of an endpoint that its business item holds. */
export const toEndpointHead = ({ id, mode, events, enabled }: WebhookEndpoint): EndpointHead => ({
  id,
  mode,
  events,
  enabled,
});
