import * as z from 'zod/mini';
import { count, millis } from '#shared/platform/kernel/schemas.ts';
import { DAY, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import { beginMinute, findSeconds, type MinuteCounts, sumByPlace } from './counts.ts';
import {
  CAUSES,
  type Cause,
  computeBadShare,
  filterRecent,
  findNewestSample,
  LONGEST_WINDOW,
  type SampleMinimum,
  sumSamples,
} from './samples.ts';

/*
 * Health of a provider: whether money lands there. It is judged once a minute from the counts of each minute, by fixed rules that an operator
 * can explain.
 */

/**
 * `failing`: too many accounts fail to open, or too many reported payments do not land. `slow`: money lands much later than before and than at
 * other providers.
 */
export const healthState = z.enum(['healthy', 'slow', 'failing']);
export type HealthState = z.infer<typeof healthState>;

const sampleCounts = z.object({ good: count, bad: count });
/** Seconds from payment to record: the median and the 95th percentile. */
export const landingSeconds = z.object({ p50: count, p95: count });

/** Sums of a provider's counts on one day (UTC) of the last week. Minutes in which it was failing are left out. */
const daySums = z.object({ day: millis, landings: z.array(count), creations: sampleCounts, sent: sampleCounts });

export const providerHealth = z.object({
  provider: providerName,
  state: healthState,
  /** Start of the state. */
  since: millis,
  /** The reason why the provider is failing; null in any other state. */
  cause: z.nullable(z.enum(CAUSES)),
  /** Landing times of the last half hour; null if there are too few. */
  landing: z.nullable(landingSeconds),
  /** Counts of the last half hour: opened and failed accounts, and payers' reports that landed or did not. */
  creations: sampleCounts,
  sent: sampleCounts,
  /**
   * Start of the minute in which the provider last became or stopped being `failing`. The counts of this minute and of earlier ones no longer decide
   * about `failing`.
   */
  countsFrom: millis,
  week: z.array(daySums),
  /** The last minute that is part of the week's sums. */
  summedUntil: millis,
  version: count,
});
export type ProviderHealth = z.infer<typeof providerHealth>;

/**
 * Minimum to judge a provider as failing. Small counts mean nothing, and a single report of a payer proves nothing, because anybody can press the
 * button.
 */
const ENOUGH: SampleMinimum = { samples: 10, businesses: 3 };
/** Minimum to judge a failing provider again. It is smaller, because only every twentieth checkout goes there. */
const ENOUGH_TO_RETURN: SampleMinimum = { samples: 3, businesses: 1 };

/** The share of bad samples above which a provider is failing. */
const LIMITS: Readonly<Record<Cause, number>> = { creations_fail: 0.2, sent_not_landed: 0.3 };
/**
 * Milliseconds after which a failing provider without enough samples stops being failing. Otherwise it could stay failing although it works: an
 * opened account is counted only if the same process also has a failure.
 */
const FAILING_TIME: Readonly<Record<Cause, Millis>> = { creations_fail: 10 * MINUTE, sent_not_landed: 30 * MINUTE };

/** Minimum number of samples for a comparison with the last week. */
const ENOUGH_OF_WEEK = 50;
/** Upper bound of the usual share of bad samples, so that the limit, twice that share, stays below 1. */
const MOST_USUAL = 0.4;

/** Median in seconds above which a provider may be slow. */
const SLOW_FROM = 60;
/**
 * A provider is slow if its median is at least this many times the median of its own last week, and at least as many times that of the fastest other
 * provider. A median that is not known is left out of the comparison.
 */
const SLOW_TIMES = 2;

/** Creates the health of a provider without any counts. */
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

/**
 * Computes the share of bad samples above which a cause makes the provider failing: the fixed limit or twice the usual share of the last week,
 * whichever is higher.
 */
const findLimit = (cause: Cause, { week }: ProviderHealth): number => {
  const days = week.map(({ creations, sent }) => (cause === 'creations_fail' ? creations : sent));
  const [good, bad] = [days.reduce((sum, day) => sum + day.good, 0), days.reduce((sum, day) => sum + day.bad, 0)];
  const usual = good + bad < ENOUGH_OF_WEEK ? 0 : computeBadShare({ good, bad });
  return Math.max(LIMITS[cause], 2 * Math.min(usual, MOST_USUAL));
};

/**
 * Whether a cause makes a provider failing. If the provider is failing for this cause already, fewer samples decide. If there are not even these, it
 * stays failing until FAILING_TIME has passed.
 */
const makesFailing = (cause: Cause, before: ProviderHealth, minutes: readonly MinuteCounts[], now: Millis): boolean => {
  const limit = findLimit(cause, before);
  if (before.cause === cause) {
    const sample = findNewestSample(cause, minutes, now, ENOUGH_TO_RETURN);
    return sample ? computeBadShare(sample) > limit : now - before.countsFrom < FAILING_TIME[cause];
  }
  const sample = findNewestSample(cause, minutes, now, ENOUGH);
  return sample !== undefined && sample.badBusinesses >= ENOUGH.businesses && computeBadShare(sample) > limit;
};

/** Computes the landing times of the given minutes, in seconds; null if there are too few landings. */
const computeLanding = (minutes: readonly MinuteCounts[]): ProviderHealth['landing'] => {
  const landings = sumByPlace(minutes.map((counts) => counts.landings));
  const businesses = new Set(minutes.flatMap(({ landedFor }) => landedFor)).size;
  const isEnough =
    landings.reduce((sum, landed) => sum + landed, 0) >= ENOUGH.samples && businesses >= ENOUGH.businesses;
  const [p50, p95] = [findSeconds(landings, 0.5), findSeconds(landings, 0.95)];
  return isEnough && p50 !== null && p95 !== null ? { p50, p95 } : null;
};

/** Computes the median landing time of the last week, in seconds; null if there are too few landings. */
const computeUsualMedian = ({ week }: ProviderHealth): number | null => {
  const landings = sumByPlace(week.map((day) => day.landings));
  return landings.reduce((sum, landed) => sum + landed, 0) < ENOUGH_OF_WEEK ? null : findSeconds(landings, 0.5);
};

const isSlow = (before: ProviderHealth, median: number, medianOfOthers: number | null): boolean => {
  const isMuchMoreThan = (other: number | null): boolean => other === null || median >= SLOW_TIMES * other;
  return median > SLOW_FROM && isMuchMoreThan(computeUsualMedian(before)) && isMuchMoreThan(medianOfOthers);
};

/** Age in milliseconds at which a minute's counts are final. */
const SETTLED = 2 * MINUTE;

/** Adds each minute to the sums of its day when its counts are final. Minutes that become final while the provider is failing are left out. */
const addToWeek = (before: ProviderHealth, minutes: readonly MinuteCounts[], now: Millis) => {
  const until = beginMinute(now) - SETTLED;
  const newMinutes = minutes.filter(({ minute }) => minute > before.summedUntil && minute <= until);
  if (newMinutes.length === 0) return { week: before.week, summedUntil: before.summedUntil };
  const beginDay = (at: Millis): Millis => at - (at % DAY);
  const addedMinutes = before.state === 'failing' ? [] : newMinutes;
  const days = addedMinutes.map((counts) => ({
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
  return { week, summedUntil: Math.max(...newMinutes.map(({ minute }) => minute)) };
};

const sumUp = (parts: readonly { readonly good: number; readonly bad: number }[]) => ({
  good: parts.reduce((sum, { good }) => sum + good, 0),
  bad: parts.reduce((sum, { bad }) => sum + bad, 0),
});

const countSamples = (cause: Cause, minutes: readonly MinuteCounts[]) => {
  const { good, bad } = sumSamples(cause, minutes);
  return { good, bad };
};

/** A provider's last judged health, with its counts of the last hour. */
export interface HealthInput {
  readonly before: ProviderHealth;
  readonly minutes: readonly MinuteCounts[];
}

const judge = ({ before, minutes }: HealthInput, medianOfOthers: number | null, now: Millis): ProviderHealth => {
  const recent = filterRecent(minutes, now, LONGEST_WINDOW);
  const countedMinutes = recent.filter(({ minute }) => minute > before.countsFrom);
  const cause = CAUSES.find((possible) => makesFailing(possible, before, countedMinutes, now)) ?? null;
  const landing = computeLanding(recent);
  const isNowSlow = landing !== null && isSlow(before, landing.p50, medianOfOthers);
  const state = cause ? 'failing' : isNowSlow ? 'slow' : 'healthy';
  const hasFailingChanged = (state === 'failing') !== (before.state === 'failing');
  return {
    ...before,
    ...addToWeek(before, minutes, now),
    state,
    since: state === before.state ? before.since : now,
    cause,
    landing,
    creations: countSamples('creations_fail', recent),
    sent: countSamples('sent_not_landed', recent),
    countsFrom: hasFailingChanged ? beginMinute(now) : before.countsFrom,
  };
};

/**
 * Judges all providers, each against its own last week and against the others. A provider is failing if more than 20 % of its openings fail, or if
 * more than 30 % of the payments that payers reported as sent have not landed after five minutes. Both limits are higher for a provider whose usual
 * share is high (findLimit). With too few counts a provider is healthy, but a failing one only after some time (FAILING_TIME).
 */
export const judgeAll = (providers: readonly HealthInput[], now: Millis): ProviderHealth[] => {
  const medians = providers.map(
    ({ minutes }) => computeLanding(filterRecent(minutes, now, LONGEST_WINDOW))?.p50 ?? null,
  );
  return providers.map((provider, i) => {
    const others = medians.filter((median, j): median is number => j !== i && median !== null);
    return judge(provider, others.length > 0 ? Math.min(...others) : null, now);
  });
};
