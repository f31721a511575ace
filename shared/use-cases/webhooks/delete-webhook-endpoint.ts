import { dropHead } from '#shared/domain/businesses/business.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import { hostOf, type WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import type { Recorder } from '#shared/use-cases/kernel/record-change.ts';
import type { WriteBusinessDeps } from '#shared/use-cases/kernel/write-business.ts';
import { changeNamedEndpoint } from './change-endpoint.ts';

/**
 * Deletes an endpoint with its breaker. Its deliveries are cancelled when a consumer next meets them. Returns it as it was.
 * @throws the refusal webhook_endpoint_not_found.
 */
export const deleteWebhookEndpoint = (
  deps: WriteBusinessDeps,
  tenant: Tenant,
  id: string,
  record?: Recorder,
): Promise<WebhookEndpoint> =>
  changeNamedEndpoint<WebhookEndpoint>(deps, tenant, id, (endpoint, business) => ({
    result: endpoint,
    write: {
      after: dropHead(business, id),
      goneEndpoint: endpoint,
      ...(record && {
        change: record(`deleted the ${endpoint.mode} webhook endpoint ${id} at ${hostOf(endpoint.url)}`),
      }),
    },
  }));
