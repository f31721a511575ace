import {
  AlarmStatusWidget,
  type CompositeAlarm,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { resourceName } from '#infra/constructs/names.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { QUEUE_LANES } from '#infra/lanes.ts';
import { TABLE } from '#infra/table.ts';
import type { EntryAlarm } from './pages.ts';
import { refusedBusinesses, unknownKeyWidgets } from './refused-keys.ts';
import {
  apiSeries,
  type FunctionMetric,
  functionSeries,
  queueSeries,
  type Series,
  serviceSeries,
  sumSeries,
  tableSeries,
} from './series.ts';
import { listGraphLines } from './service-alarms.ts';
import { deadLetterQueueName, functionName, GROUPS, queueName, type WatchedStage } from './watched.ts';

/** A third of the 24 columns of a dashboard. */
const THIRD_WIDTH = 8;
const HEIGHT = 6;
/** Minutes between two points of a graph. */
const POINT_MINUTES = 5;

const graph = (title: string, lines: Readonly<Record<string, Series>>): IWidget =>
  new GraphWidget({
    title,
    width: THIRD_WIDTH,
    height: HEIGHT,
    leftYAxis: { min: 0 },
    left: Object.entries(lines).map(([label, series]): IMetric => series(POINT_MINUTES, label)),
  });

/** Makes a graph of `others`, and of the metric of each alarm whose `graphLine` names this title (service-entries.ts). */
const graphWithAlarms = (
  watched: WatchedStage,
  title: string,
  others: Readonly<Record<string, Series>> = {},
): IWidget => graph(title, { ...others, ...listGraphLines(watched, title) });

/** Makes one line for each name. */
const makeLines = (names: readonly string[], series: (name: string) => Series): Record<string, Series> =>
  Object.fromEntries(names.map((name) => [name, series(name)]));

const sumFunctions = (watched: WatchedStage, specs: readonly FunctionSpec[], metric: FunctionMetric): Series =>
  sumSeries(specs.map((spec) => functionSeries(functionName(watched, spec), metric)));

const byGroup = (watched: WatchedStage, metric: FunctionMetric): Record<string, Series> =>
  Object.fromEntries(Object.entries(GROUPS).map(([group, specs]) => [group, sumFunctions(watched, specs, metric)]));

const apiRow = ({ apiId, stage }: WatchedStage): IWidget[] => [
  graph('Requests', { requests: apiSeries(apiId, 'Count', 'SampleCount') }),
  graph('Refused (4xx) and failed (5xx)', {
    '4xx': apiSeries(apiId, '4xx', 'Sum'),
    '5xx': apiSeries(apiId, '5xx', 'Sum'),
    '5xx answers of functions': serviceSeries(stage, 'requests_failed', 'Sum'),
  }),
  graph('Latency of the API, ms', {
    ...makeLines(['p50', 'p95', 'p99'], (percentile) => apiSeries(apiId, 'Latency', percentile)),
    'only functions, p99': apiSeries(apiId, 'IntegrationLatency', 'p99'),
  }),
];

const keyRow = (watched: WatchedStage): IWidget[] => [
  ...unknownKeyWidgets(watched, { width: THIRD_WIDTH, height: HEIGHT }),
  graph('Businesses refused with valid secret keys', { businesses: refusedBusinesses(watched) }),
];

const functionRow = (watched: WatchedStage): IWidget[] => [
  graph('Functions: invocations', byGroup(watched, 'Invocations')),
  graph('Functions: errors', byGroup(watched, 'Errors')),
  graph('Functions: throttles', byGroup(watched, 'Throttles')),
];

const webhookRows = (watched: WatchedStage): IWidget[][] => [
  [
    graph(
      'Landing to first attempt in live mode, ms',
      makeLines(['p50', 'p95'], (p) => serviceSeries(watched.stage, 'first_attempt_lag', p)),
    ),
    graph(
      'Landing to delivered, ms',
      makeLines(['p50', 'p95'], (p) => serviceSeries(watched.stage, 'delivery_lag', p)),
    ),
    graph('Webhooks delivered', { delivered: serviceSeries(watched.stage, 'delivery_lag', 'SampleCount') }),
  ],
  [
    graph('Webhooks behind failing endpoints', {
      parked: serviceSeries(watched.stage, 'deliveries_parked', 'Sum'),
      drained: serviceSeries(watched.stage, 'deliveries_drained', 'Sum'),
    }),
    graphWithAlarms(watched, 'Webhooks given up'),
    graphWithAlarms(watched, 'Oldest due work, ms'),
  ],
];

const queueRow = (watched: WatchedStage): IWidget[] => [
  graph('Queues: messages', {
    ...Object.fromEntries(
      QUEUE_LANES.flatMap((lane) => [
        [`${lane}, waiting`, queueSeries(queueName(watched, lane), 'ApproximateNumberOfMessagesVisible')],
        [`${lane}, in flight`, queueSeries(queueName(watched, lane), 'ApproximateNumberOfMessagesNotVisible')],
      ]),
    ),
    'retry, delayed': queueSeries(queueName(watched, 'retry'), 'ApproximateNumberOfMessagesDelayed'),
  }),
  graph(
    'Queues: oldest message, s',
    Object.fromEntries(
      QUEUE_LANES.map((lane) => [lane, queueSeries(queueName(watched, lane), 'ApproximateAgeOfOldestMessage')]),
    ),
  ),
  graph(
    'Dead letters',
    Object.fromEntries(
      QUEUE_LANES.map((lane) => [
        lane,
        queueSeries(deadLetterQueueName(watched, lane), 'ApproximateNumberOfMessagesVisible'),
      ]),
    ),
  ),
];

const tableRow = ({ tableName }: WatchedStage): IWidget[] => {
  const indexes = TABLE.indexes.map(({ name }) => name);
  const consumed = (metric: 'ConsumedReadCapacityUnits' | 'ConsumedWriteCapacityUnits') => ({
    table: tableSeries(tableName, metric),
    ...makeLines(indexes, (index) => tableSeries(tableName, metric, index)),
  });
  const throttled = (index?: string): Series =>
    sumSeries([
      tableSeries(tableName, 'ReadThrottleEvents', index),
      tableSeries(tableName, 'WriteThrottleEvents', index),
    ]);
  return [
    graph('Table: write units', consumed('ConsumedWriteCapacityUnits')),
    graph('Table: read units', consumed('ConsumedReadCapacityUnits')),
    graph('Table: throttles', { table: throttled(), ...makeLines(indexes, throttled) }),
  ];
};

const providerRow = (watched: WatchedStage): IWidget[] => [
  graphWithAlarms(watched, 'Notifications', {
    received: sumFunctions(watched, GROUPS.notifications, 'Invocations'),
    refused: serviceSeries(watched.stage, 'notifications_refused', 'Sum'),
    'for unknown checkouts': serviceSeries(watched.stage, 'foreign_reports', 'Sum'),
  }),
  graphWithAlarms(watched, 'Providers that did not answer', {
    'creations rejected as busy': serviceSeries(watched.stage, 'provider_busy', 'Sum'),
  }),
  graphWithAlarms(watched, 'Money that matches nothing, or cannot be recorded'),
];

/** The most alarms in one widget (AWS: "Dashboard body structure and syntax"). */
const ALARMS_IN_WIDGET = 100;
/** Entries that have an alarm for each function. They get their own widget. */
const BY_FUNCTION: readonly EntryAlarm['entry'][] = ['api-function-errors', 'lambda-throttles'];

const alarmRow = (pages: readonly CompositeAlarm[], alarms: readonly EntryAlarm[]): IWidget[] => {
  const pickAlarms = (isShown: (alarm: EntryAlarm) => boolean) => alarms.filter(isShown).map(({ alarm }) => alarm);
  const rows = {
    Pages: pages,
    Alarms: pickAlarms(({ entry }) => !BY_FUNCTION.includes(entry)),
    'Alarms of each function': pickAlarms(({ entry }) => BY_FUNCTION.includes(entry)),
  };
  return Object.entries(rows).map(([title, rowAlarms]) => {
    if (rowAlarms.length > ALARMS_IN_WIDGET) throw new Error(`"${title}" has more alarms than a widget takes.`);
    return new AlarmStatusWidget({ title, width: THIRD_WIDTH, height: HEIGHT, alarms: [...rowAlarms] });
  });
};

/** Adds the operators' dashboard of a stage. It shows the alarms first, then the API as callers see it, and the providers last. */
export const addDashboard = (
  scope: Construct,
  watched: WatchedStage,
  pages: readonly CompositeAlarm[],
  alarms: readonly EntryAlarm[],
): Dashboard =>
  new Dashboard(scope, 'Dashboard', {
    dashboardName: resourceName(watched.stage, 'overview'),
    widgets: [
      alarmRow(pages, alarms),
      apiRow(watched),
      keyRow(watched),
      functionRow(watched),
      ...webhookRows(watched),
      queueRow(watched),
      tableRow(watched),
      providerRow(watched),
    ],
  });
