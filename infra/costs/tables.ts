import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { type AlarmSpec, dashboardAlarms } from '#infra/watch/alarm-specs.ts';
import { alarmSpecs } from '#infra/watch/alarms.ts';
import { type Tables, table } from './page.ts';
import { LIVE_STEPS, MESSAGE_REQUESTS, QUEUED, STEPS, type Units } from './steps.ts';

/* The tables of costs.md, from the counted steps, the alarms and AWS's list prices. */

/** Dollars per million requests, runs, GB-seconds or units, on demand in us-east-1. */
const PRICE = { api: 1, run: 0.2, gbSecond: 13.3334, sqs: 0.5, write: 0.625, read: 0.125 };
/** Dollars per month for each metric in an alarm. */
const ALARM_METRIC = 0.1;
const MEMORY_GB = 0.5;
/** Assumed seconds of a request or a delivery, and of a delivery that is only parked. */
export const RUN_SECONDS = 0.05;
const PARKED_SECONDS = 0.01;

const runsCost = (runs: number, seconds: number): number => runs * (PRICE.run + MEMORY_GB * seconds * PRICE.gbSecond);

/** Other costs of a step: requests to API Gateway and SQS, and runs of Lambda. A request that the rate limit counts costs one more write unit. */
interface OtherCosts {
  readonly api?: number;
  readonly lambda?: number;
  readonly sqs?: number;
  readonly isCounted?: boolean;
}
const CALL: OtherCosts = { api: 1, lambda: 1, isCounted: true };
const PAGE: OtherCosts = { api: 1, lambda: 1 };
const toUnits = ([, ...units]: readonly [number, ...Units]): Units => units;

const BILLS: readonly (readonly [name: string, costs: OtherCosts, units: Units])[] = [
  ['verify', CALL, STEPS['Checkout verified']],
  ['payment pages', PAGE, STEPS['Payment page shown']],
  ['requests of payment pages for news', PAGE, STEPS['Payment page asks for news, there is none']],
  ['logos of 64 kB', PAGE, STEPS['The largest logo loaded, once in a browser']],
  ['lists with one item', CALL, STEPS['A list with one item']],
  [
    'pages of events by delivery status, as above',
    CALL,
    STEPS['A page of events by delivery status, five endpoints, a hundred events'],
  ],
  ['checkouts, test mode', CALL, STEPS['Checkout initialized (test mode)']],
  ['landings by simulation, one endpoint', { ...CALL, sqs: 1 }, STEPS['Money landed, one endpoint']],
  ['checkouts, live mode', CALL, toUnits(LIVE_STEPS['Checkout initialized'])],
  ['virtual accounts, live mode', CALL, toUnits(LIVE_STEPS['Virtual account created'])],
  [
    'landings by notification, one endpoint',
    // Of the delivery's message, only the send is counted here. The deliveries below count the rest.
    { ...PAGE, lambda: 2, sqs: MESSAGE_REQUESTS * QUEUED.paid.tickets + 1 },
    toUnits(LIVE_STEPS['Money landed: notified, looked up, one endpoint']),
  ],
  [
    'deliveries at the first attempt',
    { lambda: 1, sqs: MESSAGE_REQUESTS - 1 },
    STEPS['Delivered at the first attempt'],
  ],
  [
    'reviews of payments at Korapay',
    { lambda: 1, sqs: MESSAGE_REQUESTS },
    toUnits(LIVE_STEPS['Payment reviewed within the week, at Korapay']),
  ],
  [
    'unpaid live checkouts',
    { lambda: 3, sqs: MESSAGE_REQUESTS * QUEUED.unpaid.tickets },
    toUnits(LIVE_STEPS['Checkout that nobody pays: three look-ups, expired']),
  ],
];

const billRow = ([name, costs, [, reads, writes]]: (typeof BILLS)[number]): string[] => {
  const { api = 0, lambda = 0, sqs = 0, isCounted = false } = costs;
  const dollars = [
    api * PRICE.api,
    runsCost(lambda, RUN_SECONDS),
    sqs * PRICE.sqs,
    (writes + (isCounted ? 1 : 0)) * PRICE.write,
    reads * PRICE.read,
  ];
  const total = dollars.reduce((sum, part) => sum + part, 0);
  return [name, ...dollars.map((part) => part.toFixed(2)), `**${total.toFixed(2)}**`];
};

/** Makes the bill for a million deliveries, from the load of one delivery and the seconds of one run of the consumer. */
const tabulateMillion = (each: {
  writes: number;
  reads: number;
  sqs: number;
  runs: number;
  seconds: number;
}): string => {
  const { writes, reads, sqs, runs, seconds } = each;
  const rows = [
    ['DynamoDB writes', writes, writes * PRICE.write],
    ['DynamoDB reads', reads, reads * PRICE.read],
    ['SQS messages sent, received and deleted', sqs, sqs * PRICE.sqs],
    [`Lambda consumer, 512 MB, ${seconds * 1_000} ms`, runs, runsCost(runs, seconds)],
  ] as const;
  const total = rows.reduce((sum, [, , dollars]) => sum + dollars, 0);
  return table(
    ['', 'count', 'dollars'],
    [
      ...rows.map(([name, count, dollars]) => [name, `${count} M`, dollars.toFixed(2)]),
      ['**in all**', '', `**${total.toFixed(2)}**`],
    ],
  );
};

const tabulateHealthy = (): string => {
  const [landing, delivery] = [STEPS['Money landed, one endpoint'], STEPS['Delivered at the first attempt']];
  const [reads, writes] = [landing[1] + delivery[1], landing[2] + delivery[2]];
  return tabulateMillion({ writes, reads, sqs: 3, runs: 1, seconds: RUN_SECONDS });
};

/**
 * Makes the bill of an outage: the costs beyond those of a healthy delivery. Each delivery is parked, checked three times, and released by a
 * drain. The drain reads it once more, and its delivery writes more.
 */
const tabulateOutage = (): string => {
  const [parked, checked, released] = [
    STEPS['Delivery parked'],
    STEPS['Parked delivery checked by the safety net, once a day'],
    STEPS['Parked delivery released'],
  ];
  const extraWrites = STEPS['Released delivery delivered'][2] - STEPS['Delivered at the first attempt'][2];
  const writes = parked[2] + 3 * checked[2] + released[2] + extraWrites;
  return tabulateMillion({ writes, reads: parked[1] + 3 * checked[1] + 1, sqs: 12, runs: 4, seconds: PARKED_SECONDS });
};

/** Counts the metrics of an alarm, which AWS bills. An expression without metrics counts as one. */
const countAlarmMetrics = (metric: IMetric): number =>
  metric instanceof MathExpression
    ? Math.max(
        Object.values(metric.usingMetrics).reduce((sum, used) => sum + countAlarmMetrics(used), 0),
        1,
      )
    : 1;
const countMetrics = (specs: readonly AlarmSpec[]): number =>
  specs.reduce((sum, { series }) => sum + countAlarmMetrics(series(5)), 0);

/** Counts prod's alarms, their metrics, and the metrics that the dashboard of businesses adds. */
const countAlarms = (): { readonly alarms: number; readonly stage: number; readonly dashboard: number } => {
  const watched = { stage: 'prod', tableName: 'the-table', apiId: 'the-api', hasDashboard: false };
  const specs = alarmSpecs(watched);
  const dashboard = countMetrics(dashboardAlarms({ ...watched, hasDashboard: true }));
  return { alarms: specs.length, stage: countMetrics(specs), dashboard };
};

/** Says what the alarms cost, to the cent. */
export const describeAlarms = (): string => {
  const { alarms, stage, dashboard } = countAlarms();
  const dollars = (metrics: number): string => `$${(metrics * ALARM_METRIC).toFixed(2)}`;
  return `${alarms} alarms use ${stage} metrics, which cost ${dollars(stage)} a month. The dashboard of businesses adds ${dashboard} metrics, which cost ${dollars(dashboard)}.`;
};

/** costs.md rounds the cost of the alarms up to a multiple of these dollars, so that one more alarm does not change the document. */
const ROUNDED_TO = 5;
const tabulateAlarms = (): string => {
  const { stage, dashboard } = countAlarms();
  const most = Math.ceil(((stage + dashboard) * ALARM_METRIC) / ROUNDED_TO) * ROUNDED_TO;
  return table(
    ['alarms', 'dollars'],
    [['all, with those of the dashboard of businesses', `at most ${most.toFixed(2)}`]],
  );
};

/** Makes every table of costs.md, by the name of its marks. */
export const costTables = (): Tables => ({
  steps: table(
    ['step', 'calls', 'read units', 'write units'],
    Object.entries(STEPS).map(([step, units]) => [step, ...units]),
  ),
  'live steps': table(
    ['step', 'requests to the provider', 'calls', 'read units', 'write units'],
    Object.entries(LIVE_STEPS).map(([step, units]) => [step, ...units]),
  ),
  bills: table(['a million of', 'API Gateway', 'Lambda', 'SQS', 'writes', 'reads', 'dollars'], BILLS.map(billRow)),
  alarms: tabulateAlarms(),
  healthy: tabulateHealthy(),
  outage: tabulateOutage(),
});
