import type { Business } from '#shared/businesses/domain/business.ts';
import { ensureMayChange } from '#shared/businesses/domain/members.ts';
import type { BusinessEntry, BusinessStore } from '#shared/businesses/ports.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { untilCommitted } from '#shared/platform/until-committed.ts';

export interface WriteBusinessDeps extends Pick<Runtime, 'pause'> {
  readonly businesses: BusinessStore;
}

/** The result of a change, and its writes. Without `write` nothing changes. */
export interface BusinessDecision<Result> {
  readonly result: Result;
  readonly write?: Omit<BusinessEntry, 'business'> & { readonly after: Business };
}

/**
 * Changes a business with its keys and endpoints: reads it, decides, and writes all of it in one transaction, on condition that the business
 * still has the version that was read. After a concurrent change it reads and decides again. A member's change is refused if the business, as
 * it was just read, no longer allows it: the member was removed or got a lower role, or the business was suspended, while the request was
 * under way.
 * @throws ApiError `forbidden_role`, `business_suspended`, or `service_unavailable` if concurrent changes outlast every attempt; anything that
 * `read` and `decide` throw.
 */
export const writeBusiness = <Result>(
  deps: WriteBusinessDeps,
  read: () => Promise<Business>,
  decide: (before: Business) => BusinessDecision<Result> | Promise<BusinessDecision<Result>>,
): Promise<Result> =>
  untilCommitted(deps, async () => {
    const before = await read();
    const { result, write } = await decide(before);
    if (!write) return { done: result };
    const { after, ...items } = write;
    if (items.change && 'userId' in items.change) ensureMayChange(before, items.change);
    return (await deps.businesses.save({ business: { before, after }, ...items })) ? { done: result } : 'conflict';
  });
