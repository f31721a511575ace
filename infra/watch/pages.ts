import { Duration } from 'aws-cdk-lib';
import { type Alarm, type AlarmBase, AlarmRule, CompositeAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { resourceName } from '#infra/constructs/names.ts';
import { ENTRIES, type RunbookEntry } from './entries.ts';
import type { Area } from './entry.ts';
import type { WatchedStage } from './watched.ts';

/** An alarm of a runbook entry. */
export interface EntryAlarm {
  readonly entry: RunbookEntry;
  readonly alarm: Alarm;
}

/** The text of an area's page. */
const AREAS: Readonly<Record<Area, string>> = {
  callers: 'Callers of the API or members of businesses get errors, or wait.',
  capacity: 'AWS refuses calls of ours: functions or the table throttle.',
  'live-money': 'Live money lands late: what takes it in fails or does not run.',
  webhooks: 'Webhooks come late: what sends them fails or does not run.',
};

/** So many red alarms of the areas are no fault of one part. */
const SEVERAL = 3;
/** CloudWatch takes a hundred alarms in a rule: of the throttles those of functions of the API, which only come with the account's quota, are left out. */
const isCounted = ({ entry }: EntryAlarm): boolean => ENTRIES[entry].area !== 'alone' && entry !== 'lambda-throttles';
/** How long an area waits for the alarm of several: their metrics come within this of each other. */
const WAIT = Duration.minutes(2);
/** How long it waits after that one is over: what is still red then calls. */
const EXTENSION = Duration.minutes(5);

const RUNBOOK = 'docs/operating/runbook.md';

interface Page {
  readonly id: string;
  /** Tells what users notice, in sentences. */
  readonly impact: string;
  readonly anchor: string;
  readonly alarms: readonly EntryAlarm[];
  /** The rule over their names, each in quotes. */
  readonly rule: (names: readonly string[]) => string;
  /** Keeps this one quiet while it is red. */
  readonly suppressor?: CompositeAlarm;
}

/** Has a topic told of an alarm's start and end. */
export const notify = (alarm: AlarmBase, topic: ITopic): void => {
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
};

const addPage = (
  scope: Construct,
  stage: string,
  { id, impact, anchor, alarms, rule, suppressor }: Page,
): CompositeAlarm => {
  // Names of a hundred alarms fit into a rule; their ARNs may not.
  const names = alarms.map(({ alarm }) => `"${resourceName(stage, alarm.node.id)}"`);
  const page = new CompositeAlarm(scope, id, {
    compositeAlarmName: resourceName(stage, id),
    alarmDescription: `${impact} Next step: ${RUNBOOK}#${anchor}`,
    alarmRule: AlarmRule.fromString(rule(names)),
    ...(suppressor && {
      actionsSuppressor: suppressor,
      actionsSuppressorWaitPeriod: WAIT,
      actionsSuppressorExtensionPeriod: EXTENSION,
    }),
  });
  // CloudFormation does not read the names in a rule.
  page.node.addDependency(...alarms.map(({ alarm }) => alarm));
  return page;
};

/**
 * Makes what calls people: one alarm for each area, which is red while one of its own is, and one for several at once, which keeps the areas
 * quiet while it lasts. Every other alarm calls by itself.
 */
export const addPages = (
  scope: Construct,
  { stage }: WatchedStage,
  topic: ITopic,
  alarms: readonly EntryAlarm[],
): CompositeAlarm[] => {
  const several = addPage(scope, stage, {
    id: 'several-at-once',
    impact: 'Several parts of the stage fail together: AWS in this region, a quota of the account, or a deployment.',
    anchor: 'several-at-once',
    alarms: alarms.filter(isCounted),
    rule: (names) => `AT_LEAST(${SEVERAL}, ALARM, (${names.join(', ')}))`,
  });
  const areas = (Object.keys(AREAS) as Area[]).map((area) =>
    addPage(scope, stage, {
      id: `page-${area}`,
      impact: `${AREAS[area]} Its red alarms say what.`,
      anchor: 'pages',
      alarms: alarms.filter(({ entry }) => ENTRIES[entry].area === area),
      rule: (names) => names.map((name) => `ALARM(${name})`).join(' OR '),
      suppressor: several,
    }),
  );
  for (const page of [several, ...areas]) notify(page, topic);
  for (const { entry, alarm } of alarms) if (ENTRIES[entry].area === 'alone') notify(alarm, topic);
  return [several, ...areas];
};
