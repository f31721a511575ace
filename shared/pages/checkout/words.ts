import { type Html, html } from '#shared/pages/html.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import { DAY, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';

/* Money and time as payers in Nigeria read them. */

const whole = new Intl.NumberFormat('en-NG');
const formatKobo = (amount: Kobo): string => String(amount % 100).padStart(2, '0');

/** `₦8,500.75`. */
export const naira = (amount: Kobo): string => `₦${whole.format(Math.floor(amount / 100))}.${formatKobo(amount)}`;

/** `8500.75`, as a bank app takes it. */
export const plainNaira = (amount: Kobo): string => `${Math.floor(amount / 100)}.${formatKobo(amount)}`;

/** An account number in groups, which are read more surely. Styles part them: what is selected and copied by hand are the bare digits. */
export const groupedDigits = (number: string): Html => {
  const groups = /^(\d{3})(\d{3})(\d+)$/.exec(number)?.slice(1) ?? [number];
  return html`${groups.map((group) => html`<span class="digits">${group}</span>`)}`;
};

/** An amount without its sign. Styles write the commas: what is selected and copied by hand is what a bank app takes. */
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

/** `15:20 WAT`, with the day where it is not today in Lagos: `15:20 WAT on 21 November`. */
export const lagosTime = (at: Millis, now: Millis): string => {
  const time = `${clock.format(at)} WAT`;
  const isToday = Math.abs(at - now) < DAY && day.format(at) === day.format(now);
  return isToday ? time : `${time} on ${day.format(at)}`;
};

const seconds = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Lagos', timeStyle: 'medium' });

/** `21 November 2026, 15:20:07 WAT`, for a receipt. */
export const lagosMoment = (at: Millis): string => `${date.format(at)}, ${seconds.format(at)} WAT`;

/** `15:20:07 WAT`. */
export const lagosSeconds = (at: Millis): string => `${seconds.format(at)} WAT`;

/** `Chiamaka O.`: a person's name as far as it may be read by whoever has the page's link. The person knows whose it is. */
export const shortName = (name: string): string => {
  // Banks part names by any sign, and a name may be an e-mail address.
  const [first = '', ...others] = name.match(/[\p{L}\p{M}\p{N}'’.-]+/gu) ?? [];
  return [first, ...others.map((word) => `${[...word][0]}.`)].join(' ');
};

/** `in 27 minutes`, rounded down so that nobody is promised more time than there is. */
export const timeLeft = (until: Millis, now: Millis): string => {
  const minutes = Math.floor((until - now) / MINUTE);
  if (minutes < 1) return 'in less than a minute';
  if (minutes === 1) return 'in 1 minute';
  if (minutes < 120) return `in ${minutes} minutes`;
  return `in ${Math.floor(minutes / 60)} hours`;
};
