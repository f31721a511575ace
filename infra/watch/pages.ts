import { Duration } from 'aws-cdk-lib';
import { type Alarm, type AlarmBase, AlarmRule, CompositeAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { nameOf } from '#infra/constructs/names.ts';
import type { RunbookEntry } from './limits.ts';
import type { Watched } from './watched.ts';

/** An alarm of a runbook entry. */
export interface EntryAlarm {
  readonly entry: RunbookEntry;
  readonly alarm: Alarm;
}

/** Parts of a stage that go wrong together when AWS, an account's quota or a deployment fails. Each calls once for all of it. */
const AREAS = {
  callers: 'Callers of the API or members of businesses get errors, or wait.',
  capacity: 'AWS refuses calls of ours: functions or the table throttle.',
  'live-money': 'Live money lands late: what takes it in fails or does not run.',
  webhooks: 'Webhooks come late: what sends them fails or does not run.',
} as const;
type Area = keyof typeof AREAS;

/** An alarm of no area calls by itself: it tells of money or of one business, each time of something else, and no fault of AWS makes it. */
const AREA_OF: Readonly<Record<RunbookEntry, Area | 'alone'>> = {
  'api-failures': 'callers',
  'api-failures-repeated': 'callers',
  'api-slow': 'callers',
  'api-function-errors': 'callers',
  'dashboard-errors': 'callers',
  'notices-late': 'callers',
  'lambda-throttles': 'capacity',
  'table-throttles': 'capacity',
  'index-throttles': 'capacity',
  'notification-errors': 'live-money',
  'payments-overdue': 'live-money',
  'sweeper-errors': 'live-money',
  'sweeper-silent': 'live-money',
  'dead-letters': 'webhooks',
  'first-attempts-waiting': 'webhooks',
  'retries-waiting': 'webhooks',
  'consumer-errors': 'webhooks',
  'first-attempt-lag': 'webhooks',
  'deliveries-overdue': 'webhooks',
  'unreachable-from-outside': 'alone',
  'certificate-expires': 'alone',
  'secret-keys-refused': 'alone',
  'payments-unmatched': 'alone',
  'notifications-stuck': 'alone',
  'items-unreadable': 'alone',
  'deliveries-exhausted': 'alone',
  'endpoints-disabled': 'alone',
  'provider-failures': 'alone',
  'look-ups-limited': 'alone',
  'provider-without-credentials': 'alone',
  'closings-given-up': 'alone',
  'payments-not-notified': 'alone',
};

/** So many red alarms of the areas are no fault of one part. */
const SEVERAL = 3;
/** CloudWatch takes a hundred alarms in a rule: of the throttles those of functions of the API, which only come with the account's quota, are left out. */
const isCounted = ({ entry }: EntryAlarm): boolean => AREA_OF[entry] !== 'alone' && entry !== 'lambda-throttles';
/** How long an area waits for the alarm of several: their metrics come within this of each other. */
const WAIT = Duration.minutes(2);
/** How long it waits after that one is over: what is still red then calls. */
const EXTENSION = Duration.minutes(5);

const RUNBOOK = 'infra/docs/runbook.md';

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
  const names = alarms.map(({ alarm }) => `"${nameOf(stage, alarm.node.id)}"`);
  const page = new CompositeAlarm(scope, id, {
    compositeAlarmName: nameOf(stage, id),
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
  { stage }: Watched,
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
      alarms: alarms.filter(({ entry }) => AREA_OF[entry] === area),
      rule: (names) => names.map((name) => `ALARM(${name})`).join(' OR '),
      suppressor: several,
    }),
  );
  for (const page of [several, ...areas]) notify(page, topic);
  for (const { entry, alarm } of alarms) if (AREA_OF[entry] === 'alone') notify(alarm, topic);
  return [several, ...areas];
};
