import { isoMicros } from '#shared/domain/kernel/time.ts';
import type { WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';

/** A webhook endpoint as the API shows it, without its secrets. */
export const endpointView = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  mode: endpoint.mode,
  events: endpoint.events,
  enabled: endpoint.enabled,
  disabled_reason: endpoint.disabledReason,
  created_at: isoMicros(endpoint.createdAt),
});
