import type { Business } from '#shared/businesses/domain/business.ts';
import { defaultProfile } from '#shared/businesses/domain/profile.ts';
import type { BusinessStore } from '#shared/businesses/ports.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { type IssuedKey, issueKey, type KeyType } from './issue-key.ts';
import { parseBusinessName } from './rename-business.ts';

export interface CreateBusinessDeps extends Pick<Runtime, 'now' | 'newId' | 'randomBytes'> {
  readonly businesses: BusinessStore;
}

const FIRST_KEYS: readonly KeyType[] = [
  { mode: 'live', kind: 'secret' },
  { mode: 'live', kind: 'public' },
  { mode: 'test', kind: 'secret' },
  { mode: 'test', kind: 'public' },
];

/**
 * Creates a business with its four keys: live and test, secret and public. Only this result contains the keys in clear text.
 * @throws NotPossible for a name that a business cannot have.
 */
export const createBusiness = async (
  deps: CreateBusinessDeps,
  input: { readonly name: string; readonly actor: string },
): Promise<{ business: Business; keys: IssuedKey[] }> => {
  const name = parseBusinessName(input.name);
  const [id, now] = [deps.newId('biz'), deps.now()];
  const owner = { id, suspended: false, profile: defaultProfile(name) };
  const keys = FIRST_KEYS.map((type) => issueKey(deps, owner, { ...type, createdBy: 'operations' }));
  const business: Business = {
    ...owner,
    name,
    endpoints: [],
    keys: keys.map(({ stored: { id: keyId, hash, mode, kind } }) => ({ id: keyId, hash, mode, kind })),
    createdAt: now,
    members: [],
    version: 1,
  };
  await deps.businesses.create(
    business,
    keys.map(({ stored }) => stored),
    { id: deps.newId('log'), businessId: id, at: now, who: input.actor, what: `created the business "${name}"` },
  );
  return { business, keys: keys.map(({ issued }) => issued) };
};
