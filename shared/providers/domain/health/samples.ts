import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import type { MinuteCounts } from './counts.ts';

/** Why a provider is failing: it opens no accounts, or payers say that they have sent money, and it does not land. */
export const CAUSES = ['creations_fail', 'sent_not_landed'] as const;
export type Cause = (typeof CAUSES)[number];

/** The samples that some minutes have of a cause: how many samples speak for and against the provider, and of how many businesses they are. */
export interface Sample {
  readonly good: number;
  readonly bad: number;
  readonly businesses: number;
  /** The number of businesses that have bad ones. */
  readonly against: number;
}

/** No business counts with more "sent" samples than these, its newest: whoever presses the button again and again decides nothing. */
const MOST_OF_BUSINESS = 5;

const creationsIn = (minutes: readonly MinuteCounts[]): Sample => {
  const against = new Set(minutes.flatMap(({ failedFor }) => failedFor)).size;
  const good = minutes.reduce((sum, { opened }) => sum + opened, 0);
  return { good, bad: minutes.reduce((sum, { failed }) => sum + failed, 0), businesses: against, against };
};

const sentIn = (minutes: readonly MinuteCounts[]): Sample => {
  const newestFirst = minutes.toSorted((a, b) => b.minute - a.minute);
  const all = newestFirst.flatMap(({ sentLanded, sentLost }) => [
    ...sentLanded.map((mark) => ({ mark, isLost: false })),
    ...sentLost.map((mark) => ({ mark, isLost: true })),
  ]);
  const byBusiness = Map.groupBy(all, ({ mark }) => mark);
  const counted = [...byBusiness.values()].flatMap((samples) => samples.slice(0, MOST_OF_BUSINESS));
  const lost = counted.filter(({ isLost }) => isLost);
  return {
    good: counted.length - lost.length,
    bad: lost.length,
    businesses: byBusiness.size,
    against: new Set(lost.map(({ mark }) => mark)).size,
  };
};

/** Sums the samples that some minutes have of a cause. */
export const sampleIn = (cause: Cause, minutes: readonly MinuteCounts[]): Sample =>
  cause === 'creations_fail' ? creationsIn(minutes) : sentIn(minutes);

/** The share of bad samples; 0 where there are none. */
export const badShare = ({ good, bad }: Pick<Sample, 'good' | 'bad'>): number => (bad === 0 ? 0 : bad / (good + bad));

/** How much a sample must have to say anything. */
export interface SampleMinimum {
  readonly samples: number;
  readonly businesses: number;
}

/** The shortest of these that says enough is judged: a provider that stops working leaves soon, and a small one is judged at all. */
const WINDOWS = [5 * MINUTE, 10 * MINUTE, 30 * MINUTE] as const;
/** The longest of them. */
export const LONGEST_WINDOW = 30 * MINUTE;

/** The minutes that began less than so long ago. */
export const within = (minutes: readonly MinuteCounts[], now: Millis, window: Millis): readonly MinuteCounts[] =>
  minutes.filter(({ minute }) => minute > now - window);

/** The newest sample that says enough; undefined where none of the last half hour does. */
export const newestSample = (
  cause: Cause,
  minutes: readonly MinuteCounts[],
  now: Millis,
  enough: SampleMinimum,
): Sample | undefined =>
  WINDOWS.map((window) => sampleIn(cause, within(minutes, now, window))).find(
    ({ good, bad, businesses }) => good + bad >= enough.samples && businesses >= enough.businesses,
  );
