import { isFullHostName } from './url-text.ts';

/** The longest address that mail servers take (RFC 5321 section 4.5.3.1). */
export const LONGEST_EMAIL = 254;
const LONGEST_LOCAL = 64;

const LOCAL = /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+.-]*[A-Za-z0-9_+-]$/;
/**
 * The characters that a domain may have. Any other character could end the host name when the domain is parsed as a URL, and the rest would
 * be dropped.
 */
const DOMAIN = /^[A-Za-z0-9.\-\u0080-\u{10ffff}]+$/u;
const ASCII = /^[\x21-\x7e]+$/;
/** A top-level domain has at least two letters and is no number. An address that ends with a number is an IP address. */
const TOP_LEVEL = /\.(?!\d+$)[^.]{2,}$/;

const asciiDomain = (domain: string): string | undefined => {
  if (!DOMAIN.test(domain)) return undefined;
  const ascii = ASCII.test(domain) ? domain : (URL.parse(`https://${domain}`)?.hostname ?? '');
  return isFullHostName(ascii.toLowerCase()) && TOP_LEVEL.test(ascii) ? ascii : undefined;
};

/**
 * Parses an e-mail address to the form in which it is stored, compared and answered: as it was written, with a non-ASCII domain in its `xn--`
 * form (RFC 5891 section 4.4). Undefined for any other text.
 */
export const parseEmailAddress = (text: string): string | undefined => {
  const at = text.lastIndexOf('@');
  if (text.length > LONGEST_EMAIL || at > LONGEST_LOCAL || !LOCAL.test(text.slice(0, Math.max(at, 0))))
    return undefined;
  const domain = asciiDomain(text.slice(at + 1));
  const address = `${text.slice(0, at)}@${domain}`;
  return domain === undefined || address.length > LONGEST_EMAIL ? undefined : address;
};

/** Normalises an address for comparison: nobody has two addresses that differ only in case, or only in the spelling of their domain. */
export const comparableAddress = (text: string): string => {
  const trimmed = text.trim();
  return (parseEmailAddress(trimmed) ?? trimmed).toLowerCase();
};

/** Checks whether two addresses are the same; false if one of them is null. */
export const isSameAddress = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && comparableAddress(a) === comparableAddress(b);
