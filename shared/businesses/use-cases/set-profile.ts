import { profileOnKeys } from '#shared/businesses/domain/api-key.ts';
import { type Business, nextBusiness } from '#shared/businesses/domain/business.ts';
import { readLogo } from '#shared/businesses/domain/logo-image.ts';
import {
  type BusinessProfile,
  isWebsite,
  type Logo,
  MAX_WEBSITES,
  parseColor,
  parseSupport,
  supportText,
} from '#shared/businesses/domain/profile.ts';
import { newLogo, type StoredLogo } from '#shared/businesses/domain/stored-logo.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import { type ChangeBusinessDeps, changeBusiness } from './change-business.ts';
import type { OperatorOrMember } from './record-change.ts';
import { parseBusinessName } from './rename-business.ts';

/** Changes of a profile, as a person entered them. Null removes a field; an absent field stays as it is. */
export interface ProfileChange {
  readonly displayName?: string | undefined;
  readonly support?: string | null | undefined;
  /** All websites, old and new. */
  readonly websites?: readonly string[] | undefined;
  readonly brandColor?: string | null | undefined;
  readonly isRouted?: boolean | undefined;
  /** The bytes of the file, in base64. */
  readonly logo?: string | null | undefined;
}

const fieldError = (field: string, message: string): NotPossible => new NotPossible(message, undefined, field);

const readSupport = (input: string): BusinessProfile['support'] => {
  const support = parseSupport(input.trim());
  if (support) return support;
  throw fieldError(
    'support',
    'Support is an e-mail address, a phone number such as +2348031234567, or an https page of at most 500 characters.',
  );
};

const readWebsites = (inputs: readonly string[]): string[] => {
  const websites = [...new Set(inputs.map((website) => website.trim()))];
  const invalidWebsite = websites.find((website) => !isWebsite(website));
  if (invalidWebsite !== undefined) {
    const origin = URL.parse(invalidWebsite)?.origin;
    const suggestion = origin && isWebsite(origin) ? origin : 'https://shop.example.ng';
    throw fieldError(
      'websites',
      `${JSON.stringify(invalidWebsite)} is not the origin of a website. Write it without a path: ${suggestion}. Wildcards are not allowed.`,
    );
  }
  if (websites.length > MAX_WEBSITES) throw fieldError('websites', `A business has at most ${MAX_WEBSITES} websites.`);
  return websites;
};

const readColor = (input: string): string => {
  const color = parseColor(input.trim());
  if (color) return color;
  throw fieldError('brand_color', 'A brand colour is written as #rrggbb, such as #0a7d4f.');
};

/** Reads the file of a logo. Returns the logo to store, and the fields of the logo that the profile contains. */
const readLogoFile = (businessId: string, file: string): { stored: StoredLogo; logo: Logo } => {
  const stored = newLogo(businessId, readLogo(Buffer.from(file, 'base64')));
  const { id, type, width, height } = stored;
  return { stored, logo: { id, type, width, height } };
};

/** Describes a logo for people: its type, size and id. */
export const logoText = ({ id, type, width, height }: Logo): string =>
  `${type === 'image/png' ? 'PNG' : 'JPEG'} of ${width} × ${height} pixels, ${id}`;

const readChange = ({
  displayName,
  support,
  websites,
  brandColor,
  isRouted,
}: ProfileChange): Partial<BusinessProfile> => ({
  ...(displayName !== undefined && { displayName: parseBusinessName(displayName, 'display_name') }),
  ...(support !== undefined && { support: support === null ? null : readSupport(support) }),
  ...(websites !== undefined && { websites: readWebsites(websites) }),
  ...(brandColor !== undefined && { brandColor: brandColor === null ? null : readColor(brandColor) }),
  ...(isRouted !== undefined && { isRouted }),
});

/** Lists the fields that differ, for the audit log. */
const listDifferences = (before: BusinessProfile, after: BusinessProfile): string[] => {
  const describeProfile = ({ displayName, support, websites, brandColor, isRouted, logo }: BusinessProfile) => ({
    // JSON escapes quotation marks in a name, so the name's end is clear.
    'display name': JSON.stringify(displayName),
    support: support ? supportText(support) : 'none',
    websites: websites.join(', ') || 'none',
    'brand colour': brandColor ?? 'none',
    logo: logo ? logoText(logo) : 'none',
    routing: isRouted ? 'on' : 'off',
  });
  const [old, now] = [Object.entries(describeProfile(before)), Object.entries(describeProfile(after))];
  return now.flatMap(([field, value], i) => (old[i]?.[1] === value ? [] : [`${field} ${value} (was ${old[i]?.[1]})`]));
};

/**
 * Returns the logo to add and the logo to delete. They are written in one transaction with the profile, so that a profile never names a logo
 * that does not exist.
 */
const logoWrites = (before: BusinessProfile, after: BusinessProfile, added: { stored: StoredLogo } | undefined) => {
  if (before.logo?.id === after.logo?.id) return {};
  return { ...(added && { newLogo: added.stored }), ...(before.logo && { removedLogoId: before.logo.id }) };
};

/**
 * Sets the profile of a business. If no value changes, nothing is written.
 * @throws NotPossible for a value that a profile cannot have, an unknown business, or nothing to set; ApiError `validation_failed` for the file
 * of a logo.
 */
export const setProfile = async (
  deps: ChangeBusinessDeps,
  input: { readonly businessId: string; readonly change: ProfileChange; readonly actor: OperatorOrMember },
): Promise<Business> => {
  const file = input.change.logo;
  const added = typeof file === 'string' ? readLogoFile(input.businessId, file) : undefined;
  const set = { ...readChange(input.change), ...(file !== undefined && { logo: added?.logo ?? null }) };
  if (Object.keys(set).length === 0)
    throw new NotPossible(
      'Say what to set. You can set the display name, support, websites, brand colour, logo and routing.',
    );
  return changeBusiness(deps, input, (business, keys) => {
    const profile = { ...business.profile, ...set };
    const changed = listDifferences(business.profile, profile);
    if (changed.length === 0) return { result: business };
    const namedKeys = profileOnKeys(keys, profile);
    const after = nextBusiness(business, { profile });
    const what = `set the profile: ${changed.join('; ')}`;
    return { result: after, write: { after, namedKeys, ...logoWrites(business.profile, profile, added), what } };
  });
};
