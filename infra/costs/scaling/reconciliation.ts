import { assume } from './assumptions.ts';

/*
 * Reconciliation by pages: a message in the queue of its provider is one page of its list, one batch read of our books, and a ticket for
 * each row that differs. The pages of a list follow one another. Whoever changes reconciliation changes these figures
 * (shared/payments/domain/reconciliation.ts, and `limit` of the providers' lists).
 */

/** Rows of a page at most, at most providers and at Korapay. */
const ROWS_A_PAGE = { most: 100, korapay: 50 } as const;
const MINUTE = 60;
const DAY = 86_400;
/** Seconds. The recent list is made so often, and looks back so much further; the other looks back a week, once a day. */
const [EVERY, OVERLAP, WEEK] = [10 * MINUTE, 60 * MINUTE, 7 * DAY];
/** Seconds. The longest span that is compared at once, as after a pause or of a week, and how much the next one overlaps it. */
const [SPAN, SPAN_OVERLAP] = [360 * MINUTE, 60 * MINUTE];

/** Times that a payment is listed: in the recent list while that keeps its time, while it catches up, and in the list of a week. */
export const LISTINGS = {
  inTime: (EVERY + OVERLAP) / EVERY,
  catchingUp: (SPAN + SPAN_OVERLAP) / SPAN,
  ofWeek: (WEEK / DAY) * ((SPAN + SPAN_OVERLAP) / SPAN),
} as const;
/** Pages in which a payment is listed, each of them shared with the other rows. */
export const countPages = (at: keyof typeof ROWS_A_PAGE): number =>
  (LISTINGS.inTime + LISTINGS.ofWeek) / ROWS_A_PAGE[at];

/** Seconds for which a page has its place in a lane. */
export const PAGE_SECONDS = assume('lookUp') + assume('batchRead');
/** Pages of a list that are asked for at once. */
const PAGES_AT_ONCE = 1;
/** Rows a second of a list. */
export const countRows = (at: keyof typeof ROWS_A_PAGE): number =>
  (PAGES_AT_ONCE * ROWS_A_PAGE[at]) / (PAGE_SECONDS + assume('queued'));

/** Says how the lists of a provider go on where they cannot keep their time. */
export const describeReconciliation = (): string =>
  [
    `The pages of a provider's list follow one another in its queue. Every ${EVERY / MINUTE} minutes it lists the last ${(EVERY + OVERLAP) / MINUTE}, and every day the last week; checkouts that nobody pays are rows too.`,
    `A list that cannot keep its time goes on in spans of up to ${SPAN / MINUTE / MINUTE} hours, which overlap less: a payment whose notification never came is found hours later. Where it cannot catch up either, it falls ever further behind.`,
    'Notifications land money all the while, and a second agreement has lists of its own.',
  ].join('\n');
