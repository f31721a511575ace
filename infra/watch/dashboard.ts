import {
  AlarmStatusWidget,
  type CompositeAlarm,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { nameOf } from '#infra/constructs/names.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { QUEUE_LANES } from '#infra/lanes.ts';
import { TABLE } from '#infra/table.ts';
import type { EntryAlarm } from './pages.ts';
import { refusedBusinesses, unknownKeyWidgets } from './refused-keys.ts';
import { type FunctionMetric, ofApi, ofFunction, ofQueue, ofService, ofTable, type Series, sumOf } from './series.ts';
import { linesOf } from './service-alarms.ts';
import { deadLetterQueueName, functionName, GROUPS, queueName, type Watched } from './watched.ts';

/** A third of the 24 columns of a dashboard. */
const THIRD_WIDTH = 8;
const HEIGHT = 6;
/** Minutes a point. */
const POINT = 5;

const graph = (title: string, lines: Readonly<Record<string, Series>>): IWidget =>
  new GraphWidget({
    title,
    width: THIRD_WIDTH,
    height: HEIGHT,
    leftYAxis: { min: 0 },
    left: Object.entries(lines).map(([label, series]): IMetric => series(POINT, label)),
  });

/** A graph with the lines of the service's alarms that name it (service-entries.ts), after `others`. */
const alarmed = (watched: Watched, title: string, others: Readonly<Record<string, Series>> = {}): IWidget =>
  graph(title, { ...others, ...linesOf(watched, title) });

/** One line for each of `names`, after it. */
const each = (names: readonly string[], series: (name: string) => Series): Record<string, Series> =>
  Object.fromEntries(names.map((name) => [name, series(name)]));

const allOf = (watched: Watched, specs: readonly FunctionSpec[], metric: FunctionMetric): Series =>
  sumOf(specs.map((spec) => ofFunction(functionName(watched, spec), metric)));

const byGroup = (watched: Watched, metric: FunctionMetric): Record<string, Series> =>
  Object.fromEntries(Object.entries(GROUPS).map(([group, specs]) => [group, allOf(watched, specs, metric)]));

const apiRow = ({ apiId, stage }: Watched): IWidget[] => [
  graph('Requests', { requests: ofApi(apiId, 'Count', 'SampleCount') }),
  graph('Refused (4xx) and failed (5xx)', {
    '4xx': ofApi(apiId, '4xx', 'Sum'),
    '5xx': ofApi(apiId, '5xx', 'Sum'),
    '5xx that a function answered': ofService(stage, 'requests_failed', 'Sum'),
  }),
  graph('Latency of the API, ms', {
    ...each(['p50', 'p95', 'p99'], (percentile) => ofApi(apiId, 'Latency', percentile)),
    'functions alone, p99': ofApi(apiId, 'IntegrationLatency', 'p99'),
  }),
];

const keyRow = (watched: Watched): IWidget[] => [
  ...unknownKeyWidgets(watched, { width: THIRD_WIDTH, height: HEIGHT }),
  graph('Valid secret keys refused', { businesses: refusedBusinesses(watched) }),
];

const functionRow = (watched: Watched): IWidget[] => [
  graph('Functions: invocations', byGroup(watched, 'Invocations')),
  graph('Functions: errors', byGroup(watched, 'Errors')),
  graph('Functions: throttles', byGroup(watched, 'Throttles')),
];

const webhookRows = (watched: Watched): IWidget[][] => [
  [
    graph(
      'Landing to first attempt in live mode, ms',
      each(['p50', 'p95'], (p) => ofService(watched.stage, 'first_attempt_lag', p)),
    ),
    graph(
      'Landing to delivered, ms',
      each(['p50', 'p95'], (p) => ofService(watched.stage, 'delivery_lag', p)),
    ),
    graph('Webhooks delivered', { delivered: ofService(watched.stage, 'delivery_lag', 'SampleCount') }),
  ],
  [
    graph('Webhooks behind failing endpoints', {
      parked: ofService(watched.stage, 'deliveries_parked', 'Sum'),
      drained: ofService(watched.stage, 'deliveries_drained', 'Sum'),
    }),
    alarmed(watched, 'Webhooks given up'),
    alarmed(watched, 'Oldest due work, ms'),
  ],
];

const queueRow = (watched: Watched): IWidget[] => [
  graph('Queues: messages', {
    ...Object.fromEntries(
      QUEUE_LANES.flatMap((lane) => [
        [`${lane}, waiting`, ofQueue(queueName(watched, lane), 'ApproximateNumberOfMessagesVisible')],
        [`${lane}, in flight`, ofQueue(queueName(watched, lane), 'ApproximateNumberOfMessagesNotVisible')],
      ]),
    ),
    'retry, delayed': ofQueue(queueName(watched, 'retry'), 'ApproximateNumberOfMessagesDelayed'),
  }),
  graph(
    'Queues: oldest message, s',
    Object.fromEntries(
      QUEUE_LANES.map((lane) => [lane, ofQueue(queueName(watched, lane), 'ApproximateAgeOfOldestMessage')]),
    ),
  ),
  graph(
    'Dead letters',
    Object.fromEntries(
      QUEUE_LANES.map((lane) => [
        lane,
        ofQueue(deadLetterQueueName(watched, lane), 'ApproximateNumberOfMessagesVisible'),
      ]),
    ),
  ),
];

const tableRow = ({ tableName }: Watched): IWidget[] => {
  const indexes = TABLE.indexes.map(({ name }) => name);
  const consumed = (metric: 'ConsumedReadCapacityUnits' | 'ConsumedWriteCapacityUnits') => ({
    table: ofTable(tableName, metric),
    ...each(indexes, (index) => ofTable(tableName, metric, index)),
  });
  const throttled = (index?: string): Series =>
    sumOf([ofTable(tableName, 'ReadThrottleEvents', index), ofTable(tableName, 'WriteThrottleEvents', index)]);
  return [
    graph('Table: write units', consumed('ConsumedWriteCapacityUnits')),
    graph('Table: read units', consumed('ConsumedReadCapacityUnits')),
    graph('Table: throttles', { table: throttled(), ...each(indexes, throttled) }),
  ];
};

const providerRow = (watched: Watched): IWidget[] => [
  alarmed(watched, 'Notifications', {
    received: allOf(watched, GROUPS.notifications, 'Invocations'),
    refused: ofService(watched.stage, 'notifications_refused', 'Sum'),
    'of others’ checkouts': ofService(watched.stage, 'foreign_reports', 'Sum'),
  }),
  alarmed(watched, 'Providers that did not answer', {
    'creations refused as busy': ofService(watched.stage, 'provider_busy', 'Sum'),
  }),
  alarmed(watched, 'Money that matches nothing, or cannot be recorded'),
];

/** Alarms that one widget takes at most (AWS: "Dashboard body structure and syntax"). */
const ALARMS_IN_WIDGET = 100;
/** Entries with an alarm for each function of the API: beside the others. */
const BY_FUNCTION: readonly EntryAlarm['entry'][] = ['api-function-errors', 'lambda-throttles'];

const alarmRow = (pages: readonly CompositeAlarm[], alarms: readonly EntryAlarm[]): IWidget[] => {
  const shown = (isShown: (alarm: EntryAlarm) => boolean) => alarms.filter(isShown).map(({ alarm }) => alarm);
  const rows = {
    Pages: pages,
    Alarms: shown(({ entry }) => !BY_FUNCTION.includes(entry)),
    'Alarms of each function': shown(({ entry }) => BY_FUNCTION.includes(entry)),
  };
  return Object.entries(rows).map(([title, inRow]) => {
    if (inRow.length > ALARMS_IN_WIDGET) throw new Error(`"${title}" holds more alarms than a widget takes.`);
    return new AlarmStatusWidget({ title, width: THIRD_WIDTH, height: HEIGHT, alarms: [...inRow] });
  });
};

/** The dashboard of a stage: its alarms, then what callers see, then what is behind it, from the API down to the providers. */
export const addDashboard = (
  scope: Construct,
  watched: Watched,
  pages: readonly CompositeAlarm[],
  alarms: readonly EntryAlarm[],
): Dashboard =>
  new Dashboard(scope, 'Dashboard', {
    dashboardName: nameOf(watched.stage, 'overview'),
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
