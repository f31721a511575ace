import { readFile } from 'node:fs/promises';
import { ACCESS_LOG } from '#infra/constructs/public-api.ts';
import { log, logTo, writeLine } from '#shared/platform/observability/log.ts';
import { metricsTo } from '#shared/platform/observability/metrics.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
/** Dollars for a GB of log lines, and for a GB that leaves AWS. */
const [LOG_GB, EGRESS_GB] = [0.5, 0.09];
/** Bytes that CloudWatch adds to each billed line. */
const LINE_OVERHEAD = 26;
/** The document rounds sizes up to hundreds of bytes, so that a digit more or less changes nothing. */
const STEP = 100;

const REQUEST_ID = '8f5bf0a5-6893-4460-88d7-7e1987d69c89';
const FUNCTION_ARN = 'arn:aws:lambda:eu-west-1:111122223333:function:payments-prod-verify-checkout';
const TIME = '2026-11-26T20:00:00.000Z';
/** The lines that Lambda writes for each invocation at the system log level INFO, as documented for its Telemetry API. */
const LAMBDA_LINES = [
  {
    time: TIME,
    type: 'platform.start',
    record: { requestId: REQUEST_ID, functionArn: FUNCTION_ARN, version: '$LATEST' },
  },
  {
    time: TIME,
    type: 'platform.report',
    record: {
      requestId: REQUEST_ID,
      metrics: { durationMs: 50.123, billedDurationMs: 51, memorySizeMB: 512, maxMemoryUsedMB: 118 },
      status: 'success',
    },
  },
].map((line) => JSON.stringify(line));

/** Makes a line of the access log. Each variable is as long as in API Gateway. */
const accessLine = (): string => {
  const values: Readonly<Record<string, string>> = {
    time: '26/Nov/2026:20:00:00 +0000',
    request_id: 'LQ4xUjVmDoEEJQA=',
    source_ip: '203.0.113.200',
    route: 'GET /api/v1/checkout/verify/{reference}',
    status: '200',
    milliseconds: '50',
    integration_milliseconds: '45',
    bytes: '812',
    error: '-',
    integration_error: '-',
  };
  return JSON.stringify(Object.fromEntries(Object.keys(ACCESS_LOG).map((name) => [name, values[name]])));
};

const countBytes = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
const roundUp = (bytes: number): number => Math.ceil(bytes / STEP) * STEP;
/** Makes a row of the document's table: the bytes of one text, rounded up, and the dollars for a million such texts. */
const row = (what: string, bytes: number, perGb: number, lines = 0): string =>
  `| ${what} | ${roundUp(bytes).toLocaleString('en')} | ${(((roundUp(bytes) + lines * LINE_OVERHEAD) * perGb * 1e6) / 1e9).toFixed(2)} |`;

describe('docs/operating/costs.md', () => {
  let receiver: Receiver;
  let world: World;
  let costs: string;
  const lines: string[] = [];

  beforeAll(async () => {
    receiver = await startReceiver();
    world = await makeWorld();
    costs = await readFile('docs/operating/costs.md', 'utf8');
  });
  afterAll(() => receiver.stop());
  beforeEach(() => {
    lines.length = 0;
    logTo((line) => lines.push(line));
  });
  afterEach(() => logTo((line) => process.stdout.write(`${line}\n`)));

  test('has the cost of a million log lines and answers of a verify, and of a million webhooks', async () => {
    // A metric is a log line too.
    const deps = {
      ...world.deps,
      log: log as World['deps']['log'],
      metrics: metricsTo('prod', writeLine, world.clock.now),
    };
    const business = await world.addBusiness([receiver.url]);
    const api = createApiClient({ ...world, deps }, business.keys.secret_test);
    const started = await api.initialize(CHECKOUT);
    const { reference } = started.json.data;
    await api.simulate({ reference });
    lines.length = 0;
    const verified = await api.verify(reference);
    expect(lines).toHaveLength(1);
    expect(costs).toContain(row('its line `request_answered`', countBytes(lines), LOG_GB, 1));
    expect(costs).toContain(row('its line of the API’s access log', countBytes([accessLine()]), LOG_GB, 1));
    expect(costs).toContain(row('Lambda’s own two lines about it', countBytes(LAMBDA_LINES), LOG_GB, 2));
    expect(costs).toContain(row('its answer, as it leaves AWS', countBytes([verified.text]), EGRESS_GB));

    const [job] = await world.takeJobs();
    if (!job) throw new Error('The landing queued no delivery.');
    lines.length = 0;
    await deliverWebhook(deps, 'first', job);
    const [delivered] = receiver.received;
    expect(costs).toContain(
      row('the body of a webhook `checkout.paid`', countBytes([delivered?.body ?? '']), EGRESS_GB),
    );
    expect(costs).toContain(row('what a delivery writes into the log', countBytes(lines), LOG_GB, lines.length));
  });
});
