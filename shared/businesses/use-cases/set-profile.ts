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

/** What an operator sets, as it was written; null removes it, and what is absent stays. */
export interface ProfileChange {
  readonly displayName?: string | undefined;
  readonly support?: string | null | undefined;
  /** The whole list. */
  readonly websites?: readonly string[] | undefined;
  readonly brandColor?: string | null | undefined;
  readonly isRouted?: boolean | undefined;
  /** The bytes of its file, in base64. */
  readonly logo?: string | null | undefined;
}

const wrong = (field: string, message: string): NotPossible => new NotPossible(message, undefined, field);

const readSupport = (input: string): BusinessProfile['support'] => {
  const support = parseSupport(input.trim());
  if (support) return support;
  throw wrong(
    'support',
    'Support is an e-mail address, a phone number such as +2348031234567, or an https page of at most 500 characters.',
  );
};

const readWebsites = (inputs: readonly string[]): string[] => {
  const websites = [...new Set(inputs.map((website) => website.trim()))];
  const unfit = websites.find((website) => !isWebsite(website));
  if (unfit !== undefined) {
    const origin = URL.parse(unfit)?.origin;
    const instead = origin && isWebsite(origin) ? origin : 'https://shop.example.ng';
    throw wrong(
      'websites',
      `${JSON.stringify(unfit)} is no origin of a website. Write it as browsers do, without a path: ${instead}. There are no wildcards.`,
    );
  }
  if (websites.length > MAX_WEBSITES) throw wrong('websites', `A business has at most ${MAX_WEBSITES} websites.`);
  return websites;
};

const readColor = (input: string): string => {
  const color = parseColor(input.trim());
  if (color) return color;
  throw wrong('brand_color', 'A brand colour is written as #rrggbb, such as #0a7d4f.');
};

/** The logo to store, and what the profile keeps of it. */
const readLogoFile = (businessId: string, file: string): { stored: StoredLogo; logo: Logo } => {
  const stored = newLogo(businessId, readLogo(Buffer.from(file, 'base64')));
  const { id, type, width, height } = stored;
  return { stored, logo: { id, type, width, height } };
};

/** A logo, as people tell it from others. */
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

/** What differs, for the audit log. */
const differences = (before: BusinessProfile, after: BusinessProfile): string[] => {
  const describeProfile = ({ displayName, support, websites, brandColor, isRouted, logo }: BusinessProfile) => ({
    // With its own quotation marks escaped: it ends where it ends.
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

/** The logo that is stored with a profile, and the one that goes: in the same transaction, so that a profile never names one that is not there. */
const logoWrites = (before: BusinessProfile, after: BusinessProfile, added: { stored: StoredLogo } | undefined) => {
  if (before.logo?.id === after.logo?.id) return {};
  return { ...(added && { newLogo: added.stored }), ...(before.logo && { goneLogo: before.logo.id }) };
};

/**
 * Sets what payers see of a business. What it has already is not written again.
 * @throws NotPossible for what a profile cannot have, an unknown business, or nothing to set; the refusal validation_failed for the file of a logo.
 */
export const setProfile = async (
  deps: ChangeBusinessDeps,
  input: { readonly businessId: string; readonly change: ProfileChange; readonly who: OperatorOrMember },
): Promise<Business> => {
  const file = input.change.logo;
  const added = typeof file === 'string' ? readLogoFile(input.businessId, file) : undefined;
  const set = { ...readChange(input.change), ...(file !== undefined && { logo: added?.logo ?? null }) };
  if (Object.keys(set).length === 0)
    throw new NotPossible(
      'Say what to set. A profile has a display name, support, websites, a brand colour, a logo and routing.',
    );
  return changeBusiness(deps, input, (business, keys) => {
    const profile = { ...business.profile, ...set };
    const changed = differences(business.profile, profile);
    if (changed.length === 0) return { result: business };
    const namedKeys = profileOnKeys(keys, profile);
    const after = nextBusiness(business, { profile });
    const what = `set the profile: ${changed.join('; ')}`;
    return { result: after, write: { after, namedKeys, ...logoWrites(business.profile, profile, added), what } };
  });
};
