import type { FunctionSpec } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import type { QueueLane } from '#infra/lanes.ts';

/** Executions that AWS keeps for functions without reserved concurrency. */
export const MIN_UNRESERVED = 100;

/** The most executions that the ceilings of a stage may reserve together. No other function can use such an execution, even while it is idle. */
export const MAX_CEILING_EXECUTIONS = 60;

/** A stage's concurrency settings. */
export interface StageConcurrency {
  readonly reserved: boolean;
  readonly notifications: number;
  readonly lanes: Readonly<Record<QueueLane, number>>;
  readonly ceiling: number;
}

/**
 * Computes the reserved concurrency of a function; undefined if it has none.
 * - Notifications and consumers have reserved concurrency so that they run while the API is busy. That of a consumer is the sum of the
 *   concurrency of its lanes.
 * - A slow function has it as a ceiling: even if all its requests hang, enough executions are left for checkouts and accounts.
 * - All other functions have none, and share the unreserved executions. The routes of the management and of the dashboard have throttles, so
 *   that they leave executions for checkouts and accounts.
 */
export const computeReserved = (
  { reserved, notifications, lanes, ceiling }: StageConcurrency,
  { trigger, isSlow }: FunctionSpec,
): number | undefined => {
  if (!reserved) return undefined;
  if (trigger.kind === 'queue') return trigger.lanes.reduce((sum, lane) => sum + lanes[lane], 0);
  if (trigger.kind === 'route' && trigger.throttle === 'notifications') return notifications;
  return isSlow ? ceiling : undefined;
};

/** The slow functions, which have a ceiling. */
export const SLOW_FUNCTIONS: readonly FunctionSpec[] = FUNCTIONS.filter(({ isSlow }) => isSlow);

/** Sums the reserved concurrency of a stage. The dashboard's functions have none. */
export const sumReserved = (concurrency: StageConcurrency): number =>
  FUNCTIONS.reduce((sum, spec) => sum + (computeReserved(concurrency, spec) ?? 0), 0);
