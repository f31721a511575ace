import { HOUR, type Millis } from '#shared/domain/time.ts';

const MOMENT = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(Z|[+-]\d{2}:\d{2})?$/;

/**
 * Lagos time. Korapay does not say which zone its dates without one are in. Its own examples do: the refund page answers
 * `2025-04-03T08:27:22.646Z` when a refund is made and `2025-04-03 09:27:22` when the same one is read.
 */
const ZONE_OF_ZONELESS = '+01:00';
const LAGOS_AHEAD = HOUR;

const momentOf = (text: string | null | undefined, zoneOfZoneless: string): Millis | undefined => {
  const [, day, time, zone = zoneOfZoneless] = MOMENT.exec(text?.trim() ?? '') ?? [];
  const moment = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(moment) ? undefined : moment;
};

/** When a payment was made, in milliseconds and never later than now; null where Korapay does not tell it. */
export const paidAtOf = (text: string | null | undefined, now: Millis): Millis | null => {
  const moment = momentOf(text, ZONE_OF_ZONELESS);
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
