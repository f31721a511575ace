import { type ApiKey, describeKey, hasEnded } from '#shared/businesses/domain/api-key.ts';
import { nextBusiness } from '#shared/businesses/domain/business.ts';
import { type ChangeBusinessDeps, changeKey, type KeyInput } from './change-business.ts';

/**
 * Revokes a key: it is refused from the next request on. If the key has ended already, nothing changes.
 * @throws NotPossible for an unknown key.
 */
export const revokeKey = (deps: ChangeBusinessDeps, input: KeyInput): Promise<ApiKey> =>
  changeKey(deps, input, (key, business) => {
    const now = deps.now();
    if (hasEnded(key, now)) return { result: key };
    const revoked = { ...key, revokedAt: now };
    return {
      result: revoked,
      write: {
        after: nextBusiness(business),
        changedKeys: [revoked],
        ends: true,
        what: `revoked ${describeKey(key)}`,
      },
    };
  });
