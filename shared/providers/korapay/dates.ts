import type { Millis } from '#shared/platform/kernel/time.ts';

const MOMENT = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(Z|[+-]\d{2}:\d{2})?$/;

/**
 * The possible time zones of a date that names none. Korapay does not document the zone. Its own examples are in Lagos time: on the refund page
 * the same refund is dated `2025-04-03T08:27:22.646Z` at its creation and `2025-04-03 09:27:22` in a look-up.
 */
const ZONES = { lagos: '+01:00', utc: 'Z' } as const;
/** A stage's setting for the time zone of dates that name none. */
export type ZonelessDates = keyof typeof ZONES;

const parseMoment = (written: unknown, defaultZone: string): Millis | undefined => {
  const [, day, time, zone = defaultZone] = MOMENT.exec(typeof written === 'string' ? written.trim() : '') ?? [];
  const moment = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(moment) ? undefined : moment;
};

/** Parses the time of a payment, in milliseconds since the epoch and never later than now; null if the date is missing or invalid. */
export const parsePaidAt = (written: unknown, zoneless: ZonelessDates, now: Millis): Millis | null => {
  const moment = parseMoment(written, ZONES[zoneless]);
  return moment === undefined ? null : Math.min(now, moment);
};

/** Parses the date of a field that is documented as UTC, in milliseconds since the epoch; undefined if it is missing or invalid. */
export const parseUtcMoment = (written: unknown): Millis | undefined => parseMoment(written, 'Z');

const formatListDate = (at: Millis): string => new Date(at).toISOString().slice(0, 19).replace(/[T:]/g, '-');

/** Formats a time span for the list of pay-ins (`YYYY-MM-DD-HH-MM-SS`). */
export const formatListSpan = (from: Millis, to: Millis): { readonly date_from: string; readonly date_to: string } => ({
  date_from: formatListDate(from),
  date_to: formatListDate(to),
});
