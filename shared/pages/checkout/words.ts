import type { Kobo } from '#shared/domain/kernel/money.ts';
import { DAY, MINUTE, type Millis } from '#shared/domain/kernel/time.ts';

/* Money and time as payers in Nigeria read them. */

const whole = new Intl.NumberFormat('en-NG');
const koboOf = (amount: Kobo): string => String(amount % 100).padStart(2, '0');

/** `₦8,500.75`. */
export const naira = (amount: Kobo): string => `₦${whole.format(Math.floor(amount / 100))}.${koboOf(amount)}`;

/** `8500.75`, as a bank app takes it. */
export const plainNaira = (amount: Kobo): string => `${Math.floor(amount / 100)}.${koboOf(amount)}`;

/** `269 080 3175`: digits in groups, which are read more surely. */
export const groupedDigits = (number: string): string => number.replace(/^(\d{3})(\d{3})(\d+)$/, '$1 $2 $3');

const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Lagos', hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Lagos', day: 'numeric', month: 'long' });

/** `15:20 WAT`, with the day where it is not today in Lagos: `15:20 WAT on 21 November`. */
export const lagosTime = (at: Millis, now: Millis): string => {
  const time = `${clock.format(at)} WAT`;
  const isToday = Math.abs(at - now) < DAY && day.format(at) === day.format(now);
  return isToday ? time : `${time} on ${day.format(at)}`;
};

/** `in 27 minutes`, rounded down so that nobody is promised more time than there is. */
export const timeLeft = (until: Millis, now: Millis): string => {
  const minutes = Math.floor((until - now) / MINUTE);
  if (minutes < 1) return 'in less than a minute';
  if (minutes === 1) return 'in 1 minute';
  if (minutes < 120) return `in ${minutes} minutes`;
  return `in ${Math.floor(minutes / 60)} hours`;
};
