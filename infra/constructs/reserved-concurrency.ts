import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';

/** What AWS keeps for functions that have no concurrency of their own. */
export const KEPT_UNRESERVED = 100;

/** The concurrency of a stage. */
export interface StageConcurrency {
  readonly reserved: boolean;
  readonly notifications: number;
  readonly lanes: { readonly first: number; readonly retry: number; readonly slow: number; readonly test: number };
  readonly management: number;
  readonly payers: number;
  readonly dashboard: number;
}

/**
 * The concurrency of a function of its own; undefined for one that takes of what is left. For notifications and the consumer, whose is
 * the sum of its lanes, it is there while the API is busy. For management, payers' pages and the dashboard it is a ceiling: however slow or many
 * their requests are, they leave what checkouts and accounts need.
 */
export const reservedFor = (
  { reserved, notifications, lanes, management, payers, dashboard }: StageConcurrency,
  { trigger, isManagement, isDashboard }: FunctionSpec,
): number | undefined => {
  if (!reserved) return undefined;
  if (isDashboard) return dashboard;
  if (trigger.kind === 'queue') return trigger.lanes.reduce((sum, lane) => sum + lanes[lane], 0);
  if (trigger.kind === 'route' && trigger.throttle === 'notifications') return notifications;
  if (trigger.kind === 'route' && trigger.throttle.startsWith('payers')) return payers;
  return isManagement ? management : undefined;
};

/** What a stage reserves in all: for the dashboard only where it can send `mail`, without which there is none. */
export const reservedInAll = ({
  concurrency,
  mail,
}: {
  readonly concurrency: StageConcurrency;
  readonly mail?: object | undefined;
}): number => (mail ? ALL_FUNCTIONS : FUNCTIONS).reduce((sum, spec) => sum + (reservedFor(concurrency, spec) ?? 0), 0);
