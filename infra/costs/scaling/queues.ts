import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { ATTEMPT_TIMEOUT } from '#shared/webhooks/domain/delivery.ts';
import { WEBHOOK_BATCH } from './limits.ts';
import { formatNumber } from './numbers.ts';
import { QUOTAS } from './quotas.ts';

/** Seconds for which an endpoint that hangs has its place. */
const TIMEOUT = ATTEMPT_TIMEOUT / 1_000;
/** Deliveries a minute that a recovered endpoint gets first, and at most; each minute doubles them (shared/webhooks/domain/breaker-transitions.ts). */
export const DRAIN = { first: 60, most: 6_000 } as const;
const PARKED = 1_000_000;
const HOUR = 60;

/** Says how fast consumers become more. */
export const describeGrowth = (): string =>
  `- **Growth**: Lambda starts with ${QUOTAS.queueStart.limit} executions at once a queue and adds ${QUOTAS.queueGrowth.limit} a minute, up to the lane’s \`concurrency\`, at most ${formatNumber(QUOTAS.queueMost.limit)}. Any other function may have ${formatNumber(QUOTAS.functionGrowth.limit)} more every ten seconds.`;

/** Says how many first attempts there are if every endpoint hangs. */
export const describeHanging = ({ concurrency }: StageSettings): string =>
  `- **An endpoint that hangs** has its place for ${TIMEOUT} s, and is sent to the slow lane and then parked. First attempts: ${formatNumber((concurrency.lanes.first * WEBHOOK_BATCH) / TIMEOUT)} a second if *every* merchant hung; of test mode ${formatNumber((concurrency.lanes.test * WEBHOOK_BATCH) / TIMEOUT)}.`;

/** Says how long a recovered endpoint takes for a million deliveries. */
export const describeDrain = (): string => {
  let minutes = 0;
  let pace: number = DRAIN.first;
  for (let left = PARKED; left > 0; left -= pace) {
    if (minutes > 0) pace = Math.min(DRAIN.most, pace * 2);
    minutes += 1;
  }
  return `- **A recovered endpoint** gets its backlog at ${DRAIN.first} deliveries a minute, doubling up to ${formatNumber(DRAIN.most)}: a million take ${Math.floor(minutes / HOUR)} h ${minutes % HOUR} min, on purpose.`;
};

/** Says what SQS allows a queue, and what is not in it. */
export const describeInFlight = (): string =>
  `- **In flight**: SQS allows ${formatNumber(QUOTAS.inFlight.limit)} messages a queue. What is parked, or waits longer than a message can, is in the table and not in SQS; delayed messages are not in flight.`;
