import { type Business, changeHead } from '#shared/domain/businesses/business.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { belongsTo, type Tenant } from '#shared/domain/kernel/tenant.ts';
import { headOf, type WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import type { BusinessEntry, BusinessStore } from '#shared/ports/businesses.ts';
import { type BusinessDecision, writeBusiness } from '#shared/use-cases/businesses/write-business.ts';

interface ChangeEndpointDeps {
  readonly businesses: BusinessStore;
}

/** A tenant's own business. A key or an endpoint that leads nowhere is a fault of ours. */
export const ownBusiness = async (deps: ChangeEndpointDeps, { businessId }: Tenant): Promise<Business> => {
  const found = await deps.businesses.find(businessId);
  if (!found) throw new Error('The business of this key or endpoint does not exist.');
  return found;
};

/** What a written change gave. @throws Error when rivals were faster every time. */
export const written = <Result>(outcome: { readonly result: Result } | undefined): Result => {
  if (!outcome) throw new Error('A business kept changing while a change to it was being written.');
  return outcome.result;
};

/** The write of a changed endpoint: itself and its head in the business, and what is announced with it. */
export const endpointWrite = (
  business: Business,
  changed: WebhookEndpoint,
  told: Pick<BusinessEntry, 'event' | 'deliveries'> = {},
) => ({ after: changeHead(business, headOf(changed)), changedEndpoint: changed, ...told });

/**
 * The one way in which an endpoint changes: under the version of its business. Undefined when the tenant has no such endpoint.
 * @throws Error when rivals were faster every time, and whatever `decide` throws.
 */
export const changeEndpoint = async <Result>(
  deps: ChangeEndpointDeps,
  tenant: Tenant,
  id: string,
  decide: (
    endpoint: WebhookEndpoint,
    business: Business,
  ) => BusinessDecision<Result> | Promise<BusinessDecision<Result>>,
): Promise<Result | undefined> =>
  written(
    await writeBusiness<Result | undefined>(
      deps,
      () => ownBusiness(deps, tenant),
      async (business) => {
        const all = await deps.businesses.endpoints(business);
        const endpoint = all.find((one) => one.id === id && belongsTo(tenant, one));
        return endpoint ? decide(endpoint, business) : { result: undefined };
      },
    ),
  );

/** The same for an endpoint that a request names: `webhook_endpoint_not_found` when there is none. */
export const changeNamedEndpoint = async <Result extends object>(
  ...args: Parameters<typeof changeEndpoint<Result>>
): Promise<Result> => {
  const changed = await changeEndpoint<Result>(...args);
  if (!changed) throw new Refusal('webhook_endpoint_not_found');
  return changed;
};
