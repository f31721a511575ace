import type { FunctionSpec } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import type { QueueLane } from '#infra/lanes.ts';

/** What AWS keeps for functions that have no concurrency of their own. */
export const KEPT_UNRESERVED = 100;

/** What all ceilings of a stage may fence off: an execution that is reserved is taken from money, whether it is used or not. */
export const MOST_FENCED_OFF = 60;

/** The concurrency of a stage. */
export interface StageConcurrency {
  readonly reserved: boolean;
  readonly notifications: number;
  readonly lanes: Readonly<Record<QueueLane, number>>;
  readonly ceiling: number;
}

/**
 * The concurrency of a function of its own; undefined for one that takes of what is left. For notifications and the consumers, whose is
 * the sum of their lanes, it is there while the API is busy. For what can last seconds it is a ceiling: however many of its requests hang,
 * they leave what checkouts and accounts need. What is quick needs none, since its routes have throttles.
 */
export const reservedFor = (
  { reserved, notifications, lanes, ceiling }: StageConcurrency,
  { trigger, isSlow }: FunctionSpec,
): number | undefined => {
  if (!reserved) return undefined;
  if (trigger.kind === 'queue') return trigger.lanes.reduce((sum, lane) => sum + lanes[lane], 0);
  if (trigger.kind === 'route' && trigger.throttle === 'notifications') return notifications;
  return isSlow ? ceiling : undefined;
};

/** The functions with a ceiling. */
export const SLOW_FUNCTIONS: readonly FunctionSpec[] = FUNCTIONS.filter(({ isSlow }) => isSlow);

/** What a stage reserves in all, with its dashboard or without: that has no ceilings of its own. */
export const sumReserved = (concurrency: StageConcurrency): number =>
  FUNCTIONS.reduce((sum, spec) => sum + (reservedFor(concurrency, spec) ?? 0), 0);
