import { type ApiKey, describeKey } from '#shared/businesses/domain/api-key.ts';
import { addKey } from '#shared/businesses/domain/business.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { type ChangeBusinessDeps, changeBusiness } from './change-business.ts';
import { type IssuedKey, issueKey, type KeyType } from './issue-key.ts';
import { formatActor, type OperatorOrMember } from './record-change.ts';

/**
 * Adds a key to a business. Only this result contains the key in clear text.
 * @throws NotPossible for an unknown business, or if the business has the maximum of keys.
 */
export const createKey = (
  deps: ChangeBusinessDeps & Pick<Runtime, 'randomBytes'>,
  {
    businessId,
    actor,
    name,
    ...type
  }: KeyType & { readonly businessId: string; readonly actor: OperatorOrMember; readonly name?: string | undefined },
): Promise<{ issued: IssuedKey; stored: ApiKey }> =>
  changeBusiness(deps, { businessId, actor }, (business, keys) => {
    const { issued, stored } = issueKey(deps, business, { ...type, name, createdBy: formatActor(actor) });
    return {
      result: { issued, stored },
      write: {
        after: addKey(business, keys, stored, deps.now()),
        newKeys: [stored],
        what: `created ${describeKey(stored)}`,
        target: stored.id,
      },
    };
  });
