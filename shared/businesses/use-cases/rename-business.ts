import { profileOnKeys } from '#shared/businesses/domain/api-key.ts';
import { type Business, nextBusiness } from '#shared/businesses/domain/business.ts';
import { isBusinessName } from '#shared/businesses/domain/profile.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import { type ChangeBusinessDeps, changeBusiness } from './change-business.ts';

/** Parses the name of a business, and removes spaces around it. `field`: the request's field for the error. @throws NotPossible for an unfit name. */
export const parseBusinessName = (input: string, field?: string): string => {
  const name = input.trim();
  if (isBusinessName(name)) return name;
  throw new NotPossible(
    'A business name has 1 to 100 characters. At least one of them is visible, and none is a control character. Choose another name.',
    undefined,
    field,
  );
};

/**
 * Renames a business. If the display name equals the old name, it changes, too. If the name does not change, nothing is written.
 * @throws NotPossible for a name that a business cannot have, or an unknown business.
 */
export const renameBusiness = async (
  deps: ChangeBusinessDeps,
  input: { readonly businessId: string; readonly name: string; readonly actor: string },
): Promise<Business> => {
  const name = parseBusinessName(input.name);
  return changeBusiness(deps, input, (business, keys) => {
    if (business.name === name) return { result: business };
    const { profile } = business;
    const displayName = profile.displayName === business.name ? name : profile.displayName;
    const renamed = { ...profile, displayName };
    const after = nextBusiness(business, { name, profile: renamed });
    const what = `renamed the business from ${JSON.stringify(business.name)} to ${JSON.stringify(name)}`;
    return { result: after, write: { after, namedKeys: profileOnKeys(keys, renamed), what } };
  });
};
