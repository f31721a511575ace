import { crc32 } from '#shared/platform/kernel/crc32.ts';
import { MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';

/** The seconds until which a class of landings goes. What takes longer than the last is in that class, too. */
export const LANDING_CLASSES = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1_200, 3_600] as const;

/** The counts of a provider within a minute. Businesses stand there as marks. */
export interface MinuteCounts {
  /** When the minute begins. */
  readonly minute: Millis;
  /** Payments that reconciliation compared first, by the class of the time from their payment to their record. */
  readonly landings: readonly number[];
  readonly landedFor: readonly number[];
  /** Accounts that were opened, as far as the containers tell that had a failure. */
  readonly opened: number;
  /** Accounts that the provider failed to open. */
  readonly failed: number;
  readonly failedFor: readonly number[];
  /** Businesses whose first sample of the minute landed, or did not, within five minutes of "I've sent the money". */
  readonly sentLanded: readonly number[];
  readonly sentLost: readonly number[];
}

/** How many marks there are: what is counted of a minute stays small, however many businesses there are. */
const MARKS = 1_024;

/** The mark of a business, which it may share with others: so fewer businesses are counted than there are, and never more. */
export const markBusiness = (businessId: string): number => crc32(businessId) % MARKS;

/** When the minute began that a moment is in. */
export const beginMinute = (at: Millis): Millis => at - (at % MINUTE);

/** The class of a landing that took so many milliseconds: its place in LANDING_CLASSES. */
export const classifyLanding = (took: Millis): number => {
  const place = LANDING_CLASSES.findIndex((seconds) => took <= seconds * SECOND);
  return place === -1 ? LANDING_CLASSES.length - 1 : place;
};

/** The sums of lists of counts, place by place. */
export const sumByPlace = (lists: readonly (readonly number[])[]): number[] =>
  LANDING_CLASSES.map((_, place) => lists.reduce((sum, list) => sum + (list[place] ?? 0), 0));

/** How many seconds such a share of the landings took at most, up to the end of its class; null where there are none. */
export const findSeconds = (landings: readonly number[], share: number): number | null => {
  const all = landings.reduce((sum, some) => sum + some, 0);
  if (all === 0) return null;
  let counted = 0;
  const place = landings.findIndex((some) => {
    counted += some;
    return counted >= all * share;
  });
  return LANDING_CLASSES[place] ?? null;
};
