import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { ATTEMPT_TIMEOUT } from '#shared/webhooks/domain/delivery.ts';
import { WEBHOOK_BATCH } from './limits.ts';
import { formatNumber } from './numbers.ts';
import { QUOTAS } from './quotas.ts';

/** Seconds for which a hanging endpoint occupies its place in a batch. */
const TIMEOUT = ATTEMPT_TIMEOUT / 1_000;
/**
 * Deliveries a minute that a recovered endpoint gets: `first` in the first minute, then twice as many each minute, up to `most`
 * (shared/webhooks/domain/breaker-transitions.ts).
 */
export const DRAIN = { first: 60, most: 6_000 } as const;
const PARKED = 1_000_000;
const MINUTES_AN_HOUR = 60;

/** Describes how fast the number of consumers grows. */
export const describeGrowth = (): string =>
  `- **Growth**: for each queue, Lambda starts with ${QUOTAS.queueStart.limit} concurrent executions and adds ${QUOTAS.queueGrowth.limit} a minute, up to the lane’s \`concurrency\`, at most ${formatNumber(QUOTAS.queueMost.limit)}. Any other function can get ${formatNumber(QUOTAS.functionGrowth.limit)} more every ten seconds.`;

/** Describes the number of first attempts if every endpoint hangs. */
export const describeHanging = ({ concurrency }: StageSettings): string =>
  `- **A hanging endpoint** occupies its place in a batch for ${TIMEOUT} s. Its deliveries move to the slow lane, and are then parked. Even if *every* endpoint hangs, there are ${formatNumber((concurrency.lanes.first * WEBHOOK_BATCH) / TIMEOUT)} first attempts a second, and ${formatNumber((concurrency.lanes.test * WEBHOOK_BATCH) / TIMEOUT)} in test mode.`;

/** Describes how long a recovered endpoint needs for a million deliveries. */
export const describeDrain = (): string => {
  let minutes = 0;
  let pace: number = DRAIN.first;
  for (let left = PARKED; left > 0; left -= pace) {
    if (minutes > 0) pace = Math.min(DRAIN.most, pace * 2);
    minutes += 1;
  }
  return `- **A recovered endpoint** gets its backlog at ${DRAIN.first} deliveries a minute, doubling up to ${formatNumber(DRAIN.most)}. A million deliveries take ${Math.floor(minutes / MINUTES_AN_HOUR)} h ${minutes % MINUTES_AN_HOUR} min, on purpose.`;
};

/** Describes the limit of SQS for messages in flight. */
export const describeInFlight = (): string =>
  `- **In flight**: SQS allows ${formatNumber(QUOTAS.inFlight.limit)} messages for each queue. Parked deliveries, and work that waits longer than a message can, are in the table and not in SQS. Delayed messages are not in flight.`;
