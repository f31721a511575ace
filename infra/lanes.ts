import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { LANES, type Lane } from '#shared/webhooks/domain/delivery.ts';

/**
 * The name of the money queue of a provider, or of test mode. All these names begin with MONEY_PREFIX, so a function needs only one URL
 * (`MONEY_QUEUES_URL`), to which it adds the rest of the name.
 */
export type MoneyLane = `${typeof MONEY_PREFIX}-${(typeof PROVIDERS)[number] | 'test'}`;
/** The name of a queue. Each queue has a consumer, a dead-letter queue and its own concurrency. */
export type QueueLane = Lane | MoneyLane;

/** The common beginning of the names of all money queues. */
export const MONEY_PREFIX = 'money';
export const MONEY_LANES: readonly MoneyLane[] = ([...PROVIDERS, 'test'] as const).map(
  (lane) => `${MONEY_PREFIX}-${lane}` as const,
);
export const QUEUE_LANES: readonly QueueLane[] = [...LANES, ...MONEY_LANES];

/** Whether a queue carries money work. */
export const isMoneyLane = (lane: QueueLane): lane is MoneyLane => lane.startsWith(MONEY_PREFIX);

/** Makes a value for each queue, by the queue's name. The cast restores the names of the keys, which `fromEntries` loses. */
export const byLane = <L extends QueueLane, T>(lanes: readonly L[], make: (lane: L) => T): Readonly<Record<L, T>> =>
  Object.fromEntries(lanes.map((lane) => [lane, make(lane)])) as Record<L, T>;
