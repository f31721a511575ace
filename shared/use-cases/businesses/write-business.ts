import type { Business } from '#shared/domain/businesses/business.ts';
import type { BusinessEntry, BusinessStore } from '#shared/ports/businesses.ts';

/** What a change of a business answers and what it writes; without `write` there is nothing to change. */
export interface BusinessDecision<Result> {
  readonly result: Result;
  readonly write?: Omit<BusinessEntry, 'business'> & { readonly after: Business };
}

/** Every rival that wins a race makes one of these tries stale; each is a fresh read. */
const TRIES = 10;

/**
 * The one way in which a business changes, with its keys and endpoints: read it, decide, write all of it in one transaction
 * under its version. Decides again when it changed meanwhile. Undefined when it never stopped changing.
 * @throws whatever `read` and `decide` throw.
 */
export const writeBusiness = async <Result>(
  deps: { readonly businesses: BusinessStore },
  read: () => Promise<Business>,
  decide: (before: Business) => BusinessDecision<Result> | Promise<BusinessDecision<Result>>,
): Promise<{ readonly result: Result } | undefined> => {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const before = await read();
    const { result, write } = await decide(before);
    if (!write) return { result };
    const { after, ...items } = write;
    if (await deps.businesses.save({ business: { before, after }, ...items })) return { result };
  }
  return undefined;
};
