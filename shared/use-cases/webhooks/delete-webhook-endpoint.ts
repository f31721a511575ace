import { dropHead } from '#shared/domain/businesses/business.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import type { WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import type { BusinessStore } from '#shared/ports/businesses.ts';
import { changeNamedEndpoint } from './change-endpoint.ts';

/**
 * Deletes an endpoint with its breaker. Deliveries that are on their way to it are cancelled as they come up.
 * @throws the refusal webhook_endpoint_not_found.
 */
export const deleteWebhookEndpoint = (
  deps: { readonly businesses: BusinessStore },
  tenant: Tenant,
  id: string,
): Promise<WebhookEndpoint> =>
  changeNamedEndpoint<WebhookEndpoint>(deps, tenant, id, (endpoint, business) => ({
    result: endpoint,
    write: { after: dropHead(business, id), goneEndpoint: endpoint },
  }));
