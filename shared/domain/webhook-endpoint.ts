import * as z from 'zod';
import { type EndpointHead, endpointHead } from './business.ts';
import { idSchema } from './ids.ts';
import { isoMicros } from './time.ts';
import { webhookSecret } from './webhook-signature.ts';

/** Where a business wants its webhooks, and the secret that signs them. */
export const webhookEndpoint = endpointHead.extend({
  businessId: idSchema('biz'),
  url: z.url(),
  /** Newest first; two while a rotated secret overlaps. */
  secrets: z.array(webhookSecret).min(1).max(2),
  disabledReason: z.string().nullable(),
  createdAt: z.number(),
});
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

/** What the business item carries of an endpoint. */
export const headOf = ({ id, mode, events, enabled }: WebhookEndpoint): EndpointHead => ({ id, mode, events, enabled });

/** An endpoint as the API shows it: never with its secrets. */
export const webhookEndpointView = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  mode: endpoint.mode,
  events: endpoint.events,
  enabled: endpoint.enabled,
  disabled_reason: endpoint.disabledReason,
  created_at: isoMicros(endpoint.createdAt),
});
