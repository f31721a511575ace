/* When the page asks for the state again. Times are milliseconds. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The time until the next poll depends on these. */
export interface Pace {
  readonly view: string;
  /** Since the page came up or showed another view, and since the payer said that the money was sent; undefined before. */
  readonly sinceShown: number;
  readonly sinceSent: number | undefined;
  /** Polls that failed in a row. */
  readonly failures: number;
}

/** Nothing is waited for in these, but money may still come late or be taken back. */
const ENDED_VIEWS = ['part_paid', 'expired', 'failed', 'closed_shop', 'paid'];
const ENDED_EVERY = 30 * SECOND;
const ENDED_FOR = 30 * MINUTE;
const JITTER = 0.1;

const steady = ({ view, sinceShown, sinceSent }: Pace): number => {
  if (ENDED_VIEWS.includes(view)) return ENDED_EVERY;
  if (sinceSent === undefined) return sinceShown < 5 * MINUTE ? 5 * SECOND : 10 * SECOND;
  if (sinceSent < 2 * MINUTE) return 2 * SECOND;
  return sinceSent < 10 * MINUTE ? 5 * SECOND : 15 * SECOND;
};

/** How long after a report the provider is asked for again: often at first, and then for as long as the twenty reports of a checkout last. */
export const reportAgainAfter = (sinceSent: number): number => (sinceSent < 2 * MINUTE ? 15 * SECOND : MINUTE);

/**
 * Whether the provider is asked for again: one report may be too early, because a provider may know of the money seconds later and its
 * notification may be lost.
 */
export const isReportDue = (sinceReported: number, sinceSent: number): boolean =>
  sinceReported >= reportAgainAfter(sinceSent);

/** Until the next poll; undefined half an hour after a checkout ended: whoever looks at the page again has it asked once more. `draw` in [0, 1) keeps many pages from polling together. */
export const nextPoll = (pace: Pace, draw: number): number | undefined => {
  if (ENDED_VIEWS.includes(pace.view) && pace.sinceShown >= ENDED_FOR) return undefined;
  const delay = Math.min(steady(pace) * 2 ** pace.failures, Math.max(MINUTE, steady(pace)));
  return delay * (1 - JITTER + 2 * JITTER * draw);
};

/** Whether so little time is left that it stands out: the server's page has the same (closing of account.ts). */
export const isSoon = (left: number): boolean => left <= 5 * MINUTE;

/** Whether no transfer that is started now would arrive in time: the server's page has the same (closing of account.ts). */
export const isTooLate = (left: number): boolean => left <= MINUTE;

/** The time that is left, in words until five minutes are left and then with seconds: `27 minutes`, `4 min 59 s`. */
export const countdown = (left: number): string => {
  if (left >= 120 * MINUTE) return `in ${Math.floor(left / (60 * MINUTE))} hours`;
  if (!isSoon(left)) return `in ${Math.floor(left / MINUTE)} minutes`;
  const seconds = Math.max(0, Math.floor(left / SECOND));
  return `in ${seconds < 60 ? '' : `${Math.floor(seconds / 60)} min `}${seconds % 60} s`;
};

/** The minutes at which somebody who cannot see the clock is told. */
const ANNOUNCED_MINUTES = [5, 1];

/** The words to say when the time left falls from `before` to `left`; undefined at any other moment. */
export const describeTimeLeft = (before: number, left: number): string | undefined => {
  // The page says how much is left when it comes up.
  if (before === Number.POSITIVE_INFINITY || left <= 0) return undefined;
  if (!ANNOUNCED_MINUTES.some((at) => before > at * MINUTE && left <= at * MINUTE)) return undefined;
  const minutes = Math.ceil(left / MINUTE);
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} left.`;
};
