import * as z from 'zod/mini';
import { count, millis } from '#shared/platform/kernel/schemas.ts';
import { DAY, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import { beginMinute, findSeconds, type MinuteCounts, sumByPlace } from './counts.ts';
import {
  badShare,
  CAUSES,
  type Cause,
  LONGEST_WINDOW,
  newestSample,
  type SampleMinimum,
  sampleIn,
  within,
} from './samples.ts';

/*
 * Whether money lands at a provider. It is judged once a minute from what is counted of each minute, and nothing is learned: an operator must
 * be able to say why.
 */

/** `failing`: it opens no accounts or lands no money. `slow`: it lands money, much later than it did and than others do. */
export const healthState = z.enum(['healthy', 'slow', 'failing']);
export type HealthState = z.infer<typeof healthState>;

const sampleCounts = z.object({ good: count, bad: count });
/** Seconds from payment to record that half of the landings took at most, and 95 of a hundred. */
export const landingSeconds = z.object({ p50: count, p95: count });

/** The counts of a provider on a day (UTC) of the last week, while it was not failing. */
const daySums = z.object({ day: millis, landings: z.array(count), creations: sampleCounts, sent: sampleCounts });

export const providerHealth = z.object({
  provider: providerName,
  state: healthState,
  /** When the state began. */
  since: millis,
  /** Why it is failing; null while it is not. */
  cause: z.nullable(z.enum(CAUSES)),
  /** Those of the last half hour; null where that is too little. */
  landing: z.nullable(landingSeconds),
  /** In the last half hour: accounts that were opened and that were not, and reports of payers that landed and that did not. */
  creations: sampleCounts,
  sent: sampleCounts,
  /** Minutes up to this one say nothing any more: the provider left or came back then. */
  countsFrom: millis,
  week: z.array(daySums),
  /** The last minute that is part of the week's sums. */
  summedUntil: millis,
  version: count,
});
export type ProviderHealth = z.infer<typeof providerHealth>;

/** Below this a provider is healthy: small counts say nothing, and anybody can press a button. */
const ENOUGH: SampleMinimum = { samples: 10, businesses: 3 };
/** To come back it needs less, since only every twentieth checkout goes there. */
const ENOUGH_TO_RETURN: SampleMinimum = { samples: 3, businesses: 1 };

/** The share of bad samples above which a provider is failing. */
const LIMITS: Readonly<Record<Cause, number>> = { creations_fail: 0.2, sent_not_landed: 0.3 };
/** A provider that left comes back after so long without enough samples, to be tried. An account that opens at once counts nothing. */
const QUIET: Readonly<Record<Cause, Millis>> = { creations_fail: 10 * MINUTE, sent_not_landed: 30 * MINUTE };

/** Its own last week says something from so many samples on. */
const ENOUGH_OF_WEEK = 50;
/** Where this share was usual, and above, no share is too high to be judged. */
const MOST_USUAL = 0.4;

/** A provider is slow above this median, in seconds, if it is so many times that of its own week and that of the fastest other. */
const SLOW_FROM = 60;
const SLOW_TIMES = 2;

/** A provider of which nothing is known. */
export const unknownHealth = (provider: ProviderName, now: Millis): ProviderHealth => ({
  provider,
  state: 'healthy',
  since: now,
  cause: null,
  landing: null,
  creations: { good: 0, bad: 0 },
  sent: { good: 0, bad: 0 },
  countsFrom: 0,
  week: [],
  summedUntil: 0,
  version: 0,
});

/** The limit of a cause: twice the share of its own last week, where that was high already. */
const findLimit = (cause: Cause, { week }: ProviderHealth): number => {
  const days = week.map(({ creations, sent }) => (cause === 'creations_fail' ? creations : sent));
  const [good, bad] = [days.reduce((sum, day) => sum + day.good, 0), days.reduce((sum, day) => sum + day.bad, 0)];
  const usual = good + bad < ENOUGH_OF_WEEK ? 0 : badShare({ good, bad });
  return Math.max(LIMITS[cause], 2 * Math.min(usual, MOST_USUAL));
};

/** Whether a cause makes a provider failing. Once it has, few good samples end it, or a time without any. */
const holds = (cause: Cause, before: ProviderHealth, minutes: readonly MinuteCounts[], now: Millis): boolean => {
  const limit = findLimit(cause, before);
  if (before.cause === cause) {
    const sample = newestSample(cause, minutes, now, ENOUGH_TO_RETURN);
    return sample ? badShare(sample) > limit : now - before.countsFrom < QUIET[cause];
  }
  const sample = newestSample(cause, minutes, now, ENOUGH);
  return sample !== undefined && sample.against >= ENOUGH.businesses && badShare(sample) > limit;
};

/** Seconds until landings of the last half hour; null where they are few. */
const landingIn = (minutes: readonly MinuteCounts[]): ProviderHealth['landing'] => {
  const landings = sumByPlace(minutes.map((counts) => counts.landings));
  const businesses = new Set(minutes.flatMap(({ landedFor }) => landedFor)).size;
  const isEnough = landings.reduce((sum, some) => sum + some, 0) >= ENOUGH.samples && businesses >= ENOUGH.businesses;
  const [p50, p95] = [findSeconds(landings, 0.5), findSeconds(landings, 0.95)];
  return isEnough && p50 !== null && p95 !== null ? { p50, p95 } : null;
};

/** The median of its own last week; null where that is too little. */
const usualMedian = ({ week }: ProviderHealth): number | null => {
  const landings = sumByPlace(week.map((day) => day.landings));
  return landings.reduce((sum, some) => sum + some, 0) < ENOUGH_OF_WEEK ? null : findSeconds(landings, 0.5);
};

const isSlow = (before: ProviderHealth, median: number, medianOfOthers: number | null): boolean => {
  const isAboveTimes = (other: number | null): boolean => other === null || median >= SLOW_TIMES * other;
  return median > SLOW_FROM && isAboveTimes(usualMedian(before)) && isAboveTimes(medianOfOthers);
};

/** A minute is summed when nothing more is counted in it. */
const SETTLED = 2 * MINUTE;

/** Adds the minutes that are over to the sums of their days, without those in which the provider was failing. */
const addToWeek = (before: ProviderHealth, minutes: readonly MinuteCounts[], now: Millis) => {
  const until = beginMinute(now) - SETTLED;
  const fresh = minutes.filter(({ minute }) => minute > before.summedUntil && minute <= until);
  if (fresh.length === 0) return { week: before.week, summedUntil: before.summedUntil };
  const beginDay = (at: Millis): Millis => at - (at % DAY);
  const added = before.state === 'failing' ? [] : fresh;
  const days = added.map((counts) => ({
    day: beginDay(counts.minute),
    landings: [...counts.landings],
    creations: { good: counts.opened, bad: counts.failed },
    sent: { good: counts.sentLanded.length, bad: counts.sentLost.length },
  }));
  const byDay = Map.groupBy([...before.week, ...days], ({ day }) => day);
  const week = [...byDay]
    .filter(([day]) => day > now - 8 * DAY)
    .map(([day, parts]) => ({
      day,
      landings: sumByPlace(parts.map(({ landings }) => landings)),
      creations: sumUp(parts.map(({ creations }) => creations)),
      sent: sumUp(parts.map(({ sent }) => sent)),
    }));
  return { week, summedUntil: Math.max(...fresh.map(({ minute }) => minute)) };
};

const sumUp = (parts: readonly { readonly good: number; readonly bad: number }[]) => ({
  good: parts.reduce((sum, { good }) => sum + good, 0),
  bad: parts.reduce((sum, { bad }) => sum + bad, 0),
});

const countSamples = (cause: Cause, minutes: readonly MinuteCounts[]) => {
  const { good, bad } = sampleIn(cause, minutes);
  return { good, bad };
};

/** A provider as it was judged last, with what was counted of it since an hour ago. */
export interface HealthInput {
  readonly before: ProviderHealth;
  readonly minutes: readonly MinuteCounts[];
}

const judge = ({ before, minutes }: HealthInput, medianOfOthers: number | null, now: Millis): ProviderHealth => {
  const recent = within(minutes, now, LONGEST_WINDOW);
  const counting = recent.filter(({ minute }) => minute > before.countsFrom);
  const cause = CAUSES.find((possible) => holds(possible, before, counting, now)) ?? null;
  const landing = landingIn(recent);
  const slow = landing !== null && isSlow(before, landing.p50, medianOfOthers);
  const state = cause ? 'failing' : slow ? 'slow' : 'healthy';
  const hasMoved = (state === 'failing') !== (before.state === 'failing');
  return {
    ...before,
    ...addToWeek(before, minutes, now),
    state,
    since: state === before.state ? before.since : now,
    cause,
    landing,
    creations: countSamples('creations_fail', recent),
    sent: countSamples('sent_not_landed', recent),
    countsFrom: hasMoved ? beginMinute(now) : before.countsFrom,
  };
};

/**
 * Judges providers beside one another, each against its own last week: failing where it opens no accounts for above 20 % of those who ask,
 * or above 30 % of what payers say is sent has not landed after five minutes. A provider that works again, or of which too little is known, is
 * healthy.
 */
export const judgeAll = (providers: readonly HealthInput[], now: Millis): ProviderHealth[] => {
  const medians = providers.map(({ minutes }) => landingIn(within(minutes, now, LONGEST_WINDOW))?.p50 ?? null);
  return providers.map((provider, i) => {
    const others = medians.filter((median, j): median is number => j !== i && median !== null);
    return judge(provider, others.length > 0 ? Math.min(...others) : null, now);
  });
};
