import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { resourceName } from '#infra/constructs/names.ts';
import {
  type AlarmSpec,
  apiAlarms,
  certificateAlarms,
  dashboardAlarms,
  functionAlarms,
  queueAlarms,
  tableAlarms,
} from './alarm-specs.ts';
import { ENTRIES, type RunbookEntry } from './entries.ts';
import type { Limit } from './entry.ts';
import type { EntryAlarm } from './pages.ts';
import { addRefusedKeysRule } from './refused-keys.ts';
import { serviceAlarms } from './service-alarms.ts';
import type { WatchedStage } from './watched.ts';

/** The path of the runbook in the repository. Operators have the repository, because the operations command is in it. */
const RUNBOOK = 'docs/operating/runbook.md';

const toComparison = (limit: Limit) =>
  'above' in limit
    ? { threshold: limit.above, comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD }
    : { threshold: limit.below, comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD };

/** Adds an alarm that notifies nobody yet. */
export const addAlarm = (scope: Construct, { stage }: Pick<WatchedStage, 'stage'>, spec: AlarmSpec): EntryAlarm => {
  const { entry, resource, impact, series, missingDataBreaches } = spec;
  const limit: Limit = ENTRIES[entry].limit;
  const id = resource === undefined ? entry : `${entry}-${resource}`;
  const alarm = new Alarm(scope, id, {
    alarmName: resourceName(stage, id),
    alarmDescription: `${impact} Next step: ${RUNBOOK}#${entry}`,
    metric: series(limit.minutes),
    ...toComparison(limit),
    evaluationPeriods: limit.periods,
    datapointsToAlarm: limit.datapoints,
    treatMissingData: missingDataBreaches ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  return { entry, alarm };
};

/** Lists every alarm of a stage. */
export const alarmSpecs = (watched: WatchedStage): AlarmSpec[] => [
  ...apiAlarms(watched),
  ...certificateAlarms(watched),
  ...serviceAlarms(watched),
  ...queueAlarms(watched),
  ...tableAlarms(watched),
  ...functionAlarms(watched),
  ...dashboardAlarms(watched),
];

const ENTRY_WITH_RULE = 'secret-keys-refused' satisfies RunbookEntry;

/** Adds every alarm on metrics, and the Contributor Insights rule that one alarm uses. `pages.ts` decides which alarms notify people. */
export const addAlarms = (scope: Construct, watched: WatchedStage): EntryAlarm[] => {
  const rule = addRefusedKeysRule(scope, watched);
  const alarms = alarmSpecs(watched).map((spec) => addAlarm(scope, watched, spec));
  // The alarm names the rule inside an expression, so CloudFormation does not know the dependency.
  for (const { entry, alarm } of alarms) if (entry === ENTRY_WITH_RULE) alarm.node.addDependency(rule);
  return alarms;
};
