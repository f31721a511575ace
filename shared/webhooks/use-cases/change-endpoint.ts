import { type Business, changeHead } from '#shared/businesses/domain/business.ts';
import type { BusinessEntry } from '#shared/businesses/ports.ts';
import {
  type BusinessDecision,
  type WriteBusinessDeps,
  writeBusiness,
} from '#shared/businesses/use-cases/write-business.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { belongsTo, type Tenant } from '#shared/platform/kernel/tenant.ts';
import { toEndpointHead, type WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';

/** The business that a key or an endpoint belongs to. @throws Error when it does not exist, which is a fault of ours. */
export const ownBusiness = async (
  deps: Pick<WriteBusinessDeps, 'businesses'>,
  { businessId }: Tenant,
): Promise<Business> => {
  const business = await deps.businesses.find(businessId);
  if (!business) throw new Error('The business of this key or endpoint does not exist.');
  return business;
};

/** The write of a changed endpoint: the endpoint, its head in the business, and an event that is recorded with it. */
export const endpointWrite = (
  business: Business,
  changed: WebhookEndpoint,
  announcement: Pick<BusinessEntry, 'event' | 'deliveries'> = {},
) => ({ after: changeHead(business, toEndpointHead(changed)), changedEndpoint: changed, ...announcement });

/**
 * Changes an endpoint, conditional on the version of its business. Every change of an endpoint goes through here. Undefined when the
 * tenant has no such endpoint. @throws service_unavailable when concurrent changes outlast every attempt; whatever `decide` throws.
 */
export const changeEndpoint = <Result>(
  deps: WriteBusinessDeps,
  tenant: Tenant,
  id: string,
  decide: (
    endpoint: WebhookEndpoint,
    business: Business,
  ) => BusinessDecision<Result> | Promise<BusinessDecision<Result>>,
): Promise<Result | undefined> =>
  writeBusiness<Result | undefined>(
    deps,
    () => ownBusiness(deps, tenant),
    async (business) => {
      const all = await deps.businesses.endpoints(business);
      const endpoint = all.find((candidate) => candidate.id === id && belongsTo(tenant, candidate));
      return endpoint ? decide(endpoint, business) : { result: undefined };
    },
  );

/** The same for an endpoint that a request names. @throws the refusal webhook_endpoint_not_found. */
export const changeNamedEndpoint = async <Result extends object>(
  ...args: Parameters<typeof changeEndpoint<Result>>
): Promise<Result> => {
  const changed = await changeEndpoint<Result>(...args);
  if (!changed) throw new ApiError('webhook_endpoint_not_found');
  return changed;
};
