import { type Business, nextBusiness } from '#shared/businesses/domain/business.ts';
import { type ChangeBusinessDeps, changeBusiness } from './change-business.ts';

interface SuspensionInput {
  readonly businessId: string;
  readonly actor: string;
}

const setSuspended = (deps: ChangeBusinessDeps, input: SuspensionInput, suspended: boolean): Promise<Business> =>
  changeBusiness(deps, input, (business, keys) => {
    if (business.suspended === suspended) return { result: business };
    const after = nextBusiness(business, { suspended });
    return {
      result: after,
      write: {
        after,
        changedKeys: keys.map((key) => ({ ...key, businessSuspended: suspended })),
        what: `${suspended ? 'suspended' : 'resumed'} the business`,
      },
    };
  });

/** Suspends a business: all of its keys are refused from the next request on. Repeating it changes nothing. */
export const suspendBusiness = (deps: ChangeBusinessDeps, input: SuspensionInput): Promise<Business> =>
  setSuspended(deps, input, true);

/** Resumes a business: its keys work again, except those that ended. Repeating it changes nothing. */
export const resumeBusiness = (deps: ChangeBusinessDeps, input: SuspensionInput): Promise<Business> =>
  setSuspended(deps, input, false);
