import * as z from 'zod/mini';
import { parseEmailAddress } from './email-address.ts';
import { text } from './schemas.ts';
import { hasUserInfo, isMisread } from './url-text.ts';

const LONGEST_URL = 500;
/** Characters that would end a link, a quoted text or a line of YAML. */
const DELIMITERS = /["'<>()[\]{}|^`]/;

const isEmail = (address: string): boolean => parseEmailAddress(address) === address && !DELIMITERS.test(address);

const isHttpsPage = (url: string): boolean =>
  url.length <= LONGEST_URL &&
  /^https:\/\/[^/]/.test(url) &&
  !DELIMITERS.test(url) &&
  !isMisread(url) &&
  !hasUserInfo(url) &&
  URL.canParse(url);

/** The contact of a stage for integrators: an e-mail address, an https page, or both. */
export const contact = z
  .strictObject({
    email: z.optional(text.check(z.refine(isEmail, 'must be an e-mail address, such as integrations@example.com'))),
    url: z.optional(text.check(z.refine(isHttpsPage, 'must be an https address, such as https://example.com/support'))),
  })
  .check(
    z.refine(
      ({ email, url }) => email !== undefined || url !== undefined,
      'must have an email, a url, or both; leave the contact out if there is neither',
    ),
  );
export type Contact = z.infer<typeof contact>;

const OPERATOR = 'whoever runs this service';

/**
 * Returns the contact in words, for a sentence such as “Ask whoever runs this service (integrations@example.com).” With null, the words
 * contain no address.
 */
export const contactWords = (contact: Contact | null): string => {
  const places = [contact?.email, contact?.url].filter((place) => place !== undefined);
  return places.length === 0 ? OPERATOR : `${OPERATOR} (${places.join(', ')})`;
};

/** Makes the Contact Object of the API document (OpenAPI 3.1). */
export const contactEntry = (contact: Contact | null): Contact & { readonly name: string } => ({
  name: 'Whoever runs this service',
  ...contact,
});
