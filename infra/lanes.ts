import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { LANES, type Lane } from '#shared/webhooks/domain/delivery.ts';

/** The queue of a provider's money work, or of test mode's. The names share a beginning, which is all that a function must know (`MONEY_QUEUES_URL`). */
export type MoneyLane = `${typeof MONEY}-${(typeof PROVIDERS)[number] | 'test'}`;
/** A queue with a consumer, dead letters and a concurrency of its own. */
export type QueueLane = Lane | MoneyLane;

/** What the names of all queues of money work begin with. */
export const MONEY = 'money';
export const MONEY_LANES: readonly MoneyLane[] = ([...PROVIDERS, 'test'] as const).map(
  (lane) => `${MONEY}-${lane}` as const,
);
export const QUEUE_LANES: readonly QueueLane[] = [...LANES, ...MONEY_LANES];

/** Whether a queue carries money work. */
export const isMoneyLane = (lane: QueueLane): lane is MoneyLane => lane.startsWith(MONEY);

/** Something for each of some queues, by the queue's name. The cast: `fromEntries` loses the names of the keys. */
export const byLane = <L extends QueueLane, T>(lanes: readonly L[], make: (lane: L) => T): Readonly<Record<L, T>> =>
  Object.fromEntries(lanes.map((lane) => [lane, make(lane)])) as Record<L, T>;
