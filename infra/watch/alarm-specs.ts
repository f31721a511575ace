import type { FunctionSpec } from '#infra/function-spec.ts';
import { isMoneyLane, type MoneyLane, QUEUE_LANES } from '#infra/lanes.ts';
import { TABLE } from '#infra/table.ts';
import type { Lane } from '#shared/webhooks/domain/delivery.ts';
import { ENTRIES, FEWEST_REQUESTS, type RunbookEntry } from './entries.ts';
import { refusedBusinesses } from './refused-keys.ts';
import {
  countIfAbove,
  ofApi,
  ofCertificate,
  ofFunction,
  ofQueue,
  ofService,
  ofTable,
  percentOf,
  type Series,
  sumOf,
} from './series.ts';
import {
  ALARMING_DASHBOARD_FUNCTIONS,
  codeQueueName,
  deadLetterQueueName,
  functionName,
  GROUPS,
  queueName,
  routeOf,
  type Watched,
} from './watched.ts';

/** One alarm. Its limit is that of its runbook entry. */
export interface AlarmSpec {
  readonly entry: RunbookEntry;
  /** Which of the alarms of that entry it is, where there are several. */
  readonly of?: string;
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

const waitingAlarm = (watched: Watched, lane: Exclude<Lane, 'test'>): AlarmSpec => ({
  entry: lane === 'first' ? 'first-attempts-waiting' : 'retries-waiting',
  of: lane,
  impact: `${LANE_WORK[lane]} come late: no consumer takes them from their queue.`,
  series: ofQueue(queueName(watched, lane), 'ApproximateAgeOfOldestMessage'),
});

const moneyWaitingAlarm = (watched: Watched, lane: MoneyLane): AlarmSpec => ({
  entry: 'money-waiting',
  of: lane,
  impact:
    'Live money of a provider lands late: no consumer takes its work from the queue, or more comes than it bears.',
  series: ofQueue(queueName(watched, lane), 'ApproximateAgeOfOldestMessage'),
});

/** Dead letters, and messages that wait too long: not those of test mode, which anybody with a test key could make wait. */
export const queueAlarms = (watched: Watched): AlarmSpec[] =>
  QUEUE_LANES.flatMap((lane): AlarmSpec[] => {
    const isMoney = isMoneyLane(lane);
    const deadLetters: AlarmSpec = {
      entry: isMoney ? 'money-dead-letters' : 'dead-letters',
      of: lane,
      impact: isMoney
        ? 'Live money of a provider lands minutes late: our consumer failed five times on a message.'
        : `${LANE_WORK[lane]} come late, if at all: our consumer failed five times on a message.`,
      series: ofQueue(deadLetterQueueName(watched, lane), 'ApproximateNumberOfMessagesVisible'),
    };
    if (isMoney) return [deadLetters, ...(lane === 'money-test' ? [] : [moneyWaitingAlarm(watched, lane)])];
    return [deadLetters, ...(lane === 'test' ? [] : [waitingAlarm(watched, lane)])];
  });

const errorsOf =
  (watched: Watched, entry: RunbookEntry, impact: (spec: FunctionSpec) => string) =>
  (spec: FunctionSpec): AlarmSpec => ({
    entry,
    of: spec.name,
    impact: impact(spec),
    series: ofFunction(functionName(watched, spec), 'Errors'),
  });

const SWEEPS: Readonly<Record<string, string>> = {
  'sweep-deliveries': 'Retries after more than 15 minutes, and webhooks that a crash left behind, are not sent.',
  'sweep-payments': 'Checkouts do not expire, and money whose notification got lost is not found.',
};

const sweepImpact = ({ name }: FunctionSpec): string => SWEEPS[name] ?? `What ${name} does is not done.`;

/** One function each: several together, each in another minute, would look like one that goes on. */
const throttlesOfFunction =
  (watched: Watched, impact: (spec: FunctionSpec) => string) =>
  (spec: FunctionSpec): AlarmSpec => ({
    entry: 'lambda-throttles',
    of: spec.name,
    impact: impact(spec),
    series: ofFunction(functionName(watched, spec), 'Throttles'),
  });

/** Errors and throttles of functions, and sweepers that do not run. */
export const functionAlarms = (watched: Watched): AlarmSpec[] => [
  ...GROUPS.consumers.map(
    errorsOf(watched, 'consumer-errors', () => 'Webhooks come minutes late: batches of them failed as a whole.'),
  ),
  ...GROUPS.money.map(
    errorsOf(watched, 'money-errors', () => 'Live money lands minutes late: batches of its work failed as a whole.'),
  ),
  ...GROUPS.sweepers.map(errorsOf(watched, 'sweeper-errors', sweepImpact)),
  ...GROUPS.sweepers.map(
    (spec): AlarmSpec => ({
      entry: 'sweeper-silent',
      of: spec.name,
      impact: sweepImpact(spec),
      series: ofFunction(functionName(watched, spec), 'Invocations'),
      missingDataBreaches: true,
    }),
  ),
  ...GROUPS.notifications.map(
    errorsOf(
      watched,
      'notification-errors',
      () => 'Live money lands late: the reconciliation finds it minutes after its payer paid.',
    ),
  ),
  ...GROUPS.api.map(
    errorsOf(watched, 'api-function-errors', (spec) => `Callers get no proper answer from ${routeOf(spec)}.`),
  ),
  ...GROUPS.api.map(
    throttlesOfFunction(watched, (spec) => `Callers get 5xx at once from ${routeOf(spec)}, and nothing was done.`),
  ),
  ...GROUPS.notifications.map(
    throttlesOfFunction(watched, () => 'Live money lands late, at the next repeat of its notification.'),
  ),
  ...GROUPS.consumers.map(throttlesOfFunction(watched, () => 'Webhooks come late: Lambda throttles their consumer.')),
  ...GROUPS.money.map(throttlesOfFunction(watched, () => 'Live money lands late: Lambda throttles its consumer.')),
  ...GROUPS.sweepers.map(throttlesOfFunction(watched, () => 'Webhooks and checkouts that are due are handled late.')),
];

/**
 * The 5xx that our functions answered. The gateway's own count is not used: a stranger who sends many requests at once to a function that
 * is cold meets Lambda's ceiling, and must not call people. Such throttles, and invocations that nothing answered, have alarms of their own.
 */
const failuresOf = ({ stage }: Watched): Series => ofService(stage, 'requests_failed', 'Sum');

/** What callers of the API see of it. */
export const apiAlarms = (watched: Watched): AlarmSpec[] => [
  {
    entry: 'api-failures',
    impact: 'Callers of the API get 5xx: checkouts cannot be started or verified.',
    series: percentOf(failuresOf(watched), ofApi(watched.apiId, 'Count', 'SampleCount'), FEWEST_REQUESTS),
  },
  {
    entry: 'api-failures-repeated',
    impact: 'Some callers of the API get 5xx again and again: a route with few requests may fail completely.',
    series: failuresOf(watched),
  },
  {
    entry: 'api-slow',
    impact: 'Callers of the API wait for seconds, and some give up before the answer comes.',
    series: ofApi(watched.apiId, 'Latency', 'p99'),
  },
  {
    entry: 'secret-keys-refused',
    impact:
      'Several businesses are refused under keys that are valid: their calls come from new addresses or are too many, or their keys were stolen.',
    series: refusedBusinesses(watched),
  },
];

/** The one thing about the API's own name that no check from outside sees. */
export const certificateAlarms = ({ certificateArn }: Watched): AlarmSpec[] =>
  certificateArn === undefined
    ? []
    : [
        {
          entry: 'certificate-expires',
          impact: 'In a month nobody reaches the API by its own name: its certificate is not renewed.',
          series: ofCertificate(certificateArn),
          missingDataBreaches: true,
        },
      ];

/** A code that waits for so many seconds is half over when it is mailed. */
const CODE_WAITS_SECONDS = 300;

/** The dashboard's alarms: signing in, and notices. Codes that wait count as many failed invocations as it takes to go off. */
export const dashboardAlarms = (watched: Watched): AlarmSpec[] => {
  if (!watched.hasDashboard) return [];
  const codes = ofQueue(codeQueueName(watched), 'ApproximateAgeOfOldestMessage');
  return [
    {
      entry: 'dashboard-errors',
      impact: 'Members of businesses cannot sign in to the dashboard, or their codes come too late.',
      series: sumOf([
        ...ALARMING_DASHBOARD_FUNCTIONS.map((spec) => ofFunction(functionName(watched, spec), 'Errors')),
        countIfAbove(codes, CODE_WAITS_SECONDS, ENTRIES['dashboard-errors'].limit.above + 1),
      ]),
    },
    {
      entry: 'notices-late',
      impact: 'Owners of businesses are not mailed of changes that matter, such as another passkey or a live key.',
      series: ofService(watched.stage, 'notice_lag', 'Maximum'),
      missingDataBreaches: true,
    },
  ];
};

/** Zeros for what is missing end it: PutMetricAlarm's page says that an alarm on DynamoDB's metrics alone keeps its state while none come. */
const throttlesOf = (tableName: string, index?: string): Series =>
  sumOf([ofTable(tableName, 'ReadThrottleEvents', index), ofTable(tableName, 'WriteThrottleEvents', index)]);

/** A throttled index throttles every write to the table that it shows. */
const INDEX_IMPACT: Readonly<Record<(typeof TABLE.indexes)[number]['name'], string>> = {
  gsi1: 'Payments land late or not at all, and lists fail: the index of lists throttles.',
  gsi2: 'Payments land late or not at all, and webhooks with them: the index of due work throttles.',
  gsi3: 'Payments land late or not at all, and their lists and totals fail: the index of payments throttles.',
};

/** The table's throttles, and those of each index. */
export const tableAlarms = ({ tableName }: Watched): AlarmSpec[] => [
  {
    entry: 'table-throttles',
    impact: 'Requests are slow or fail with 5xx, and payments land late: the table throttles.',
    series: throttlesOf(tableName),
  },
  ...TABLE.indexes.map(
    ({ name }): AlarmSpec => ({
      entry: 'index-throttles',
      of: name,
      impact: INDEX_IMPACT[name],
      series: throttlesOf(tableName, name),
    }),
  ),
];
