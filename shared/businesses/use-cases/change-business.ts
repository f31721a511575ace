import type { ApiKey } from '#shared/businesses/domain/api-key.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import type { Author } from '#shared/businesses/domain/member-change.ts';
import type { BusinessEntry } from '#shared/businesses/ports.ts';
import { ApiError, UnreadableItem } from '#shared/platform/kernel/errors.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import { belongsTo, type Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { type ChargeNoticeDeps, chargeNotice } from './charge-notice.ts';
import { findBusiness, findKey } from './find-business.ts';
import { noticeOfChange } from './notice-of-change.ts';
import { makeChangeRecord, type OperatorOrMember } from './record-change.ts';
import { type WriteBusinessDeps, writeBusiness } from './write-business.ts';

export interface ChangeBusinessDeps extends WriteBusinessDeps, Pick<Runtime, 'now' | 'newId'>, ChargeNoticeDeps {}

/** The result of a change, and its writes. Without `write` nothing changes and nothing is logged. */
export interface Decision<Result> {
  readonly result: Result;
  readonly write?: Pick<BusinessEntry, 'newKeys' | 'changedKeys' | 'namedKeys' | 'newLogo' | 'removedLogoId'> & {
    readonly after: Business;
    /** The change in words, for the audit log; never a key or a secret. */
    readonly what: string;
    /** The id of the object that was created. */
    readonly target?: string;
    /**
     * Whether the change ends an object, as revoking ends a key. Such a change has no limit: to repeat it, somebody must first create another
     * object.
     */
    readonly ends?: true;
  };
}

/**
 * Changes a business for an operator or a member: reads it and then its keys, decides, and writes it with an entry of the audit log. Owners get
 * a mail about a change that needed a passkey. The notice is written with the change, and counts against the limit of the change's author.
 * @throws NotPossible for an unknown business; ApiError `rate_limited`, or `service_unavailable` if concurrent changes outlast every attempt;
 * anything that `decide` throws.
 */
export const changeBusiness = <Result>(
  deps: ChangeBusinessDeps,
  request: { readonly businessId: string; readonly actor: OperatorOrMember; readonly target?: string },
  decide: (business: Business, keys: readonly ApiKey[]) => Decision<Result>,
): Promise<Result> =>
  writeBusiness(
    deps,
    () => findBusiness(deps, request.businessId),
    async (before) => {
      const keys = await deps.businesses.keys(before);
      // `keys` leaves out keys that it cannot read. Such a key would keep a right that the change takes from the other keys.
      if (keys.length < before.keys.length) throw new UnreadableItem('KEY');
      const { result, write } = decide(before, keys);
      if (!write) return { result };
      const { what, target, ends, ...items } = write;
      const change = makeChangeRecord(deps, { ...request, ...(target !== undefined && { target }) }, what);
      const notice = noticeOfChange(deps, before, change);
      if (!ends) await chargeNotice(deps, notice, request);
      return { result, write: { ...items, change, notice } };
    },
  );

/** A key to change, and its author. A member names the tenant that the key must belong to; an operator may change any key. */
export type KeyInput = { readonly keyId: string } & (
  | { readonly actor: string; readonly tenant?: undefined }
  | { readonly actor: Author; readonly tenant: Tenant }
);

/**
 * Changes a key together with its business, as changeBusiness does.
 * @throws the errors of `changeBusiness`. For an operator also NotPossible, if the key is unknown, or if it ended long ago and was removed from
 * the business's list. For a member also ApiError `key_not_found`, in the same cases and for a key of another tenant.
 */
export const changeKey = async <Result>(
  deps: ChangeBusinessDeps,
  { keyId, actor, tenant }: KeyInput,
  decide: (key: ApiKey, business: Business, keys: readonly ApiKey[]) => Decision<Result>,
): Promise<Result> => {
  const { businessId } = tenant ?? (await findKey(deps, keyId));
  return changeBusiness(deps, { businessId, actor, target: keyId }, (business, keys) => {
    // The keys were read after the business, so the business's version guards this key.
    const key = keys.find(({ id }) => id === keyId);
    if (tenant && (!key || !belongsTo(tenant, key))) throw new ApiError('key_not_found');
    if (!key) throw new NotPossible(`Key ${keyId} ended long ago. Nothing was changed.`);
    return decide(key, business, keys);
  });
};
