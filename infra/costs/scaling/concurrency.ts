import { computeReserved, MIN_UNRESERVED, sumReserved } from '#infra/constructs/reserved-concurrency.ts';
import { throttledRoutes } from '#infra/constructs/route-throttles.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { isMoneyLane } from '#infra/lanes.ts';
import { QUOTAS } from './quotas.ts';

/** Groups of functions with reserved executions, in the order of the columns of the table. */
const GROUPS = {
  notifications: ({ trigger }: FunctionSpec) => trigger.kind === 'route',
  'money work': ({ trigger }: FunctionSpec) => trigger.kind === 'queue' && trigger.lanes.some(isMoneyLane),
  webhooks: ({ trigger }: FunctionSpec) => trigger.kind === 'queue' && !trigger.lanes.some(isMoneyLane),
  'slow functions': ({ isSlow }: FunctionSpec) => isSlow === true,
} as const;
export const RESERVED_FOR = Object.keys(GROUPS);

/** Sums the executions that each group of a stage reserves. */
const sumGroups = ({ concurrency }: StageSettings): readonly number[] =>
  Object.values(GROUPS).map((isIn) =>
    FUNCTIONS.filter(isIn).reduce((sum, spec) => sum + (computeReserved(concurrency, spec) ?? 0), 0),
  );

/** Sums the bursts that the throttles allow: those of management routes, and those of dashboard routes if the stage has a dashboard. */
const sumBursts = (settings: StageSettings, hasDashboard: boolean): number =>
  throttledRoutes({ ...settings, mail: hasDashboard ? {} : undefined })
    .filter(({ group }) => group === 'management' || group === 'dashboard')
    .reduce((sum, { burst }) => sum + burst, 0);

/** Computes the smallest Lambda quota of an account that has these stages; zero if the stages reserve nothing. */
const computeQuota = (stages: readonly StageSettings[], hasDashboard: boolean): number => {
  const reserving = stages.filter(({ concurrency }) => concurrency.reserved);
  const total = reserving.reduce((sum, { concurrency }) => sum + sumReserved(concurrency), 0);
  const quotaPerStage = reserving.map(
    (stage) => sumReserved(stage.concurrency) + Math.max(MIN_UNRESERVED, sumBursts(stage, hasDashboard)),
  );
  return Math.max(...quotaPerStage, total === 0 ? 0 : total + MIN_UNRESERVED);
};

/**
 * Makes a row of the table `stages`, for stages that share an account: the executions that each group reserves, the needed quota without and
 * with the dashboard, and the executions of the default quota that are not reserved.
 */
export const makeConcurrencyRow = (name: string, stages: readonly StageSettings[]): readonly (string | number)[] => {
  const groups = stages.map(sumGroups);
  const sums = RESERVED_FOR.map((_, i) => groups.reduce((sum, group) => sum + (group[i] ?? 0), 0));
  const quotas = [false, true].map((hasDashboard) => computeQuota(stages, hasDashboard) || 'any');
  return [name, ...sums, ...quotas, QUOTAS.executions.limit - sums.reduce((sum, part) => sum + part, 0)];
};
