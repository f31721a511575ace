import type { FunctionSpec } from '#infra/function-spec.ts';
import { isMoneyLane, type MoneyLane, QUEUE_LANES } from '#infra/lanes.ts';
import { TABLE } from '#infra/table.ts';
import type { Lane } from '#shared/webhooks/domain/delivery.ts';
import { ENTRIES, MIN_REQUESTS, type RunbookEntry } from './entries.ts';
import { refusedBusinesses } from './refused-keys.ts';
import {
  apiSeries,
  certificateSeries,
  computePercent,
  countIfAbove,
  functionSeries,
  queueSeries,
  type Series,
  serviceSeries,
  sumSeries,
  tableSeries,
} from './series.ts';
import {
  ALARMING_DASHBOARD_FUNCTIONS,
  codeQueueName,
  deadLetterQueueName,
  describeRoute,
  functionName,
  GROUPS,
  queueName,
  type WatchedStage,
} from './watched.ts';

/** An alarm. `ENTRIES` has its limit, by `entry`. */
export interface AlarmSpec {
  readonly entry: RunbookEntry;
  /** The watched resource, if the entry has several alarms. */
  readonly resource?: string;
  /** The effect that users notice, in sentences. */
  readonly impact: string;
  readonly series: Series;
  /** Whether missing data sets off the alarm. Without this field, missing data means that nothing happened. */
  readonly missingDataBreaches?: true;
}

const LANE_WORK: Readonly<Record<Lane, string>> = {
  first: 'First attempts of webhooks',
  retry: 'Retries of webhooks',
  slow: 'Webhooks to slow endpoints',
  test: 'Webhooks of test mode',
};

const makeWaitingAlarm = (watched: WatchedStage, lane: Exclude<Lane, 'test'>): AlarmSpec => ({
  entry: lane === 'first' ? 'first-attempts-waiting' : 'retries-waiting',
  resource: lane,
  impact: `${LANE_WORK[lane]} are sent late, because no consumer takes them from their queue.`,
  series: queueSeries(queueName(watched, lane), 'ApproximateAgeOfOldestMessage'),
});

const makeMoneyWaitingAlarm = (watched: WatchedStage, lane: MoneyLane): AlarmSpec => ({
  entry: 'money-waiting',
  resource: lane,
  impact:
    'Live money of a provider lands late, because no consumer takes its work from the queue, or because there is more work than the provider’s limit allows.',
  series: queueSeries(queueName(watched, lane), 'ApproximateAgeOfOldestMessage'),
});

/** Alarms on dead letters, and on messages that wait too long. Waiting messages of test mode have no alarm: anybody with a test key can cause them. */
export const queueAlarms = (watched: WatchedStage): AlarmSpec[] =>
  QUEUE_LANES.flatMap((lane): AlarmSpec[] => {
    const isMoney = isMoneyLane(lane);
    const deadLetters: AlarmSpec = {
      entry: isMoney ? 'money-dead-letters' : 'dead-letters',
      resource: lane,
      impact: isMoney
        ? 'Live money of a provider lands minutes late, because our consumer failed five times on a message.'
        : `${LANE_WORK[lane]} are sent late or never, because our consumer failed five times on a message.`,
      series: queueSeries(deadLetterQueueName(watched, lane), 'ApproximateNumberOfMessagesVisible'),
    };
    if (isMoney) return [deadLetters, ...(lane === 'money-test' ? [] : [makeMoneyWaitingAlarm(watched, lane)])];
    return [deadLetters, ...(lane === 'test' ? [] : [makeWaitingAlarm(watched, lane)])];
  });

const alarmOnErrors =
  (watched: WatchedStage, entry: RunbookEntry, impact: (spec: FunctionSpec) => string) =>
  (spec: FunctionSpec): AlarmSpec => ({
    entry,
    resource: spec.name,
    impact: impact(spec),
    series: functionSeries(functionName(watched, spec), 'Errors'),
  });

const SWEEP_IMPACTS: Readonly<Record<string, string>> = {
  'sweep-deliveries':
    'Webhook retries that wait for more than 15 minutes are not sent, and neither are webhooks that a crash left behind.',
  'sweep-payments': 'Checkouts do not expire, and money is not found if its notification was lost.',
};

const describeSweepImpact = ({ name }: FunctionSpec): string =>
  SWEEP_IMPACTS[name] ?? `The function ${name} does not do its work.`;

/**
 * Makes the alarm on throttles of one function. In a common alarm, single throttles of several functions in different minutes would look like one
 * lasting throttle.
 */
const alarmOnThrottles =
  (watched: WatchedStage, impact: (spec: FunctionSpec) => string) =>
  (spec: FunctionSpec): AlarmSpec => ({
    entry: 'lambda-throttles',
    resource: spec.name,
    impact: impact(spec),
    series: functionSeries(functionName(watched, spec), 'Throttles'),
  });

/** Alarms on errors and throttles of functions, and on sweepers that do not run. */
export const functionAlarms = (watched: WatchedStage): AlarmSpec[] => [
  ...GROUPS.consumers.map(
    alarmOnErrors(watched, 'consumer-errors', () => 'Webhooks are sent minutes late, because whole batches failed.'),
  ),
  ...GROUPS.money.map(
    alarmOnErrors(
      watched,
      'money-errors',
      () => 'Live money lands minutes late, because whole batches of its work failed.',
    ),
  ),
  ...GROUPS.sweepers.map(alarmOnErrors(watched, 'sweeper-errors', describeSweepImpact)),
  ...GROUPS.sweepers.map(
    (spec): AlarmSpec => ({
      entry: 'sweeper-silent',
      resource: spec.name,
      impact: describeSweepImpact(spec),
      series: functionSeries(functionName(watched, spec), 'Invocations'),
      missingDataBreaches: true,
    }),
  ),
  ...GROUPS.notifications.map(
    alarmOnErrors(
      watched,
      'notification-errors',
      () => 'Live money lands late: reconciliation finds it only minutes after its payer paid.',
    ),
  ),
  ...GROUPS.api.map(
    alarmOnErrors(watched, 'api-function-errors', (spec) => `Callers of ${describeRoute(spec)} get no proper answer.`),
  ),
  ...GROUPS.api.map(
    alarmOnThrottles(
      watched,
      (spec) => `Callers of ${describeRoute(spec)} get 5xx at once, and their requests are not handled.`,
    ),
  ),
  ...GROUPS.notifications.map(
    alarmOnThrottles(
      watched,
      () => 'Live money lands late: when its provider repeats the notification, or when reconciliation finds it.',
    ),
  ),
  ...GROUPS.consumers.map(
    alarmOnThrottles(watched, () => 'Webhooks are sent late, because Lambda throttles their consumer.'),
  ),
  ...GROUPS.money.map(alarmOnThrottles(watched, () => 'Live money lands late, because Lambda throttles its consumer.')),
  ...GROUPS.sweepers.map(
    alarmOnThrottles(watched, () => 'Due webhooks and checkouts are handled late, because Lambda throttles a sweeper.'),
  ),
];

/**
 * Counts the 5xx answers of our functions. The gateway's own count is not used: a stranger could raise it, and so alarm people, by many
 * requests at once to a cold function. Throttles, and invocations without an answer, have their own alarms.
 */
const countFailures = ({ stage }: WatchedStage): Series => serviceSeries(stage, 'requests_failed', 'Sum');

/** Alarms on what callers of the API notice. */
export const apiAlarms = (watched: WatchedStage): AlarmSpec[] => [
  {
    entry: 'api-failures',
    impact: 'Callers of the API get 5xx. They cannot start or verify checkouts.',
    series: computePercent(countFailures(watched), apiSeries(watched.apiId, 'Count', 'SampleCount'), MIN_REQUESTS),
  },
  {
    entry: 'api-failures-repeated',
    impact: 'Some callers of the API get 5xx again and again. A route with few requests may fail completely.',
    series: countFailures(watched),
  },
  {
    entry: 'api-slow',
    impact: 'Callers of the API wait for seconds, and some give up before they get the answer.',
    series: apiSeries(watched.apiId, 'Latency', 'p99'),
  },
  {
    entry: 'secret-keys-refused',
    impact:
      'Requests of several businesses with valid keys are refused. Their requests come from new addresses or are too many, or their keys were stolen.',
    series: refusedBusinesses(watched),
  },
];

/** The alarm on the certificate of the API's domain, which the check from outside does not see. */
export const certificateAlarms = ({ certificateArn }: WatchedStage): AlarmSpec[] =>
  certificateArn === undefined
    ? []
    : [
        {
          entry: 'certificate-expires',
          impact:
            'In less than a month nobody can reach the API at its domain, because its certificate was not renewed.',
          series: certificateSeries(certificateArn),
          missingDataBreaches: true,
        },
      ];

/** The longest that a code may wait for its mail, in seconds: half of its lifetime of ten minutes. */
const MAX_CODE_WAIT_SECONDS = 300;

/**
 * Alarms on signing in to the dashboard, and on notices. The alarm on signing in counts failed invocations. While a code waits too long for its
 * mail, a number that sets off the alarm is added to this count.
 */
export const dashboardAlarms = (watched: WatchedStage): AlarmSpec[] => {
  if (!watched.hasDashboard) return [];
  const codes = queueSeries(codeQueueName(watched), 'ApproximateAgeOfOldestMessage');
  return [
    {
      entry: 'dashboard-errors',
      impact: 'Members of businesses cannot sign in to the dashboard, or their codes come too late.',
      series: sumSeries([
        ...ALARMING_DASHBOARD_FUNCTIONS.map((spec) => functionSeries(functionName(watched, spec), 'Errors')),
        countIfAbove(codes, MAX_CODE_WAIT_SECONDS, ENTRIES['dashboard-errors'].limit.above + 1),
      ]),
    },
    {
      entry: 'notices-late',
      impact: 'Owners of businesses get no e-mails about important changes, such as a new passkey or a new live key.',
      series: serviceSeries(watched.stage, 'notice_lag', 'Maximum'),
      missingDataBreaches: true,
    },
  ];
};

/**
 * Sums read and write throttles. A sum has zeros for missing data, so its alarm ends. An alarm on a DynamoDB metric itself would keep its state
 * without data (AWS: "PutMetricAlarm").
 */
const sumThrottles = (tableName: string, index?: string): Series =>
  sumSeries([
    tableSeries(tableName, 'ReadThrottleEvents', index),
    tableSeries(tableName, 'WriteThrottleEvents', index),
  ]);

/** A throttled index throttles every write to the table that changes the index. */
const INDEX_IMPACT: Readonly<Record<(typeof TABLE.indexes)[number]['name'], string>> = {
  gsi1: 'Payments land late or not at all, and lists fail, because DynamoDB throttles the index of lists.',
  gsi2: 'Payments land late or not at all, and so do their webhooks, because DynamoDB throttles the index of due work.',
  gsi3: 'Payments land late or not at all, and lists and totals of payments fail, because DynamoDB throttles the index of payments.',
};

/** Alarms on throttles of the table and of each index. */
export const tableAlarms = ({ tableName }: WatchedStage): AlarmSpec[] => [
  {
    entry: 'table-throttles',
    impact: 'Requests are slow or get 5xx, and payments land late, because DynamoDB throttles the table.',
    series: sumThrottles(tableName),
  },
  ...TABLE.indexes.map(
    ({ name }): AlarmSpec => ({
      entry: 'index-throttles',
      resource: name,
      impact: INDEX_IMPACT[name],
      series: sumThrottles(tableName, name),
    }),
  ),
];
