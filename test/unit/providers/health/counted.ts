import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import type { MinuteCounts } from '#shared/providers/domain/health/counts.ts';
import { judgeAll, type ProviderHealth, unknownHealth } from '#shared/providers/domain/health/health.ts';
import { NOON } from '#test/unit/api/examples.ts';

/** Builds the counts of the minute that begins `after` minutes after noon. */
export const minuteAt = (after: number, counts: Partial<MinuteCounts>): MinuteCounts => ({
  minute: NOON + after * MINUTE,
  landings: [],
  landedFor: [],
  opened: 0,
  failed: 0,
  failedFor: [],
  sentLanded: [],
  sentLost: [],
  ...counts,
});

/** Judges one provider alone, each minute from noon on until `until` minutes later. Returns the health of each minute. */
export const judgeEachMinute = (
  minutes: readonly MinuteCounts[],
  until: number,
  before: ProviderHealth = unknownHealth('korapay', NOON - MINUTE),
): ProviderHealth[] => {
  const states: ProviderHealth[] = [];
  for (let after = 0; after <= until; after++) {
    const now: Millis = NOON + after * MINUTE + 30_000;
    const counted = minutes.filter(({ minute }) => minute <= now && minute > now - 60 * MINUTE);
    states.push(...judgeAll([{ before: states.at(-1) ?? before, minutes: counted }], now));
  }
  return states;
};

/** Finds the number of minutes after noon when a state began; -1 for never. */
export const findFirstMinute = (states: readonly ProviderHealth[], state: ProviderHealth['state']): number =>
  states.findIndex((health) => health.state === state);
