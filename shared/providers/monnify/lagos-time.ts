import { HOUR, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';

/** The zone of Monnify's times that name none: Lagos time, an hour ahead of UTC all year (providers.md section 2.1). */
const LAGOS = '+01:00';

const YEAR_FIRST =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[T ](?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?\s*(?<zone>Z|[+-]\d\d(?::?\d\d)?)?$/i;
const DAY_FIRST =
  /^(?<day>\d\d?)\/(?<month>\d\d?)\/(?<year>\d{4}) (?<hour>\d\d?):(?<minute>\d\d):(?<second>\d\d) (?<half>AM|PM)$/i;

type Parts = Readonly<Record<string, string | undefined>>;

/** Parses the offset of a zone to UTC in milliseconds. The zone is `Z`, or a sign with hours and optional minutes. */
const parseOffset = (zone: string): Millis => {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return (Number(hours) * HOUR + Number(minutes) * MINUTE) * (sign === '-' ? -1 : 1);
};

/** Reads the hour of the day, 0 to 23, of a 24-hour or 12-hour time; 24 or more if it is invalid. */
const readHour = ({ hour, half }: Parts): number => {
  if (half === undefined) return Number(hour);
  const onClock = Number(hour);
  if (onClock < 1 || onClock > 12) return 24;
  return (onClock % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
};

const toMoment = (parts: Parts): Millis | undefined => {
  const [year, month, day] = [Number(parts.year), Number(parts.month), Number(parts.day)];
  const [hour, minute, second] = [readHour(parts), Number(parts.minute), Number(parts.second)];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  // Digits past the millisecond are dropped.
  const millis = Number((parts.fraction ?? '').padEnd(3, '0').slice(0, 3));
  const asUtc = new Date(Date.UTC(year, month - 1, day, hour, minute, second, millis));
  // Date.UTC turns 31 February into 3 March.
  const isReal = asUtc.getUTCMonth() === month - 1 && asUtc.getUTCDate() === day;
  return isReal ? asUtc.getTime() - parseOffset(parts.zone ?? LAGOS) : undefined;
};

/**
 * Parses a time of Monnify's into milliseconds since the epoch; undefined if it is invalid. It accepts `yyyy-MM-dd HH:mm:ss` with a blank
 * or a T, up to nine fractional digits and an optional offset, and `dd/MM/yyyy h:mm:ss a`. A time without an offset is Lagos time
 * (providers.md sections 2.1 and 2.5).
 */
export const parseLagosTime = (text: string): Millis | undefined => {
  const trimmed = text.trim();
  const parts = (YEAR_FIRST.exec(trimmed) ?? DAY_FIRST.exec(trimmed))?.groups;
  return parts && toMoment(parts);
};
