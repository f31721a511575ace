import { addEndpoint } from '#shared/domain/businesses/business.ts';
import type { OperatorChange } from '#shared/domain/businesses/operator-change.ts';
import { invalid } from '#shared/domain/kernel/errors.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import { headOf, type WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import type { EndpointHead } from '#shared/domain/webhooks/endpoint-head.ts';
import { newWebhookSecret } from '#shared/domain/webhooks/signature.ts';
import type { BusinessStore } from '#shared/ports/businesses.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { CheckTarget } from '#shared/ports/webhooks.ts';
import { writeBusiness } from '#shared/use-cases/businesses/write-business.ts';
import { ownBusiness, written } from './change-endpoint.ts';

export interface CreateWebhookEndpointDeps extends Pick<Runtime, 'now' | 'newId' | 'randomBytes'> {
  readonly businesses: BusinessStore;
  readonly checkTarget: CheckTarget;
}

export interface CreateWebhookEndpointInput {
  readonly url: string;
  /** Event types, or `*` alone for all of them. */
  readonly events: EndpointHead['events'];
}

/** A new endpoint and its secret, which is not shown again. */
export interface CreatedEndpoint {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/** Returns the URL if this stage delivers to it. @throws the refusal validation_failed, with the reason. */
export const ensureTarget = async (checkTarget: CheckTarget, url: string): Promise<string> => {
  const problem = await checkTarget(url);
  if (problem === undefined) return url;
  throw invalid({ field: 'url', message: `url ${problem}` });
};

/**
 * Creates a webhook endpoint, enabled at once. `record` makes the record of an operator's change. The secret is returned here only.
 * @throws the refusals validation_failed for a URL that this stage does not deliver to, endpoint_limit_reached.
 */
export const createWebhookEndpoint = async (
  deps: CreateWebhookEndpointDeps,
  { businessId, mode }: Tenant,
  input: CreateWebhookEndpointInput,
  record?: (created: WebhookEndpoint) => OperatorChange,
): Promise<CreatedEndpoint> => {
  const secret = newWebhookSecret(deps.randomBytes);
  const endpoint: WebhookEndpoint = {
    id: deps.newId('whe'),
    businessId,
    mode,
    url: await ensureTarget(deps.checkTarget, input.url),
    events: input.events,
    enabled: true,
    secrets: [{ secret, until: null }],
    disabledReason: null,
    disabledAt: null,
    createdAt: deps.now(),
  };
  const outcome = await writeBusiness(
    deps,
    () => ownBusiness(deps, endpoint),
    (business) => ({
      result: { endpoint, secret },
      write: {
        after: addEndpoint(business, headOf(endpoint)),
        newEndpoint: endpoint,
        ...(record && { change: record(endpoint) }),
      },
    }),
  );
  return written(outcome);
};
