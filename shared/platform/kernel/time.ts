/** Milliseconds since the epoch: the unit in which times are stored and computed. */
export type Millis = number;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Writes a time as ISO 8601 UTC with six fractional digits and a trailing Z, as the API shows times. */
export const isoMicros = (at: Millis): string => new Date(at).toISOString().replace('Z', '000Z');

/** Converts a time to whole unix seconds, for DynamoDB TTL and the `webhook-timestamp` header. */
export const unixSeconds = (at: Millis): number => Math.floor(at / SECOND);

/** Returns the time of the next retry. The delay grows with the time since the first try at `since`, within bounds (all milliseconds). */
export const nextRetry = (
  since: Millis,
  now: Millis,
  { shortest, longest }: { shortest: Millis; longest: Millis },
): Millis => now + Math.min(Math.max(now - since, shortest), longest);

/** Writes a time for people, as `23 November 2026 at 14:05, Lagos time`. The format is made on use, because most functions need none. */
export const inLagos = (at: Millis): string => {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Africa/Lagos' });
  return `${format.format(at)}, Lagos time`;
};

/** Returns the seconds until a fixed window ends, rounded up to at least one. A request that met the window's limit may be repeated then. */
export const secondsLeftIn = (window: Millis, now: Millis): number => Math.ceil((window - (now % window)) / SECOND);
