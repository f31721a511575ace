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

/** The effect that users notice if an area fails. */
const AREAS: Readonly<Record<Area, string>> = {
  callers: 'Callers of the API or members of businesses get errors or wait too long.',
  capacity: 'AWS throttles our functions or our table.',
  'live-money': 'Live money lands late, because a function that lands it fails or does not run.',
  webhooks: 'Webhooks are sent late, because a function that sends them fails or does not run.',
};

/** So many red alarms at once are not the fault of one part. */
const SEVERAL = 3;
/** Leaves out throttles of functions: CloudWatch takes a hundred alarms in a rule, and those come only with the account's quota. */
const isCounted = ({ entry }: EntryAlarm): boolean => ENTRIES[entry].area !== 'alone' && entry !== 'lambda-throttles';
/** Time that an area waits for the alarm `several-at-once`: the metrics of both arrive within this time. */
const WAIT = Duration.minutes(2);
/** Time that an area waits after `several-at-once` is over. If the area is still red then, it notifies people. */
const EXTENSION = Duration.minutes(5);

const RUNBOOK = 'docs/operating/runbook.md';

interface Page {
  readonly id: string;
  /** The effect that users notice, in sentences. */
  readonly impact: string;
  readonly anchor: string;
  readonly alarms: readonly EntryAlarm[];
  /** Makes the rule from the alarms' names, each in quotes. */
  readonly rule: (names: readonly string[]) => string;
  /** Keeps this page quiet while the suppressor is red. */
  readonly suppressor?: CompositeAlarm;
}

/** Notifies a topic when an alarm starts and ends. */
export const notify = (alarm: AlarmBase, topic: ITopic): void => {
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
};

const addPage = (
  scope: Construct,
  stage: string,
  { id, impact, anchor, alarms, rule, suppressor }: Page,
): CompositeAlarm => {
  // The names of a hundred alarms fit into a rule, but their ARNs may not.
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
  // CloudFormation does not know the dependencies, because the rule is a text.
  page.node.addDependency(...alarms.map(({ alarm }) => alarm));
  return page;
};

/**
 * Adds the alarms that notify people: one for each area, which is red while one of the area's alarms is, and `several-at-once`, which keeps the
 * areas quiet while it is red. Alarms that are `alone` notify people by themselves.
 */
export const addPages = (
  scope: Construct,
  { stage }: WatchedStage,
  topic: ITopic,
  alarms: readonly EntryAlarm[],
): CompositeAlarm[] => {
  const several = addPage(scope, stage, {
    id: 'several-at-once',
    impact:
      'Several parts of the stage fail together. The reason is AWS in this region, a quota of the account, or a deployment.',
    anchor: 'several-at-once',
    alarms: alarms.filter(isCounted),
    rule: (names) => `AT_LEAST(${SEVERAL}, ALARM, (${names.join(', ')}))`,
  });
  const areas = (Object.keys(AREAS) as Area[]).map((area) =>
    addPage(scope, stage, {
      id: `page-${area}`,
      impact: `${AREAS[area]} See the red alarms of this page for the reason.`,
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
