import { profileOnKeys } from '#shared/businesses/domain/api-key.ts';
import { type Business, nextBusiness } from '#shared/businesses/domain/business.ts';
import {
  type BusinessProfile,
  isWebsite,
  MAX_WEBSITES,
  parseColor,
  parseSupport,
  supportText,
} from '#shared/businesses/domain/profile.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import { type ChangeBusinessDeps, changeBusiness } from './change-business.ts';
import type { Who } from './record-change.ts';
import { parseBusinessName } from './rename-business.ts';

/** What an operator sets, as it was written; null removes it, and what is absent stays. */
export interface ProfileChange {
  readonly displayName?: string | undefined;
  readonly support?: string | null | undefined;
  /** The whole list. */
  readonly websites?: readonly string[] | undefined;
  readonly brandColor?: string | null | undefined;
  readonly isRouted?: boolean | undefined;
}

const readSupport = (given: string): BusinessProfile['support'] => {
  const support = parseSupport(given.trim());
  if (support) return support;
  throw new NotPossible(
    'Support is an e-mail address, a phone number such as +2348031234567, or an https page of at most 500 characters.',
  );
};

const readWebsites = (given: readonly string[]): string[] => {
  const websites = [...new Set(given.map((one) => one.trim()))];
  const wrong = websites.find((one) => !isWebsite(one));
  if (wrong !== undefined) {
    const origin = URL.parse(wrong)?.origin;
    const instead = origin && isWebsite(origin) ? origin : 'https://shop.example.ng';
    throw new NotPossible(
      `${JSON.stringify(wrong)} is no origin of a website. Write it as browsers do, without a path: ${instead}. There are no wildcards.`,
    );
  }
  if (websites.length > MAX_WEBSITES) throw new NotPossible(`A business has at most ${MAX_WEBSITES} websites.`);
  return websites;
};

const readColor = (given: string): string => {
  const color = parseColor(given.trim());
  if (color) return color;
  throw new NotPossible('A brand colour is written as #rrggbb, such as #0a7d4f.');
};

const readChange = ({
  displayName,
  support,
  websites,
  brandColor,
  isRouted,
}: ProfileChange): Partial<BusinessProfile> => ({
  ...(displayName !== undefined && { displayName: parseBusinessName(displayName) }),
  ...(support !== undefined && { support: support === null ? null : readSupport(support) }),
  ...(websites !== undefined && { websites: readWebsites(websites) }),
  ...(brandColor !== undefined && { brandColor: brandColor === null ? null : readColor(brandColor) }),
  ...(isRouted !== undefined && { isRouted }),
});

/** What differs, for the audit log. */
const differences = (before: BusinessProfile, after: BusinessProfile): string[] => {
  const told = ({ displayName, support, websites, brandColor, isRouted }: BusinessProfile) => ({
    'display name': `"${displayName}"`,
    support: support ? supportText(support) : 'none',
    websites: websites.join(', ') || 'none',
    'brand colour': brandColor ?? 'none',
    routing: isRouted ? 'on' : 'off',
  });
  const [old, now] = [Object.entries(told(before)), Object.entries(told(after))];
  return now.flatMap(([field, value], i) => (old[i]?.[1] === value ? [] : [`${field} ${value} (was ${old[i]?.[1]})`]));
};

/**
 * Sets what payers see of a business. What it has already is not written again.
 * @throws NotPossible for what a profile cannot have, an unknown business, or nothing to set.
 */
export const setProfile = async (
  deps: ChangeBusinessDeps,
  input: { readonly businessId: string; readonly change: ProfileChange; readonly who: Who },
): Promise<Business> => {
  const set = readChange(input.change);
  if (Object.keys(set).length === 0)
    throw new NotPossible(
      'Say what to set. A profile has a display name, support, websites, a brand colour and routing.',
    );
  return changeBusiness(deps, input, (business, keys) => {
    const profile = { ...business.profile, ...set };
    const changed = differences(business.profile, profile);
    if (changed.length === 0) return { result: business };
    const namedKeys = profileOnKeys(keys, profile);
    const after = nextBusiness(business, { profile });
    const what = `set the profile: ${changed.join('; ')}`;
    return { result: after, write: { after, namedKeys, what } };
  });
};
