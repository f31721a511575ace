import { startOfLagosDay } from '#shared/platform/kernel/lagos-day.ts';
import { type About, dashboardLine, type NoticeReader, type NoticeText } from './mail-words.ts';
import type { Landed } from './notice.ts';

/* The words of the daily summary. Formats are made where they are needed, as most functions need none. */

const KOBO_PER_NAIRA = 100;

const naira = (kobo: number): string =>
  new Intl.NumberFormat('en-NG', { style: 'currency', currency: 'NGN' }).format(kobo / KOBO_PER_NAIRA);

const payments = (count: number): string => `${count} ${count === 1 ? 'payment' : 'payments'}`;

/** A day of Lagos, as `Friday, 20 November 2026`. */
const dayInWords = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'Africa/Lagos' }).format(startOfLagosDay(day));

const sentBack = ({ rejected, reversed }: Landed): string =>
  [
    ...(rejected > 0 ? [`Sent back on arrival: ${naira(rejected)}`] : []),
    ...(reversed > 0 ? [`Sent back or taken back later: ${naira(reversed)}`] : []),
  ]
    .map((line) => `${line}\n`)
    .join('');

/** What landed in live mode on a day, beside the day before. */
export const summaryText = (
  { day, landed, before }: About<'summary'>,
  { business, signInUrl }: NoticeReader,
): NoticeText => {
  const what = landed.count === 0 ? 'nothing' : naira(landed.amount);
  const when = dayInWords(day);
  return {
    subject: `${business}: ${what} landed on ${when}`,
    text: `${landed.count === 0 ? 'Nothing' : `${naira(landed.amount)} in ${payments(landed.count)}`} landed on ${when}.

Business: ${business}
The day before: ${naira(before.amount)} in ${payments(before.count)}
${sentBack(landed)}
A day lasts from midnight to midnight in Lagos, and a payment is counted on the day on which it was recorded, in live mode. Fees are not taken off.
${dashboardLine(signInUrl)}
You get this because you chose the daily summary. Under My account in the dashboard you switch it off.
`,
  };
};
