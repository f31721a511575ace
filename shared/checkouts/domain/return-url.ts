import type { FieldError } from '#shared/platform/kernel/errors.ts';
import type { KeyKind } from '#shared/platform/kernel/key-kind.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { hasUserInfo, isMisread } from '#shared/platform/kernel/url-text.ts';

/* The return URLs of a payment page: `callback_url` and `cancel_url` of a checkout. */

const HTTPS = /^https:\/\/[^/?#]/i;
/** The developer's own machine. */
const LOCAL = /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?(?=[/?#]|$)/i;

/** This message does not depend on the key's mode, which is not known yet. */
const NOT_HTTPS = 'must be an https URL. In test mode http://localhost and http://127.0.0.1 are allowed too.';

/**
 * Explains why a URL cannot be a return URL in any mode; undefined if it can. The explanation continues a sentence that begins with the
 * field's name.
 */
export const returnUrlProblem = (url: string): string | undefined => {
  if (isMisread(url)) return 'must hold no spaces, control characters, unpaired surrogates or backslashes.';
  if ((!HTTPS.test(url) && !LOCAL.test(url)) || !URL.canParse(url)) return NOT_HTTPS;
  return hasUserInfo(url) ? 'must hold no user name or password.' : undefined;
};

/** The well-formed return URLs of a request; null if not sent. */
export type ReturnUrls = Readonly<Record<'callback_url' | 'cancel_url', string | null>>;

/**
 * Checks return URLs against the mode and the kind of key. Anybody can copy a public key, so its return URLs must be on one of the
 * business's own `websites`: otherwise a stranger could make the business's payment page lead anywhere.
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

/** The facts that a return address contains: the checkout, but never its outcome. */
export interface ReturnFacts {
  readonly reference: string;
  readonly merchantReference: string | null;
  readonly isCancelled: boolean;
}

/** Builds the query parameters of a return address. `trxref` repeats the reference, because integrations read it under that name. */
const buildQuery = ({ reference, merchantReference, isCancelled }: ReturnFacts): string =>
  new URLSearchParams({
    reference,
    trxref: reference,
    ...(merchantReference !== null && { merchant_reference: merchantReference }),
    ...(isCancelled && { cancelled: 'true' }),
  }).toString();

/** Splits a URL into the part before the query, the query with its question mark, and the fragment with its hash. */
const PARTS = /^([^?#]*)(\?[^#]*)?(#.*)?$/s;

const separatorAfter = (query: string): string => {
  if (query === '') return '?';
  return query === '?' || query.endsWith('&') ? '' : '&';
};

/**
 * Builds the address that a payer returns to: the unchanged return URL with our parameters at the end of its query. If the URL already has
 * parameters with these names, its own come first. Only webhook and verify say whether the checkout is paid.
 */
export const returnAddress = (url: string, facts: ReturnFacts): string =>
  url.replace(
    PARTS,
    (_, path: string, query = '', fragment = '') =>
      `${path}${query}${separatorAfter(query)}${buildQuery(facts)}${fragment}`,
  );
