import type { ApiKey } from '#shared/domain/businesses/api-key.ts';
import type { Business } from '#shared/domain/businesses/business.ts';
import { OperatorError } from '#shared/domain/kernel/operator-error.ts';
import type { BusinessEntry } from '#shared/ports/businesses.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import { findBusiness, findKey } from '#shared/use-cases/kernel/find-business.ts';
import { type WriteBusinessDeps, writeBusiness } from '#shared/use-cases/kernel/write-business.ts';

export interface ChangeBusinessDeps extends WriteBusinessDeps, Pick<Runtime, 'now' | 'newId'> {}

/** An operation's result and what it writes; without `write` nothing changes and nothing is logged. */
export interface Decision<Result> {
  readonly result: Result;
  readonly write?: Pick<BusinessEntry, 'newKeys' | 'changedKeys'> & {
    readonly after: Business;
    /** For the audit log: never a key or a secret. */
    readonly what: string;
  };
}

/**
 * Changes a business for an operator: reads it and then its keys, decides, and writes it with an entry of the audit log.
 * @throws OperatorError for an unknown business; service_unavailable when concurrent changes outlast every attempt; what `decide` throws.
 */
export const changeBusiness = <Result>(
  deps: ChangeBusinessDeps,
  { businessId, who }: { readonly businessId: string; readonly who: string },
  decide: (business: Business, keys: readonly ApiKey[]) => Decision<Result>,
): Promise<Result> =>
  writeBusiness<Result>(
    deps,
    () => findBusiness(deps, businessId),
    async (before) => {
      const { result, write } = decide(before, await deps.businesses.keys(before));
      if (!write) return { result };
      const { what, ...items } = write;
      return { result, write: { ...items, change: { id: deps.newId('log'), businessId, at: deps.now(), who, what } } };
    },
  );

/**
 * Changes a key together with its business, as changeBusiness does.
 * @throws OperatorError also for an unknown key, and for one that ended long ago and is no longer in the business's list.
 */
export const changeKey = async <Result>(
  deps: ChangeBusinessDeps,
  { keyId, who }: { readonly keyId: string; readonly who: string },
  decide: (key: ApiKey, business: Business, keys: readonly ApiKey[]) => Decision<Result>,
): Promise<Result> => {
  const { businessId } = await findKey(deps, keyId);
  return changeBusiness(deps, { businessId, who }, (business, keys) => {
    // From the keys that were read after the business, so that the business's version guards this one.
    const key = keys.find(({ id }) => id === keyId);
    if (!key) throw new OperatorError(`Key ${keyId} ended long ago. Nothing was changed.`);
    return decide(key, business, keys);
  });
};
