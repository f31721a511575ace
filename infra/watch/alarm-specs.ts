import type { FunctionSpec } from '#infra/function-spec.ts';
import { isMoneyLane, type MoneyLane, QUEUE_LANES } from '#infra/lanes.ts';
import { TABLE } from '#infra/table.ts';
import type { Lane } from '#shared/webhooks/domain/delivery.ts';
import { ENTRIES, FEWEST_REQUESTS, type RunbookEntry } from './entries.ts';
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

/** One alarm. Its limit is that of its runbook entry. */
export interface AlarmSpec {
  readonly entry: RunbookEntry;
  /** Which of the alarms of that entry it is, where there are several. */
  readonly resource?: string;
  /** The effect that users notice, in one sentence. */
  readonly impact: string;
  readonly series: Series;
  /** Missing data is an alarm as well. In the other alarms it means that nothing happened. */
  readonly missingDataBreaches?: true;
}

const LANE_WORK: Readonly<Record<Lane, string>> = {
  first: 'First attempts of webhooks',
  retry: 'Retries of webhooks',
  slow: 'Webhooks to slow endpoints',
  test: 'Webhooks of test mode',
};

const waitingAlarm = (watched: WatchedStage, lane: Exclude<Lane, 'test'>): AlarmSpec => ({
  entry: lane === 'first' ? 'first-attempts-waiting' : 'retries-waiting',
  resource: lane,
  impact: `${LANE_WORK[lane]} come late: no consumer takes them from their queue.`,
  series: queueSeries(queueName(watched, lane), 'ApproximateAgeOfOldestMessage'),
});

const moneyWaitingAlarm = (watched: WatchedStage, lane: MoneyLane): AlarmSpec => ({
  entry: 'money-waiting',
  resource: lane,
  impact:
    'Live money of a provider lands late: no consumer takes its work from the queue, or more comes than it bears.',
  series: queueSeries(queueName(watched, lane), 'ApproximateAgeOfOldestMessage'),
});

/** Dead letters, and messages that wait too long: not those of test mode, which anybody with a test key could make wait. */
export const queueAlarms = (watched: WatchedStage): AlarmSpec[] =>
  QUEUE_LANES.flatMap((lane): AlarmSpec[] => {
    const isMoney = isMoneyLane(lane);
    const deadLetters: AlarmSpec = {
      entry: isMoney ? 'money-dead-letters' : 'dead-letters',
      resource: lane,
      impact: isMoney
        ? 'Live money of a provider lands minutes late: our consumer failed five times on a message.'
        : `${LANE_WORK[lane]} come late, if at all: our consumer failed five times on a message.`,
      series: queueSeries(deadLetterQueueName(watched, lane), 'ApproximateNumberOfMessagesVisible'),
    };
    if (isMoney) return [deadLetters, ...(lane === 'money-test' ? [] : [moneyWaitingAlarm(watched, lane)])];
    return [deadLetters, ...(lane === 'test' ? [] : [waitingAlarm(watched, lane)])];
  });

const alarmOnErrors =
  (watched: WatchedStage, entry: RunbookEntry, impact: (spec: FunctionSpec) => string) =>
  (spec: FunctionSpec): AlarmSpec => ({
    entry,
    resource: spec.name,
    impact: impact(spec),
    series: functionSeries(functionName(watched, spec), 'Errors'),
  });

const SWEEPS: Readonly<Record<string, string>> = {
  'sweep-deliveries': 'Retries after more than 15 minutes, and webhooks that a crash left behind, are not sent.',
  'sweep-payments': 'Checkouts do not expire, and money whose notification got lost is not found.',
};

const sweepImpact = ({ name }: FunctionSpec): string => SWEEPS[name] ?? `What ${name} does is not done.`;

/** One function each: several together, each in another minute, would look like one that goes on. */
const alarmOnThrottles =
  (watched: WatchedStage, impact: (spec: FunctionSpec) => string) =>
  (spec: FunctionSpec): AlarmSpec => ({
    entry: 'lambda-throttles',
    resource: spec.name,
    impact: impact(spec),
    series: functionSeries(functionName(watched, spec), 'Throttles'),
  });

/** Errors and throttles of functions, and sweepers that do not run. */
export const functionAlarms = (watched: WatchedStage): AlarmSpec[] => [
  ...GROUPS.consumers.map(
    alarmOnErrors(watched, 'consumer-errors', () => 'Webhooks come minutes late: batches of them failed as a whole.'),
  ),
  ...GROUPS.money.map(
    alarmOnErrors(
      watched,
      'money-errors',
      () => 'Live money lands minutes late: batches of its work failed as a whole.',
    ),
  ),
  ...GROUPS.sweepers.map(alarmOnErrors(watched, 'sweeper-errors', sweepImpact)),
  ...GROUPS.sweepers.map(
    (spec): AlarmSpec => ({
      entry: 'sweeper-silent',
      resource: spec.name,
      impact: sweepImpact(spec),
      series: functionSeries(functionName(watched, spec), 'Invocations'),
      missingDataBreaches: true,
    }),
  ),
  ...GROUPS.notifications.map(
    alarmOnErrors(
      watched,
      'notification-errors',
      () => 'Live money lands late: the reconciliation finds it minutes after its payer paid.',
    ),
  ),
  ...GROUPS.api.map(
    alarmOnErrors(
      watched,
      'api-function-errors',
      (spec) => `Callers get no proper answer from ${describeRoute(spec)}.`,
    ),
  ),
  ...GROUPS.api.map(
    alarmOnThrottles(watched, (spec) => `Callers get 5xx at once from ${describeRoute(spec)}, and nothing was done.`),
  ),
  ...GROUPS.notifications.map(
    alarmOnThrottles(watched, () => 'Live money lands late, at the next repeat of its notification.'),
  ),
  ...GROUPS.consumers.map(alarmOnThrottles(watched, () => 'Webhooks come late: Lambda throttles their consumer.')),
  ...GROUPS.money.map(alarmOnThrottles(watched, () => 'Live money lands late: Lambda throttles its consumer.')),
  ...GROUPS.sweepers.map(alarmOnThrottles(watched, () => 'Webhooks and checkouts that are due are handled late.')),
];

/**
 * The 5xx that our functions answered. The gateway's own count is not used: a stranger who sends many requests at once to a function that
 * is cold meets Lambda's ceiling, and must not call people. Such throttles, and invocations that nothing answered, have alarms of their own.
 */
const countFailures = ({ stage }: WatchedStage): Series => serviceSeries(stage, 'requests_failed', 'Sum');

/** What callers of the API see of it. */
export const apiAlarms = (watched: WatchedStage): AlarmSpec[] => [
  {
    entry: 'api-failures',
    impact: 'Callers of the API get 5xx: checkouts cannot be started or verified.',
    series: computePercent(countFailures(watched), apiSeries(watched.apiId, 'Count', 'SampleCount'), FEWEST_REQUESTS),
  },
  {
    entry: 'api-failures-repeated',
    impact: 'Some callers of the API get 5xx again and again: a route with few requests may fail completely.',
    series: countFailures(watched),
  },
  {
    entry: 'api-slow',
    impact: 'Callers of the API wait for seconds, and some give up before the answer comes.',
    series: apiSeries(watched.apiId, 'Latency', 'p99'),
  },
  {
    entry: 'secret-keys-refused',
    impact:
      'Several businesses are refused under keys that are valid: their calls come from new addresses or are too many, or their keys were stolen.',
    series: refusedBusinesses(watched),
  },
];

/** The one thing about the API's own name that no check from outside sees. */
export const certificateAlarms = ({ certificateArn }: WatchedStage): AlarmSpec[] =>
  certificateArn === undefined
    ? []
    : [
        {
          entry: 'certificate-expires',
          impact: 'In a month nobody reaches the API by its own name: its certificate is not renewed.',
          series: certificateSeries(certificateArn),
          missingDataBreaches: true,
        },
      ];

/** A code that waits for so many seconds is half over when it is mailed. */
const CODE_WAITS_SECONDS = 300;

/** The dashboard's alarms: signing in, and notices. Codes that wait count as many failed invocations as it takes to go off. */
export const dashboardAlarms = (watched: WatchedStage): AlarmSpec[] => {
  if (!watched.hasDashboard) return [];
  const codes = queueSeries(codeQueueName(watched), 'ApproximateAgeOfOldestMessage');
  return [
    {
      entry: 'dashboard-errors',
      impact: 'Members of businesses cannot sign in to the dashboard, or their codes come too late.',
      series: sumSeries([
        ...ALARMING_DASHBOARD_FUNCTIONS.map((spec) => functionSeries(functionName(watched, spec), 'Errors')),
        countIfAbove(codes, CODE_WAITS_SECONDS, ENTRIES['dashboard-errors'].limit.above + 1),
      ]),
    },
    {
      entry: 'notices-late',
      impact: 'Owners of businesses are not mailed of changes that matter, such as another passkey or a live key.',
      series: serviceSeries(watched.stage, 'notice_lag', 'Maximum'),
      missingDataBreaches: true,
    },
  ];
};

/** Zeros for what is missing end it: PutMetricAlarm's page says that an alarm on DynamoDB's metrics alone keeps its state while none come. */
const sumThrottles = (tableName: string, index?: string): Series =>
  sumSeries([
    tableSeries(tableName, 'ReadThrottleEvents', index),
    tableSeries(tableName, 'WriteThrottleEvents', index),
  ]);

/** A throttled index throttles every write to the table that it shows. */
const INDEX_IMPACT: Readonly<Record<(typeof TABLE.indexes)[number]['name'], string>> = {
  gsi1: 'Payments land late or not at all, and lists fail: the index of lists throttles.',
  gsi2: 'Payments land late or not at all, and webhooks with them: the index of due work throttles.',
  gsi3: 'Payments land late or not at all, and their lists and totals fail: the index of payments throttles.',
};

/** The table's throttles, and those of each index. */
export const tableAlarms = ({ tableName }: WatchedStage): AlarmSpec[] => [
  {
    entry: 'table-throttles',
    impact: 'Requests are slow or fail with 5xx, and payments land late: the table throttles.',
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
