import type { Millis } from '#shared/platform/kernel/time.ts';

const MOMENT = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(Z|[+-]\d{2}:\d{2})?$/;

/**
 * The time zones that a date without one may be in. Korapay does not document which. Its own examples are in Lagos time: on the refund
 * page one refund is `2025-04-03T08:27:22.646Z` when it is made and `2025-04-03 09:27:22` when it is read.
 */
const ZONES = { lagos: '+01:00', utc: 'Z' } as const;
/** The time zone that a stage's settings give to dates without one. */
export type ZonelessDates = keyof typeof ZONES;

const parseMoment = (written: unknown, defaultZone: string): Millis | undefined => {
  const [, day, time, zone = defaultZone] = MOMENT.exec(typeof written === 'string' ? written.trim() : '') ?? [];
  const moment = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(moment) ? undefined : moment;
};

/** When a payment was made, in milliseconds since the epoch and never later than now; null when the date is missing or invalid. */
export const parsePaidAt = (written: unknown, zoneless: ZonelessDates, now: Millis): Millis | null => {
  const moment = parseMoment(written, ZONES[zoneless]);
  return moment === undefined ? null : Math.min(now, moment);
};

/** A date of a field whose name says UTC, in milliseconds since the epoch; undefined when it is missing or invalid. */
export const parseUtcMoment = (written: unknown): Millis | undefined => parseMoment(written, 'Z');

const listDate = (at: Millis): string => new Date(at).toISOString().slice(0, 19).replace(/[T:]/g, '-');

/** A span of the list's time as the list of pay-ins takes it (`YYYY-MM-DD-HH-MM-SS`). */
export const listSpan = (from: Millis, to: Millis): { readonly date_from: string; readonly date_to: string } => ({
  date_from: listDate(from),
  date_to: listDate(to),
});
