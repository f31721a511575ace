import { type Html, html } from '#shared/pages/html.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import { DAY, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';

/* Writes money and time the way payers in Nigeria read them. */

const whole = new Intl.NumberFormat('en-NG');
const formatKobo = (amount: Kobo): string => String(amount % 100).padStart(2, '0');

/** Writes an amount such as `₦8,500.75`. */
export const naira = (amount: Kobo): string => `₦${whole.format(Math.floor(amount / 100))}.${formatKobo(amount)}`;

/** Writes an amount for a bank app, such as `8500.75`. */
export const plainNaira = (amount: Kobo): string => `${Math.floor(amount / 100)}.${formatKobo(amount)}`;

/** Renders an account number in groups, which are easier to read. Styles make the gaps, so that only digits are selected and copied. */
export const groupedDigits = (number: string): Html => {
  const groups = /^(\d{3})(\d{3})(\d+)$/.exec(number)?.slice(1) ?? [number];
  return html`${groups.map((group) => html`<span class="digits">${group}</span>`)}`;
};

/** Renders an amount without its sign. Styles write the commas, so that a bank app accepts what is selected and copied. */
export const copyableNaira = (amount: Kobo): Html => {
  const groups = whole.format(Math.floor(amount / 100)).split(',');
  return html`${groups.map((group, i) => html`<span class="thousands">${group}${i === groups.length - 1 && `.${formatKobo(amount)}`}</span>`)}`;
};

const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Lagos', hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Lagos', day: 'numeric', month: 'long' });
const date = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Africa/Lagos',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** Writes a time such as `15:20 WAT`, with the day if it is not today in Lagos: `15:20 WAT on 21 November`. */
export const lagosTime = (at: Millis, now: Millis): string => {
  const time = `${clock.format(at)} WAT`;
  const isToday = Math.abs(at - now) < DAY && day.format(at) === day.format(now);
  return isToday ? time : `${time} on ${day.format(at)}`;
};

const seconds = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Lagos', timeStyle: 'medium' });

/** Writes a moment for a receipt, such as `21 November 2026, 15:20:07 WAT`. */
export const lagosMoment = (at: Millis): string => `${date.format(at)}, ${seconds.format(at)} WAT`;

/** Writes a time with seconds, such as `15:20:07 WAT`. */
export const lagosSeconds = (at: Millis): string => `${seconds.format(at)} WAT`;

/** Shortens a person's name to `Chiamaka O.`, because everybody with the page's link can read it. */
export const shortName = (name: string): string => {
  // A sign that is not in this pattern ends a word: banks write signs such as `/` between names, and a name that is an e-mail address has an `@`.
  const [first = '', ...others] = name.match(/[\p{L}\p{M}\p{N}'’.-]+/gu) ?? [];
  return [first, ...others.map((word) => `${[...word][0]}.`)].join(' ');
};

/** Writes the remaining time, such as `in 27 minutes`, rounded down so that nobody expects more time than there is. */
export const timeLeft = (until: Millis, now: Millis): string => {
  const minutes = Math.floor((until - now) / MINUTE);
  if (minutes < 1) return 'in less than a minute';
  if (minutes === 1) return 'in 1 minute';
  if (minutes < 120) return `in ${minutes} minutes`;
  return `in ${Math.floor(minutes / 60)} hours`;
};
