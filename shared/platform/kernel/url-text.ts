/* Rules of the text of a URL. They are checked before the URL is parsed, because `new URL` silently mends many errors. */

/** Characters that `new URL` drops, trims, replaces or turns into a slash, so that a URL can look like another one. */
const MISREAD = /[\s\p{Cc}\p{Cs}\\]/u;
export const isMisread = (url: string): boolean => MISREAD.test(url);

const USER_INFO = /^[a-z]+:\/\/[^/?#]*@/i;
export const hasUserInfo = (url: string): boolean => USER_INFO.test(url);

/** A host name of at least two labels of letters, digits and inner hyphens (RFC 1123 section 2.1). Certificate authorities certify no other names. */
const FULL_NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
export const isFullHostName = (host: string): boolean => FULL_NAME.test(host);
