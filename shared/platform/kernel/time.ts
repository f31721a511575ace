/** Milliseconds since the epoch, as stored and computed with. */
export type Millis = number;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** ISO 8601 UTC with six fractional digits and a trailing Z, as the service description shows it (api-decisions.md section 1). */
export const isoMicros = (at: Millis): string => new Date(at).toISOString().replace('Z', '000Z');

/** Whole unix seconds, for DynamoDB TTL and the `webhook-timestamp` header. */
export const unixSeconds = (at: Millis): number => Math.floor(at / SECOND);

/** The time of the next retry. The delay grows with the time since the first try at `since`, within bounds (all milliseconds). */
export const nextRetry = (
  since: Millis,
  now: Millis,
  { shortest, longest }: { shortest: Millis; longest: Millis },
): Millis => now + Math.min(Math.max(now - since, shortest), longest);

/** A moment for people, as `23 November 2026 at 14:05, Lagos time`. Made where it is needed, as most functions need none. */
export const inLagos = (at: Millis): string => {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Africa/Lagos' });
  return `${format.format(at)}, Lagos time`;
};

/** Whole seconds until the fixed window that a time is in ends, at least one: when a request that found it used up goes through. */
export const secondsLeftIn = (window: Millis, now: Millis): number => Math.ceil((window - (now % window)) / SECOND);
