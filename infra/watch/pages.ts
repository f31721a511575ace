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
const AREA_IMPACTS: Readonly<Record<Area, string>> = {
  callers: 'Callers of the API or members of businesses get errors or wait too long.',
  capacity: 'AWS throttles our functions or our table.',
  'live-money': 'Live money lands late, because a function that lands it fails or does not run.',
  webhooks: 'Webhooks are sent late, because a function that sends them fails or does not run.',
};

/** The number of alarms that set off `several-at-once`. So many red alarms are not the fault of one part. */
const MIN_RED_ALARMS = 3;
/**
 * Whether an alarm counts for `several-at-once`. The alarms on throttles of functions do not count: with them the rule would have more than the
 * hundred alarms that CloudWatch takes. They are not missed. Several functions are throttled together only if the account's quota is used up,
 * and then the page of the area `capacity` notifies people.
 */
const isCounted = ({ entry }: EntryAlarm): boolean => ENTRIES[entry].area !== 'alone' && entry !== 'lambda-throttles';
/** How long a red area waits before it notifies people. If `several-at-once` turns red within this time, the area stays quiet. */
const SUPPRESSOR_WAIT = Duration.minutes(2);
/** How long an area waits after `several-at-once` is over. If the area is still red then, it notifies people. */
const SUPPRESSOR_EXTENSION = Duration.minutes(5);

const RUNBOOK = 'docs/operating/runbook.md';

/** An alarm that notifies people. It is red if `rule` holds for the states of `alarms`. */
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
      actionsSuppressorWaitPeriod: SUPPRESSOR_WAIT,
      actionsSuppressorExtensionPeriod: SUPPRESSOR_EXTENSION,
    }),
  });
  // CloudFormation does not know the dependencies, because the rule is a text.
  page.node.addDependency(...alarms.map(({ alarm }) => alarm));
  return page;
};

/**
 * Adds the alarms that notify people:
 * - One for each area. It is red while one of the area's alarms is red.
 * - `several-at-once`. While it is red, the areas stay quiet.
 * - Alarms that are `alone` notify people by themselves.
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
    rule: (names) => `AT_LEAST(${MIN_RED_ALARMS}, ALARM, (${names.join(', ')}))`,
  });
  const areas = (Object.keys(AREA_IMPACTS) as Area[]).map((area) =>
    addPage(scope, stage, {
      id: `page-${area}`,
      impact: `${AREA_IMPACTS[area]} See the red alarms of this page for the reason.`,
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
