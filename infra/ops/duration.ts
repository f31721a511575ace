import { InvalidArgumentError } from 'commander';
import { DAY, HOUR, MINUTE, type Millis, SECOND } from '#shared/domain/kernel/time.ts';

const UNITS: Readonly<Record<string, Millis>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
const SHAPE = /^(\d{1,9})([smhd])$/;

/** Reads `90s`, `30m`, `24h`, `7d` or `0` as milliseconds. @throws InvalidArgumentError, which is a usage error. */
export const readDuration = (text: string): Millis => {
  if (text === '0') return 0;
  const [, count = '', unit = ''] = SHAPE.exec(text) ?? [];
  const length = UNITS[unit];
  if (length === undefined) throw new InvalidArgumentError('Write a number and its unit, such as 30m, 24h or 7d.');
  return Number(count) * length;
};
