import { isFullName } from './url-text.ts';

/** RFC 5321 section 4.5.3.1, as mail servers hold to it. */
export const LONGEST_EMAIL = 254;
const LONGEST_LOCAL = 64;

const LOCAL = /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+.-]*[A-Za-z0-9_+-]$/;
/** Nothing that ends a host name in a URL: what follows would be dropped. */
const NAME = /^[A-Za-z0-9.\-\u0080-\u{10ffff}]+$/u;
const ASCII = /^[\x21-\x7e]+$/;
/** No top-level domain is one letter, or a number: what ends with one is an IP address. */
const TOP_LEVEL = /\.(?!\d+$)[^.]{2,}$/;

const asciiDomain = (domain: string): string | undefined => {
  if (!NAME.test(domain)) return undefined;
  const ascii = ASCII.test(domain) ? domain : (URL.parse(`https://${domain}`)?.hostname ?? '');
  return isFullName(ascii.toLowerCase()) && TOP_LEVEL.test(ascii) ? ascii : undefined;
};

/**
 * An e-mail address as it is stored, compared and answered: as it was written, with a domain that is not ASCII in its `xn--` form
 * (RFC 5891 section 4.4). Undefined for what is no address.
 */
export const parseEmailAddress = (text: string): string | undefined => {
  const at = text.lastIndexOf('@');
  if (text.length > LONGEST_EMAIL || at > LONGEST_LOCAL || !LOCAL.test(text.slice(0, Math.max(at, 0))))
    return undefined;
  const domain = asciiDomain(text.slice(at + 1));
  const address = `${text.slice(0, at)}@${domain}`;
  return domain === undefined || address.length > LONGEST_EMAIL ? undefined : address;
};

/** An address as two of them are compared: nobody has two that differ in case, or in how their domain is written. */
export const comparableAddress = (text: string): string => {
  const trimmed = text.trim();
  return (parseEmailAddress(trimmed) ?? trimmed).toLowerCase();
};

/** Whether two addresses are one; nobody's is none. */
export const isSameAddress = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && comparableAddress(a) === comparableAddress(b);
