import { crc32 } from '#shared/platform/kernel/crc32.ts';
import { MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';

/** Upper bounds of the classes of landing times, in seconds. The last class also contains all longer times. */
export const LANDING_CLASSES = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1_200, 3_600] as const;

/** The counts of a provider within a minute. The lists `…For` and `sent…` have one number, a mark, for each business (see markBusiness). */
export interface MinuteCounts {
  /** Start of the minute. */
  readonly minute: Millis;
  /**
   * Number of payments in each class of landing time (from payment to record). Reconciliation counts each payment once, when it first compares
   * the payment.
   */
  readonly landings: readonly number[];
  /** Marks of the businesses of `landings`. */
  readonly landedFor: readonly number[];
  /** Number of opened accounts. Not all are counted: a process reports its opened accounts only together with a failure (see openingCounter). */
  readonly opened: number;
  /** Accounts that the provider failed to open. */
  readonly failed: number;
  /** Marks of the businesses of `failed`. */
  readonly failedFor: readonly number[];
  /**
   * Marks of businesses with a payer who reported "I've sent the money". A report belongs to the minute in which it is checked, and only the first
   * report of a business in a minute counts. `sentLanded`: the reported money landed within five minutes. `sentLost`: it did not.
   */
  readonly sentLanded: readonly number[];
  readonly sentLost: readonly number[];
}

/** Number of marks. It bounds the size of a minute's counts, however many businesses there are. */
const MARKS = 1_024;

/** Computes the mark of a business. Several businesses may share a mark, so that the count of businesses may be too low and never too high. */
export const markBusiness = (businessId: string): number => crc32(businessId) % MARKS;

/** Rounds a time down to the start of its minute. */
export const beginMinute = (at: Millis): Millis => at - (at % MINUTE);

/** Finds the class of a landing time (milliseconds): its index in LANDING_CLASSES. */
export const classifyLanding = (duration: Millis): number => {
  const place = LANDING_CLASSES.findIndex((seconds) => duration <= seconds * SECOND);
  return place === -1 ? LANDING_CLASSES.length - 1 : place;
};

/** Sums lists of counts by class. */
export const sumByPlace = (lists: readonly (readonly number[])[]): number[] =>
  LANDING_CLASSES.map((_, place) => lists.reduce((sum, list) => sum + (list[place] ?? 0), 0));

/** Finds the seconds within which a share of the landings happened, rounded up to the end of the class. Null without landings. */
export const findSeconds = (landings: readonly number[], share: number): number | null => {
  const all = landings.reduce((sum, landed) => sum + landed, 0);
  if (all === 0) return null;
  let counted = 0;
  const place = landings.findIndex((landed) => {
    counted += landed;
    return counted >= all * share;
  });
  return LANDING_CLASSES[place] ?? null;
};
