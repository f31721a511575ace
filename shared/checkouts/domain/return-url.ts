import type { FieldError } from '#shared/platform/kernel/errors.ts';
import type { KeyKind } from '#shared/platform/kernel/key-kind.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { hasUserInfo, isMisread } from '#shared/platform/kernel/url-text.ts';

/*
 * Where a payment page leads: `callback_url` and `cancel_url` of a checkout (api-decisions.md section 4).
 */

const HTTPS = /^https:\/\/[^/?#]/i;
/** The developer's own machine. */
const LOCAL = /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?(?=[/?#]|$)/i;

/** Said before the mode of the key is known. */
const NOT_HTTPS = 'must be an https URL. In test mode http://localhost and http://127.0.0.1 are allowed too.';

/** Why a text can be no return URL in any mode, as the rest of a sentence that starts with its field's name; undefined when it can. */
export const returnUrlProblem = (url: string): string | undefined => {
  if (isMisread(url)) return 'must hold no spaces, control characters, unpaired surrogates or backslashes.';
  if ((!HTTPS.test(url) && !LOCAL.test(url)) || !URL.canParse(url)) return NOT_HTTPS;
  return hasUserInfo(url) ? 'must hold no user name or password.' : undefined;
};

/** A return URL of a request that is well formed; null where none was sent. */
export type ReturnUrls = Readonly<Record<'callback_url' | 'cancel_url', string | null>>;

/**
 * What is wrong with return URLs for who sent them. Anybody can copy a public key, so what it sends must lead to one of the business's own
 * `websites`: otherwise a payment page of theirs would lead wherever a stranger likes.
 */
export const returnUrlErrors = (
  urls: ReturnUrls,
  { mode, kind }: { readonly mode: Mode; readonly kind: KeyKind },
  websites: readonly string[],
): FieldError[] =>
  (['callback_url', 'cancel_url'] as const).flatMap((field) => {
    const url = urls[field];
    if (url === null) return [];
    if (LOCAL.test(url)) return mode === 'test' ? [] : [{ field, message: `${field} must be an https URL.` }];
    const isKnown = kind === 'secret' || websites.includes(new URL(url).origin);
    return isKnown ? [] : [{ field, message: `${field} must be on a website of this business.` }];
  });

/** What the address that a payer returns to says: which checkout it is about, and never what became of it. */
export interface Returning {
  readonly reference: string;
  readonly merchantReference: string | null;
  readonly isCancelled: boolean;
}

/** The parameters that the address adds; `trxref` is the second name under which integrations read the reference. */
const added = ({ reference, merchantReference, isCancelled }: Returning): string =>
  new URLSearchParams({
    reference,
    trxref: reference,
    ...(merchantReference !== null && { merchant_reference: merchantReference }),
    ...(isCancelled && { cancelled: 'true' }),
  }).toString();

/** A URL's address with its path, its query with the question mark, and its fragment with the hash. */
const PARTS = /^([^?#]*)(\?[^#]*)?(#.*)?$/s;

const jointAfter = (query: string): string => {
  if (query === '') return '?';
  return query === '?' || query.endsWith('&') ? '' : '&';
};

/**
 * The address that a payer returns to: the return URL to the letter, with ours at the end of its query. Parameters of ours that it has
 * itself stay, and so come first. Only webhook and verify say whether it is paid.
 */
export const returnAddress = (url: string, returning: Returning): string =>
  url.replace(
    PARTS,
    (_, path: string, query = '', fragment = '') => `${path}${query}${jointAfter(query)}${added(returning)}${fragment}`,
  );
