import { KEPT_UNRESERVED, reservedFor, sumReserved } from '#infra/constructs/reserved-concurrency.ts';
import { throttledRoutes } from '#infra/constructs/route-throttles.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { isMoneyLane } from '#infra/lanes.ts';
import { QUOTAS } from './quotas.ts';

/** The groups of functions that reserve, in the order of the columns. */
const GROUPS = {
  notifications: ({ trigger }: FunctionSpec) => trigger.kind === 'route',
  'money work': ({ trigger }: FunctionSpec) => trigger.kind === 'queue' && trigger.lanes.some(isMoneyLane),
  webhooks: ({ trigger }: FunctionSpec) => trigger.kind === 'queue' && !trigger.lanes.some(isMoneyLane),
  'what is slow': ({ isSlow }: FunctionSpec) => isSlow === true,
} as const;
export const RESERVED_FOR = Object.keys(GROUPS);

/** The executions of a stage that each group reserves. */
const sumGroups = ({ concurrency }: StageSettings): readonly number[] =>
  Object.values(GROUPS).map((isIn) =>
    FUNCTIONS.filter(isIn).reduce((sum, spec) => sum + (reservedFor(concurrency, spec) ?? 0), 0),
  );

/** Sums what the throttles of management, and of the dashboard where there is one, admit at once. */
const sumAdmitted = (settings: StageSettings, hasDashboard: boolean): number =>
  throttledRoutes({ ...settings, mail: hasDashboard ? {} : undefined })
    .filter(({ group }) => group === 'management' || group === 'dashboard')
    .reduce((sum, { burst }) => sum + burst, 0);

/** The quota of Lambda that some stages in one account need at least; zero where they reserve nothing. */
const computeQuota = (stages: readonly StageSettings[], hasDashboard: boolean): number => {
  const reserving = stages.filter(({ concurrency }) => concurrency.reserved);
  const inAll = reserving.reduce((sum, { concurrency }) => sum + sumReserved(concurrency), 0);
  const alone = reserving.map(
    (stage) => sumReserved(stage.concurrency) + Math.max(KEPT_UNRESERVED, sumAdmitted(stage, hasDashboard)),
  );
  return Math.max(...alone, inAll === 0 ? 0 : inAll + KEPT_UNRESERVED);
};

/** A row of the table of stages in one account: what they reserve, the quotas that they need, and what is left of the default. */
export const makeConcurrencyRow = (name: string, stages: readonly StageSettings[]): readonly (string | number)[] => {
  const groups = stages.map(sumGroups);
  const sums = RESERVED_FOR.map((_, i) => groups.reduce((sum, group) => sum + (group[i] ?? 0), 0));
  const quotas = [false, true].map((hasDashboard) => computeQuota(stages, hasDashboard) || 'any');
  return [name, ...sums, ...quotas, QUOTAS.executions.limit - sums.reduce((sum, part) => sum + part, 0)];
};
