import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import type { MinuteCounts } from './counts.ts';

/** Reasons why a provider is failing: too many accounts fail to open, or too much money that payers reported as sent does not land. */
export const CAUSES = ['creations_fail', 'sent_not_landed'] as const;
export type Cause = (typeof CAUSES)[number];

/**
 * The samples of a cause within some minutes: the number of good and bad samples, and of their businesses. For accounts, only the businesses of
 * failed openings are known.
 */
export interface Sample {
  readonly good: number;
  readonly bad: number;
  readonly businesses: number;
  /** The number of businesses with bad samples. */
  readonly badBusinesses: number;
}

/**
 * Maximum number of "sent" samples of one business. Only its newest ones count, so that one payer who presses the button again and again decides
 * nothing.
 */
const MOST_OF_BUSINESS = 5;

const sumCreations = (minutes: readonly MinuteCounts[]): Sample => {
  const badBusinesses = new Set(minutes.flatMap(({ failedFor }) => failedFor)).size;
  const good = minutes.reduce((sum, { opened }) => sum + opened, 0);
  return { good, bad: minutes.reduce((sum, { failed }) => sum + failed, 0), businesses: badBusinesses, badBusinesses };
};

const sumSent = (minutes: readonly MinuteCounts[]): Sample => {
  const newestFirst = minutes.toSorted((a, b) => b.minute - a.minute);
  const all = newestFirst.flatMap(({ sentLanded, sentLost }) => [
    ...sentLanded.map((mark) => ({ mark, isLost: false })),
    ...sentLost.map((mark) => ({ mark, isLost: true })),
  ]);
  const byBusiness = Map.groupBy(all, ({ mark }) => mark);
  const countedSamples = [...byBusiness.values()].flatMap((samples) => samples.slice(0, MOST_OF_BUSINESS));
  const lost = countedSamples.filter(({ isLost }) => isLost);
  return {
    good: countedSamples.length - lost.length,
    bad: lost.length,
    businesses: byBusiness.size,
    badBusinesses: new Set(lost.map(({ mark }) => mark)).size,
  };
};

/** Sums the samples of a cause within some minutes. */
export const sumSamples = (cause: Cause, minutes: readonly MinuteCounts[]): Sample =>
  cause === 'creations_fail' ? sumCreations(minutes) : sumSent(minutes);

/** Computes the share of bad samples; 0 without samples. */
export const computeBadShare = ({ good, bad }: Pick<Sample, 'good' | 'bad'>): number =>
  bad === 0 ? 0 : bad / (good + bad);

/** Minimum size of a sample that may be judged. */
export interface SampleMinimum {
  readonly samples: number;
  readonly businesses: number;
}

/**
 * Windows, shortest first. The shortest one with a large enough sample is judged. A short window shows an outage soon, and a long window makes a
 * judgement possible for a provider with little traffic.
 */
const WINDOWS = [5 * MINUTE, 10 * MINUTE, 30 * MINUTE] as const;
/** The longest window. */
export const LONGEST_WINDOW = 30 * MINUTE;

/** Filters the minutes that began within the window before now. */
export const filterRecent = (minutes: readonly MinuteCounts[], now: Millis, window: Millis): readonly MinuteCounts[] =>
  minutes.filter(({ minute }) => minute > now - window);

/** Finds the newest sample that is large enough; undefined if even the last half hour has none. */
export const findNewestSample = (
  cause: Cause,
  minutes: readonly MinuteCounts[],
  now: Millis,
  enough: SampleMinimum,
): Sample | undefined =>
  WINDOWS.map((window) => sumSamples(cause, filterRecent(minutes, now, window))).find(
    ({ good, bad, businesses }) => good + bad >= enough.samples && businesses >= enough.businesses,
  );
