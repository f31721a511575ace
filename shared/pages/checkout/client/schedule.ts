/* Calculates when the page asks for the state again. Times are milliseconds. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The values on which the time until the next poll depends. */
export interface Pace {
  readonly view: string;
  /** Time since the page opened or changed its view. */
  readonly sinceShown: number;
  /** Time since the payer said that the money was sent; undefined before. */
  readonly sinceSent: number | undefined;
  /** Number of questions in a row that failed. */
  readonly failures: number;
}

/** The page waits for nothing in these views, but money can still arrive late or be taken back. */
const ENDED_VIEWS = ['part_paid', 'expired', 'failed', 'closed_shop', 'paid'];
const ENDED_EVERY = 30 * SECOND;
const ENDED_FOR = 30 * MINUTE;
const JITTER = 0.1;

const calculateInterval = ({ view, sinceShown, sinceSent }: Pace): number => {
  if (ENDED_VIEWS.includes(view)) return ENDED_EVERY;
  if (sinceSent === undefined) return sinceShown < 5 * MINUTE ? 5 * SECOND : 10 * SECOND;
  if (sinceSent < 2 * MINUTE) return 2 * SECOND;
  return sinceSent < 10 * MINUTE ? 5 * SECOND : 15 * SECOND;
};

/**
 * Returns the time after which the page repeats the payer's report that the money was sent. It is short at first, then longer, because a
 * checkout accepts only twenty reports.
 */
export const reportAgainAfter = (sinceSent: number): number => (sinceSent < 2 * MINUTE ? 15 * SECOND : MINUTE);

/** Whether the next report is due. One report is not enough: the provider may learn of the money later, and its notification may be lost. */
export const isReportDue = (sinceReported: number, sinceSent: number): boolean =>
  sinceReported >= reportAgainAfter(sinceSent);

/**
 * Returns the time until the next poll; undefined if the page has shown one of ENDED_VIEWS for half an hour. Then the page asks only when somebody
 * looks at it again. `random`, a number in [0, 1), keeps many pages from polling at the same moment.
 */
export const nextPoll = (pace: Pace, random: number): number | undefined => {
  if (ENDED_VIEWS.includes(pace.view) && pace.sinceShown >= ENDED_FOR) return undefined;
  const interval = calculateInterval(pace);
  const delay = Math.min(interval * 2 ** pace.failures, Math.max(MINUTE, interval));
  return delay * (1 - JITTER + 2 * JITTER * random);
};

/** Whether so little time is left that the page highlights it. The server's page has the same limit (`renderClosing` in account.ts). */
export const isSoon = (left: number): boolean => left <= 5 * MINUTE;

/** Whether a transfer that starts now would arrive too late. The server's page has the same limit (`renderClosing` in account.ts). */
export const isTooLate = (left: number): boolean => left <= MINUTE;

/** Writes the remaining time in hours or minutes, and for the last five minutes with seconds: `in 27 minutes`, `in 4 min 59 s`. */
export const formatTimeLeft = (left: number): string => {
  if (left >= 120 * MINUTE) return `in ${Math.floor(left / (60 * MINUTE))} hours`;
  if (!isSoon(left)) return `in ${Math.floor(left / MINUTE)} minutes`;
  const seconds = Math.max(0, Math.floor(left / SECOND));
  return `in ${seconds < 60 ? '' : `${Math.floor(seconds / 60)} min `}${seconds % 60} s`;
};

/** The remaining minutes at which a screen reader announces the time. */
const ANNOUNCED_MINUTES = [5, 1];

/** Returns the announcement when the remaining time falls from `before` to `left`; undefined if there is none. */
export const describeTimeLeft = (before: number, left: number): string | undefined => {
  // The page itself shows the remaining time when it opens.
  if (before === Number.POSITIVE_INFINITY || left <= 0) return undefined;
  if (!ANNOUNCED_MINUTES.some((minute) => before > minute * MINUTE && left <= minute * MINUTE)) return undefined;
  const minutes = Math.ceil(left / MINUTE);
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} left.`;
};
