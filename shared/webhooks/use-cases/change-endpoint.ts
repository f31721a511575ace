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

/** Reads the business of a key or an endpoint. @throws Error if it does not exist, which is an internal fault. */
export const readBusiness = async (
  deps: Pick<WriteBusinessDeps, 'businesses'>,
  { businessId }: Tenant,
): Promise<Business> => {
  const business = await deps.businesses.find(businessId);
  if (!business) throw new Error('The business of this key or endpoint does not exist.');
  return business;
};

/** Builds the write of a changed endpoint: the endpoint, its head in the business, and the event that announces the change, if any. */
export const endpointWrite = (
  business: Business,
  changed: WebhookEndpoint,
  announcement: Pick<BusinessEntry, 'event' | 'deliveries'> = {},
) => ({ after: changeHead(business, toEndpointHead(changed)), changedEndpoint: changed, ...announcement });

/**
 * Changes an endpoint on condition that the version of its business is unchanged. Every change of an endpoint uses this function. Returns
 * undefined if the tenant has no such endpoint.
 * @throws service_unavailable if every attempt meets a concurrent change, and every error of `decide`.
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
    () => readBusiness(deps, tenant),
    async (business) => {
      const all = await deps.businesses.endpoints(business);
      const endpoint = all.find((candidate) => candidate.id === id && belongsTo(tenant, candidate));
      return endpoint ? decide(endpoint, business) : { result: undefined };
    },
  );

/** Changes an endpoint that a request names. @throws webhook_endpoint_not_found and the errors of `changeEndpoint`. */
export const changeNamedEndpoint = async <Result extends object>(
  ...args: Parameters<typeof changeEndpoint<Result>>
): Promise<Result> => {
  const changed = await changeEndpoint<Result>(...args);
  if (!changed) throw new ApiError('webhook_endpoint_not_found');
  return changed;
};
