import { HOUR, type Millis } from '#shared/domain/kernel/time.ts';

const MOMENT = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(Z|[+-]\d{2}:\d{2})?$/;

/**
 * The zone of dates without one. Korapay does not say which it means. Its own examples tell Lagos time: the refund page answers
 * `2025-04-03T08:27:22.646Z` when a refund is made and `2025-04-03 09:27:22` when the same one is read.
 */
const ZONES = { lagos: '+01:00', utc: 'Z' } as const;
/** What a date without a zone is taken for: a setting of the stage's. */
export type ZonelessDates = keyof typeof ZONES;
const LAGOS_AHEAD = HOUR;

const momentOf = (text: string | null | undefined, zoneOfZoneless: string): Millis | undefined => {
  const [, day, time, zone = zoneOfZoneless] = MOMENT.exec(text?.trim() ?? '') ?? [];
  const moment = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(moment) ? undefined : moment;
};

/** When a payment was made, in milliseconds and never later than now; null where Korapay does not tell it. */
export const paidAtOf = (text: string | null | undefined, zoneless: ZonelessDates, now: Millis): Millis | null => {
  const moment = momentOf(text, ZONES[zoneless]);
  return moment === undefined ? null : Math.min(now, moment);
};

/** The moment of a field that is in UTC by its name, in milliseconds; undefined when it cannot be read. */
export const utcMomentOf = (text: string | null | undefined): Millis | undefined => momentOf(text, 'Z');

const listDate = (at: Millis): string => new Date(at).toISOString().slice(0, 19).replace(/[T:]/g, '-');

/** A span as the list of pay-ins takes it (`YYYY-MM-DD-HH-MM-SS`): wide enough to hold it in UTC and in Lagos time. */
export const listSpan = (from: Millis, to: Millis): { readonly date_from: string; readonly date_to: string } => ({
  date_from: listDate(from),
  date_to: listDate(to + LAGOS_AHEAD),
});
