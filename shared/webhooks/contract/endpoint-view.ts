import { isoMicros, type Millis } from '#shared/platform/kernel/time.ts';
import type { Breaker } from '#shared/webhooks/domain/breaker.ts';
import { previousSecretUntil, type WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import { toEndpointHealth } from '#shared/webhooks/domain/health.ts';

/** Shows a webhook endpoint, without its secrets. */
export const endpointView = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  mode: endpoint.mode,
  events: endpoint.events,
  enabled: endpoint.enabled,
  disabled_reason: endpoint.disabledReason,
  created_at: isoMicros(endpoint.createdAt),
});

const isoOrNull = (at: Millis | null): string | null => (at === null ? null : isoMicros(at));

/** Shows a webhook endpoint with its health, its count of parked deliveries, and the end of its previous secret. */
export const endpointViewWithHealth = (
  endpoint: WebhookEndpoint,
  { breaker, parked }: { readonly breaker: Breaker | undefined; readonly parked: number },
  now: Millis,
) => {
  const { status, failingSince, lastFailedEventId } = toEndpointHealth(breaker);
  return {
    ...endpointView(endpoint),
    health: { status, failing_since: isoOrNull(failingSince), last_failed_event_id: lastFailedEventId, parked },
    previous_secret_until: isoOrNull(previousSecretUntil(endpoint, now)),
  };
};
