import type { Business } from '#shared/domain/businesses/business.ts';
import type { BusinessEntry, BusinessStore } from '#shared/ports/businesses.ts';

/** The result of a change and what it writes; without `write` nothing changes. */
export interface BusinessDecision<Result> {
  readonly result: Result;
  readonly write?: Omit<BusinessEntry, 'business'> & { readonly after: Business };
}

/** Each attempt reads again after a concurrent change. */
const MAX_ATTEMPTS = 10;

/**
 * Changes a business with its keys and endpoints: reads it, decides, and writes all of it in one transaction under its version.
 * Reads and decides again after a concurrent change. Undefined when concurrent changes outlast every try.
 * @throws whatever `read` and `decide` throw.
 */
export const writeBusiness = async <Result>(
  deps: { readonly businesses: BusinessStore },
  read: () => Promise<Business>,
  decide: (before: Business) => BusinessDecision<Result> | Promise<BusinessDecision<Result>>,
): Promise<{ readonly result: Result } | undefined> => {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const before = await read();
    const { result, write } = await decide(before);
    if (!write) return { result };
    const { after, ...items } = write;
    if (await deps.businesses.save({ business: { before, after }, ...items })) return { result };
  }
  return undefined;
};
