import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { type AlarmSpec, dashboardAlarms } from '#infra/watch/alarm-specs.ts';
import { alarmSpecs } from '#infra/watch/alarms.ts';
import { type Tables, table } from './page.ts';
import { LIVE_STEPS, MESSAGE_REQUESTS, QUEUED, STEPS, type Units } from './steps.ts';

/* The tables of costs.md that follow from the counted steps, the alarms and AWS's list prices. */

/** Dollars a million, on demand in us-east-1; `gbSecond` is dollars a million GB-seconds. */
const PRICE = { api: 1, run: 0.2, gbSecond: 13.3334, sqs: 0.5, write: 0.625, read: 0.125 };
/** Dollars a month for each metric in an alarm. */
const ALARM_METRIC = 0.1;
const MEMORY_GB = 0.5;
/** Seconds that a request or a delivery takes in these bills, and those of a delivery that is only parked. */
export const RUN_SECONDS = 0.05;
const PARKED_SECONDS = 0.01;

const runsCost = (runs: number, seconds: number): number => runs * (PRICE.run + MEMORY_GB * seconds * PRICE.gbSecond);

/** The costs of a step besides units: requests to API Gateway and SQS, and runs of Lambda. A counted request is a write unit more. */
interface Paid {
  readonly api?: number;
  readonly lambda?: number;
  readonly sqs?: number;
  readonly isCounted?: boolean;
}
const CALL: Paid = { api: 1, lambda: 1, isCounted: true };
const PAGE: Paid = { api: 1, lambda: 1 };
const toUnits = ([, ...units]: readonly [number, ...Units]): Units => units;

const BILLS: readonly (readonly [name: string, paid: Paid, units: Units])[] = [
  ['verify', CALL, STEPS['Checkout verified']],
  ['payment pages', PAGE, STEPS['Payment page shown']],
  ['questions of payment pages', PAGE, STEPS['Payment page asks, nothing is new']],
  ['logos of 64 kB', PAGE, STEPS['The largest logo shown, once in a browser']],
  ['lists of one', CALL, STEPS['A list of one']],
  ['such pages of events', CALL, STEPS['A page of events by delivery status, five endpoints, a hundred events']],
  ['checkouts, test mode', CALL, STEPS['Checkout initialized (test mode)']],
  ['landings by simulation, one endpoint', { ...CALL, sqs: 1 }, STEPS['Money landed, one endpoint']],
  ['checkouts, live mode', CALL, toUnits(LIVE_STEPS['Checkout initialized'])],
  ['virtual accounts, live mode', CALL, toUnits(LIVE_STEPS['Virtual account created'])],
  [
    'landings by notification, one endpoint',
    // The delivery's message is only sent.
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
    toUnits(LIVE_STEPS['Reviewed within the week, at Korapay']),
  ],
  [
    'live checkouts that nobody pays',
    { lambda: 3, sqs: MESSAGE_REQUESTS * QUEUED.unpaid.tickets },
    toUnits(LIVE_STEPS['Checkout that nobody pays: three look-ups, expired']),
  ],
];

const billRow = ([name, paid, [, reads, writes]]: (typeof BILLS)[number]): string[] => {
  const { api = 0, lambda = 0, sqs = 0, isCounted = false } = paid;
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

/** A bill for a million deliveries: what each takes, and how long a run of the consumer takes. */
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

const healthy = (): string => {
  const [landing, delivery] = [STEPS['Money landed, one endpoint'], STEPS['Delivered at the first attempt']];
  const [reads, writes] = [landing[1] + delivery[1], landing[2] + delivery[2]];
  return tabulateMillion({ writes, reads, sqs: 3, runs: 1, seconds: RUN_SECONDS });
};

/** Each delivery is parked, looked at three times, let go, and delivered from a drain, for which a step reads it once more. */
const outage = (): string => {
  const [parked, looked, freed] = [
    STEPS.Parked,
    STEPS['Looked at by the safety net, once a day'],
    STEPS['Let go again'],
  ];
  const more = STEPS['and then delivered'][2] - STEPS['Delivered at the first attempt'][2];
  const writes = parked[2] + 3 * looked[2] + freed[2] + more;
  return tabulateMillion({ writes, reads: parked[1] + 3 * looked[1] + 1, sqs: 12, runs: 4, seconds: PARKED_SECONDS });
};

/** AWS bills an alarm by the metrics under its expressions; an expression that names none is taken for one. */
const metricsIn = (metric: IMetric): number =>
  metric instanceof MathExpression
    ? Math.max(
        Object.values(metric.usingMetrics).reduce((sum, used) => sum + metricsIn(used), 0),
        1,
      )
    : 1;
const countMetrics = (specs: readonly AlarmSpec[]): number =>
  specs.reduce((sum, { series }) => sum + metricsIn(series(5)), 0);

/** Counts prod's alarms, the metrics in them that AWS bills, and those that the dashboard of businesses adds. */
const countAlarms = (): { readonly alarms: number; readonly stage: number; readonly dashboard: number } => {
  const watched = { stage: 'prod', tableName: 'the-table', apiId: 'the-api', hasDashboard: false };
  const specs = alarmSpecs(watched);
  const dashboard = countMetrics(dashboardAlarms({ ...watched, hasDashboard: true }));
  return { alarms: specs.length, stage: countMetrics(specs), dashboard };
};

/** Says in one sentence what the alarms cost, to the cent. */
export const describeAlarms = (): string => {
  const { alarms, stage, dashboard } = countAlarms();
  const dollars = (metrics: number): string => `$${(metrics * ALARM_METRIC).toFixed(2)}`;
  return `${alarms} alarms over ${stage} metrics: ${dollars(stage)} a month. With the dashboard of businesses, over ${dashboard} metrics more: ${dollars(dashboard)}.`;
};

/** Dollars: costs.md rounds the alarms up to a multiple, and so stays as it is when one is added. */
const ROUNDED_TO = 5;
const alarms = (): string => {
  const { stage, dashboard } = countAlarms();
  const most = Math.ceil(((stage + dashboard) * ALARM_METRIC) / ROUNDED_TO) * ROUNDED_TO;
  return table(
    ['alarms', 'dollars'],
    [['all, with those of the dashboard of businesses', `at most ${most.toFixed(2)}`]],
  );
};

/** Every table by the name of its marks in costs.md. */
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
  alarms: alarms(),
  healthy: healthy(),
  outage: outage(),
});
