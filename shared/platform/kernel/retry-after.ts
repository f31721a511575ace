import { type Millis, SECOND } from './time.ts';

const SECONDS = /^\d+$/;
/** The three forms that a recipient must accept (RFC 9110, section 5.6.7). `Date.parse` alone accepts nearly any text. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** Parses an HTTP date to milliseconds since the epoch; undefined for any other text. */
const parseHttpDate = (text: string): Millis | undefined => {
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
  // The oldest form means GMT, but does not name it.
  const at = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : at;
};

/**
 * Returns the wait that a Retry-After header asks for, in milliseconds from `now` (RFC 9110, section 10.2.3: seconds or a date). Null without
 * a header, if it is unreadable, or if the status is neither 429 nor 503.
 */
export const parseRetryAfter = (statusCode: number | null, header: string | null, now: Millis): Millis | null => {
  const text = header?.trim() ?? '';
  if (statusCode !== 429 && statusCode !== 503) return null;
  if (SECONDS.test(text)) return Number(text) * SECOND;
  const at = parseHttpDate(text);
  return at === undefined ? null : Math.max(0, at - now);
};
