import type { ApiKey } from '#shared/domain/businesses/api-key.ts';
import type { Business } from '#shared/domain/businesses/business.ts';
import { OperatorError } from '#shared/domain/kernel/operator-error.ts';
import type { BusinessEntry, BusinessStore } from '#shared/ports/businesses.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import { findBusiness, findKey } from './find-business.ts';
import { writeBusiness } from './write-business.ts';

export interface ChangeBusinessDeps extends Pick<Runtime, 'now' | 'newId'> {
  readonly businesses: BusinessStore;
}

/** What an operation answers and what it writes; without `write` there is nothing to change and nothing to record. */
export interface Decision<Result> {
  readonly result: Result;
  readonly write?: Pick<BusinessEntry, 'newKeys' | 'changedKeys'> & {
    readonly after: Business;
    /** For the record of changes: never a key or a secret. */
    readonly what: string;
  };
}

/**
 * The one way in which operations change a business: read it and then its keys, decide, and write it with the record of who
 * did it.
 * @throws OperatorError for an unknown business, when it never stops changing, and whatever `decide` throws.
 */
export const changeBusiness = async <Result>(
  deps: ChangeBusinessDeps,
  { businessId, who }: { readonly businessId: string; readonly who: string },
  decide: (business: Business, keys: readonly ApiKey[]) => Decision<Result>,
): Promise<Result> => {
  const outcome = await writeBusiness<Result>(
    deps,
    () => findBusiness(deps, businessId),
    async (before) => {
      const { result, write } = decide(before, await deps.businesses.keys(before));
      if (!write) return { result };
      const { what, ...items } = write;
      return { result, write: { ...items, change: { id: deps.newId('log'), businessId, at: deps.now(), who, what } } };
    },
  );
  if (outcome) return outcome.result;
  throw new OperatorError(`Business ${businessId} kept changing while this was written. Run the command again.`);
};

/**
 * The same for one key, which changes only together with its business.
 * @throws OperatorError for an unknown key, for one that ended so long ago that the business let go of it, and as above.
 */
export const changeKey = async <Result>(
  deps: ChangeBusinessDeps,
  { keyId, who }: { readonly keyId: string; readonly who: string },
  decide: (key: ApiKey, business: Business, keys: readonly ApiKey[]) => Decision<Result>,
): Promise<Result> => {
  const { businessId } = await findKey(deps, keyId);
  return changeBusiness(deps, { businessId, who }, (business, keys) => {
    // Of the keys that were read after the business, so that its version guards this one.
    const key = keys.find(({ id }) => id === keyId);
    if (!key) throw new OperatorError(`Key ${keyId} ended long ago. Nothing was changed.`);
    return decide(key, business, keys);
  });
};
