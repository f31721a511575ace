import { startOfLagosDay } from '#shared/platform/kernel/lagos-day.ts';
import { type About, dashboardLine, type NoticeReader, type NoticeText } from './mail-words.ts';
import type { Landed } from './notice.ts';

/* Writes the mail of the daily summary. Number and date formats are created only when they are used, because most functions use none. */

const KOBO_PER_NAIRA = 100;

const naira = (kobo: number): string =>
  new Intl.NumberFormat('en-NG', { style: 'currency', currency: 'NGN' }).format(kobo / KOBO_PER_NAIRA);

const payments = (count: number): string => `${count} ${count === 1 ? 'payment' : 'payments'}`;

/** Writes a day in Lagos, as `Friday, 20 November 2026`. */
const dayInWords = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'Africa/Lagos' }).format(startOfLagosDay(day));

const sentBack = ({ rejected, reversed }: Landed): string =>
  [
    ...(rejected > 0 ? [`Sent back on arrival: ${naira(rejected)}`] : []),
    ...(reversed > 0 ? [`Sent back or taken back later: ${naira(reversed)}`] : []),
  ]
    .map((line) => `${line}\n`)
    .join('');

/** Writes the mail about the money that landed on a day in live mode. It also shows the sum of the day before. */
export const summaryText = (
  { day, landed, before }: About<'summary'>,
  { business, signInUrl }: NoticeReader,
): NoticeText => {
  const amount = landed.count === 0 ? 'nothing' : naira(landed.amount);
  const date = dayInWords(day);
  return {
    subject: `${business}: ${amount} landed on ${date}`,
    text: `${landed.count === 0 ? 'Nothing' : `${naira(landed.amount)} in ${payments(landed.count)}`} landed on ${date}.

Business: ${business}
The day before: ${naira(before.amount)} in ${payments(before.count)}
${sentBack(landed)}
These are payments of live mode. A day lasts from midnight to midnight in Lagos, and a payment counts on the day on which it was recorded. Fees are not deducted.
${dashboardLine(signInUrl)}
You get this mail because you chose the daily summary. You can switch it off in the dashboard under My account.
`,
  };
};
