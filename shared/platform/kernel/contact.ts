import * as z from 'zod/mini';
import { parseEmailAddress } from './email-address.ts';
import { text } from './schemas.ts';
import { hasUserInfo, isMisread } from './url-text.ts';

const LONGEST_URL = 500;
/** Nothing that would end a link, a quoted text or a line of YAML in which it stands. */
const APART = /["'<>()[\]{}|^`]/;

const isEmail = (address: string): boolean => parseEmailAddress(address) === address && !APART.test(address);

const isHttpsPage = (url: string): boolean =>
  url.length <= LONGEST_URL &&
  /^https:\/\/[^/]/.test(url) &&
  !APART.test(url) &&
  !isMisread(url) &&
  !hasUserInfo(url) &&
  URL.canParse(url);

/** Where integrators reach whoever runs a stage: an e-mail address, an https page, or both. */
export const contact = z
  .strictObject({
    email: z.optional(text.check(z.refine(isEmail, 'must be an e-mail address, such as integrations@example.com'))),
    url: z.optional(text.check(z.refine(isHttpsPage, 'must be an https address, such as https://example.com/support'))),
  })
  .check(
    z.refine(
      ({ email, url }) => email !== undefined || url !== undefined,
      'must have an email, a url, or both; leave it out where there is neither',
    ),
  );
export type Contact = z.infer<typeof contact>;

const NOBODY_NAMED = 'whoever runs this service';

/** The contact in a sentence: “Ask whoever runs this service (integrations@example.com).” Null: nobody is named. */
export const contactWords = (whom: Contact | null): string => {
  const places = [whom?.email, whom?.url].filter((place) => place !== undefined);
  return places.length === 0 ? NOBODY_NAMED : `${NOBODY_NAMED} (${places.join(', ')})`;
};

/** The contact as an API document names it (OpenAPI 3.1, Contact Object). */
export const contactEntry = (whom: Contact | null): Contact & { readonly name: string } => ({
  name: 'Whoever runs this service',
  ...whom,
});
