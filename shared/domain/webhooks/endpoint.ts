import * as z from 'zod/mini';
import { invalid } from '#shared/domain/kernel/errors.ts';
import { idSchema } from '#shared/domain/kernel/ids.ts';
import { millis, millisOrNull, textOrNull } from '#shared/domain/kernel/schemas.ts';
import { DAY, type Millis, SECOND } from '#shared/domain/kernel/time.ts';
import { type EndpointHead, endpointHead } from './endpoint-head.ts';
import { webhookSecret } from './signature.ts';

/** Where a business wants its webhooks, and the secret that signs them. */
export const webhookEndpoint = z.extend(endpointHead, {
  businessId: idSchema('biz'),
  url: z.url(),
  /** Newest first; `until` is when a rotated one stops to sign, null for the one that does not. */
  secrets: z.array(z.object({ secret: webhookSecret, until: millisOrNull })).check(z.minLength(1), z.maxLength(2)),
  disabledAt: millisOrNull,
  disabledReason: textOrNull,
  createdAt: millis,
});
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

/** What is parked when an endpoint is switched off waits so long for `recover` (architecture.md section 5). */
export const PARKED_RETENTION = 30 * DAY;

/** The secrets that sign at a moment: the endpoint's own, and a rotated one until its grace ends. */
export const signingSecrets = (endpoint: WebhookEndpoint, now: Millis): string[] =>
  endpoint.secrets.filter(({ until }) => until === null || now < until).map(({ secret }) => secret);

/** A new secret signs from now on; the one before it as well until its grace ends, none older. Seconds. */
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

/** Switched off, with the reason that the merchant reads. */
export const disabled = (endpoint: WebhookEndpoint, reason: string, now: Millis): WebhookEndpoint => ({
  ...endpoint,
  enabled: false,
  disabledReason: reason,
  disabledAt: now,
});

/** Switched on again. */
export const enabled = (endpoint: WebhookEndpoint): WebhookEndpoint => ({
  ...endpoint,
  enabled: true,
  disabledReason: null,
  disabledAt: null,
});

/** An endpoint that takes webhooks. @throws validation_failed for `field`, which named it, when it is switched off. */
export const ensureEnabled = <E extends Pick<WebhookEndpoint, 'enabled'>>(endpoint: E, field: string): E => {
  if (endpoint.enabled) return endpoint;
  throw invalid({ field, message: `${field} names a webhook endpoint that is switched off. Enable it first.` });
};

/** What the business item carries of an endpoint. */
export const headOf = ({ id, mode, events, enabled }: WebhookEndpoint): EndpointHead => ({ id, mode, events, enabled });
