import * as z from 'zod/mini';
import { parseEmailAddress } from '#shared/platform/kernel/email-address.ts';
import { isPhoneNumber } from '#shared/platform/kernel/phone-number.ts';
import { readableTextProblem } from '#shared/platform/kernel/readable-text.ts';
import { boolean, nonEmptyString, ordinal, text } from '#shared/platform/kernel/schemas.ts';
import { hasUserInfo, isFullHostName, isMisread } from '#shared/platform/kernel/url-text.ts';

const LONGEST_NAME = 100;

/** Checks whether a business may have this name: a readable text of at most 100 characters. */
export const isBusinessName = (name: string): boolean =>
  [...name].length <= LONGEST_NAME && readableTextProblem(name) === undefined;

/**
 * The name of a business as it is stored: any text that is not empty. Only new names are checked by `isBusinessName`. So stored businesses stay
 * readable if that check becomes stricter.
 */
export const businessName = nonEmptyString;

export const MAX_WEBSITES = 20;
const MAX_SUPPORT_URL = 500;

/** The place where a payer finds help: an e-mail address, a phone number in international form, or an https page. */
export const support = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('email'), address: text }),
  z.object({ kind: z.literal('phone'), number: text }),
  z.object({ kind: z.literal('page'), url: text }),
]);
export type Support = z.infer<typeof support>;

/** The facts of a logo that a page needs to show it. Width and height are in pixels. */
export const logo = z.object({
  /** Derived from the business and the picture's bytes, so that the picture under an id never changes. */
  id: text,
  type: z.enum(['image/png', 'image/jpeg']),
  width: ordinal,
  height: ordinal,
});
export type Logo = z.infer<typeof logo>;

/** The profile of a business: the names, logo and colours that payers see, the websites that may lead to and from its payment page, its routing. */
export const businessProfile = z.object({
  displayName: businessName,
  support: z.nullable(support),
  /** Origins such as `https://shop.example.ng`, exactly as browsers write them. */
  websites: z.array(text).check(z.maxLength(MAX_WEBSITES)),
  /** `#rrggbb` in lower case. */
  brandColor: z.nullable(text),
  /**
   * Whether checkouts that name no provider may go to another provider than the stage's default. The other provider's fees, limits and days of
   * settlement differ.
   */
  isRouted: boolean,
  /** Absent from items that were stored before there were logos. */
  logo: z._default(z.nullable(logo), null),
});
export type BusinessProfile = z.infer<typeof businessProfile>;

/** Makes the profile of a business that has not set one: its name, and nothing else. */
export const defaultProfile = (name: string): BusinessProfile => ({
  displayName: name,
  support: null,
  websites: [],
  brandColor: null,
  isRouted: false,
  logo: null,
});

const isHttpsPage = (url: string): boolean =>
  url.length <= MAX_SUPPORT_URL &&
  /^https:\/\/[^/]/i.test(url) &&
  !isMisread(url) &&
  !hasUserInfo(url) &&
  URL.canParse(url);

/**
 * Parses a text that says where a payer finds help; undefined if it is neither an e-mail address nor a phone number nor an https page. A phone
 * number may have spaces and hyphens.
 */
export const parseSupport = (input: string): Support | undefined => {
  const address = parseEmailAddress(input);
  if (address !== undefined) return { kind: 'email', address };
  const number = input.replace(/[ -]/g, '');
  if (isPhoneNumber(number)) return { kind: 'phone', number };
  return isHttpsPage(input) ? { kind: 'page', url: input } : undefined;
};

/** Writes where a payer finds help, in the form that `parseSupport` parses. */
export const supportText = (support: Support): string =>
  support.kind === 'email' ? support.address : support.kind === 'phone' ? support.number : support.url;

/**
 * Checks whether a text is the origin of a website, as browsers write it: https, a full host name, perhaps a port. Such a text can stand in a
 * header of a security policy: it has no wildcards, and nothing that separates one source from the next.
 */
export const isWebsite = (origin: string): boolean => {
  const url = URL.parse(origin);
  const isNamed = url !== null && isFullHostName(url.hostname) && !/^[\d.]+$/.test(url.hostname);
  return isNamed && url.protocol === 'https:' && url.origin === origin;
};

const COLOR = /^#[0-9a-f]{6}$/;

/** Parses a colour as it is stored, `#rrggbb` in lower case; undefined for anything else. */
export const parseColor = (input: string): string | undefined => {
  const color = input.toLowerCase();
  return COLOR.test(color) ? color : undefined;
};
