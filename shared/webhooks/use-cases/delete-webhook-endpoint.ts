import { removeEndpointHead } from '#shared/businesses/domain/business.ts';
import { type Actor, makeRecorder } from '#shared/businesses/use-cases/record-change.ts';
import type { WriteBusinessDeps } from '#shared/businesses/use-cases/write-business.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { parseHost, type WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import { changeNamedEndpoint } from './change-endpoint.ts';
import { buildChangeRecord, type RecordDeps } from './record-endpoint-change.ts';

export interface DeleteEndpointDeps extends WriteBusinessDeps, RecordDeps {}

/**
 * Deletes an endpoint with its breaker and returns it as it was. Each of the endpoint's deliveries is cancelled when a consumer next processes
 * it.
 * @throws webhook_endpoint_not_found, or rate_limited if an API key deletes it and the limit of such changes is used up.
 */
export const deleteWebhookEndpoint = (
  deps: DeleteEndpointDeps,
  tenant: Tenant,
  id: string,
  actor: Actor,
): Promise<WebhookEndpoint> => {
  const record = makeRecorder(deps, { ...tenant, actor, target: id });
  return changeNamedEndpoint<WebhookEndpoint>(deps, tenant, id, async (endpoint, business) => {
    const what = `deleted the ${endpoint.mode} webhook endpoint ${id} at ${parseHost(endpoint.url)}`;
    const recorded = await buildChangeRecord(deps, business, { mode: endpoint.mode, ends: true }, record, what);
    return {
      result: endpoint,
      write: { after: removeEndpointHead(business, id), goneEndpoint: endpoint, ...recorded },
    };
  });
};
