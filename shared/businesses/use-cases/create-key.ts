import { type ApiKey, keyInWords } from '#shared/businesses/domain/api-key.ts';
import { addKey } from '#shared/businesses/domain/business.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { type ChangeBusinessDeps, changeBusiness } from './change-business.ts';
import { type IssuedKey, issueKey, type KeyType } from './issue-key.ts';
import { nameOf, type Who } from './record-change.ts';

/**
 * Adds a key to a business. Only this result has it in clear text.
 * @throws NotPossible for an unknown business, or when it has the most keys allowed.
 */
export const createKey = (
  deps: ChangeBusinessDeps & Pick<Runtime, 'randomBytes'>,
  {
    businessId,
    who,
    name,
    ...type
  }: KeyType & { readonly businessId: string; readonly who: Who; readonly name?: string | undefined },
): Promise<{ issued: IssuedKey; stored: ApiKey }> =>
  changeBusiness(deps, { businessId, who }, (business, keys) => {
    const { issued, stored } = issueKey(deps, business, { ...type, name, createdBy: nameOf(who) });
    return {
      result: { issued, stored },
      write: {
        after: addKey(business, keys, stored, deps.now()),
        newKeys: [stored],
        what: `created ${keyInWords(stored)}`,
        target: stored.id,
      },
    };
  });
