import { InvalidArgumentError } from 'commander';
import { since } from '#shared/platform/contract/since.ts';
import { DAY, HOUR, MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';

const UNITS: Readonly<Record<string, Millis>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
const DURATION = /^(\d{1,9})([smhd])$/;

/** Parses `90s`, `30m`, `24h`, `7d` or `0` as milliseconds. @throws InvalidArgumentError, a usage error. */
export const readDuration = (text: string): Millis => {
  if (text === '0') return 0;
  const [, count = '', unit = ''] = DURATION.exec(text) ?? [];
  const length = UNITS[unit];
  if (length === undefined) throw new InvalidArgumentError('Give a number and a unit, such as 30m, 24h or 7d.');
  return Number(count) * length;
};

/** Parses the start of a period: a duration before now, such as `24h`, or an ISO 8601 time with its zone. Undefined for any other text. */
const parseStart = (text: string, now: Millis): Millis | undefined =>
  DURATION.test(text) ? now - readDuration(text) : since.safeParse(text).data;

/** Checks the start of a period, and returns the text unchanged. @throws InvalidArgumentError, a usage error. */
export const checkSince = (text: string): string => {
  if (parseStart(text, 0) !== undefined) return text;
  throw new InvalidArgumentError(
    'Give a duration before now, such as 30m, 24h or 7d, or a time such as 2026-11-20T12:00:00Z.',
  );
};

/** Parses the start of a period, after `checkSince` has accepted the text. Null without a text. */
export const readSince = (text: string | undefined, now: Millis): Millis | null =>
  text === undefined ? null : (parseStart(text, now) ?? null);
