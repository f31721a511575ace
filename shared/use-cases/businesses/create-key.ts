import type { ApiKey } from '#shared/domain/businesses/api-key.ts';
import { addKey } from '#shared/domain/businesses/business.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import { nameOf, type Who } from '#shared/use-cases/kernel/record-change.ts';
import { type ChangeBusinessDeps, changeBusiness } from './change-business.ts';
import { type IssuedKey, issueKey, type KeyType } from './issue-key.ts';

/**
 * Adds a key to a business. Only this result has it in clear text.
 * @throws NotPossible for an unknown business, or when it has the most keys allowed.
 */
export const createKey = (
  deps: ChangeBusinessDeps & Pick<Runtime, 'randomBytes'>,
  { businessId, who, mode, kind }: KeyType & { readonly businessId: string; readonly who: Who },
): Promise<{ issued: IssuedKey; stored: ApiKey }> =>
  changeBusiness(deps, { businessId, who }, (business, keys) => {
    const { issued, stored } = issueKey(deps, business, { mode, kind, createdBy: nameOf(who) });
    return {
      result: { issued, stored },
      write: {
        after: addKey(business, keys, stored, deps.now()),
        newKeys: [stored],
        what: `created the ${mode} ${kind} key ${issued.id}`,
      },
    };
  });
