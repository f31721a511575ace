import { setTimeout as wait } from 'node:timers/promises';
import { FUNCTIONS } from '#infra/functions.ts';
import { loadLambda } from '#infra/local/lambda/lambda.ts';
import { logTo } from '#shared/platform/observability/log.ts';
import { RATE_WINDOW } from '#shared/platform/requests/rate-limit.ts';
import { startMeter } from '#test/support/emulators/meter.ts';
import { apiEvent } from '#test/support/worlds/api-event.ts';
import { makeBatch } from '#test/support/worlds/function-process.ts';
import { startReceiver } from '#test/support/worlds/receiver.ts';
import { makeWorld } from '#test/support/worlds/world.ts';
import { functionEnvironment } from './functions-process.ts';
import type { Findings } from './report.ts';
import { CHECKOUT, CUSTOMER } from './shop.ts';
import { sequentialSteps, watchCalls } from './steps.ts';

const PAGE = 25;
/** The load of a busy container: requests of one key within a second, and messages in one batch. */
const BUSY = { requests: 20, messages: 10 };
/** The columns that have a budget, in the order of a budget's numbers. */
const COUNTED = ['DynamoDB calls', 'SQS calls', 'steps in a row', 'read units', 'write units'] as const;
/**
 * The budget of each request, in the order of the columns: its calls when they were last reduced (issue 38). If you make a request more
 * expensive on purpose, change its row here, performance.md and costs.md.
 */
const BUDGETS: Readonly<Record<string, readonly number[]>> = {
  'initialize a checkout': [3, 0, 3, 1, 8],
  'verify a checkout': [3, 0, 3, 2, 1],
  'list 25 checkouts': [4, 0, 4, 26.5, 1],
  'simulate a payment, one endpoint': [4, 1, 5, 3, 16],
  'deliver a webhook': [3, 0, 3, 3, 3],
  'verify a paid checkout': [3, 0, 3, 2, 1],
  'create accounts at two providers': [3, 0, 3, 1, 15],
};
/** The budgets in a busy container. Steps in a row have no budget there. */
const BUSY_BUDGETS: Readonly<Record<string, readonly number[]>> = {
  'initialize a checkout': [2.2, 0, Number.NaN, 1, 7.2],
  'verify a checkout': [2.2, 0, Number.NaN, 2, 0.2],
  'simulate a payment, one endpoint': [3.2, 1, Number.NaN, 3, 15.2],
  'deliver a webhook, 10 at once': [3, 0, Number.NaN, 3, 3],
};

type Row = Readonly<Record<string, string | number>>;

const hundredths = (value: number): number => Math.round(value * 100) / 100;

/** Lists the budgets that a row misses. `reports`: additional reports to the rate limit; each is one call and one write unit. */
const findMisses = (row: Row, budgets: readonly number[] | undefined, where: string, reports = 0): string[] => {
  if (!budgets) return [`${row.request}${where}: it has no budget. Add a row in test/bench/calls.ts.`];
  return COUNTED.flatMap((column, i) => {
    const includesReports = column === 'DynamoDB calls' || column === 'write units';
    const budget = hundredths((budgets[i] ?? Number.NaN) + (includesReports ? reports : 0));
    return Number(row[column]) > budget ? [`${row.request}${where}: ${row[column]} ${column}, budget ${budget}.`] : [];
  });
};

const readHost = (url: string): string => new URL(url).host;

const UNKNOWN_CHECKOUT = { reference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' };

/**
 * Counts the calls of each request, and their units as DynamoDB bills them. The units are those of the emulator's ConsumedCapacity. Calls that
 * overlap are one step. The handlers run as they are shipped: they make their dependencies from the environment.
 */
export const countCalls = async (): Promise<Findings> => {
  const meter = await startMeter(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  const receiver = await startReceiver();
  const world = await makeWorld({ startAt: Date.now() });
  const business = await world.addBusiness([receiver.url]);
  const before = { ...process.env };
  // The handlers read their environment when they are imported, and the SDK its endpoint with the first call.
  Object.assign(process.env, functionEnvironment(world), { AWS_ENDPOINT_URL_DYNAMODB: meter.endpoint });
  logTo(() => {});
  const sqsHost = readHost(process.env.AWS_ENDPOINT_URL_SQS ?? '');
  const calls = watchCalls([readHost(meter.endpoint), sqsHost]);
  const rows: Row[] = [];
  const misses: string[] = [];

  const invoke = async (name: string, event: unknown): Promise<unknown> => {
    const spec = FUNCTIONS.find((candidate) => candidate.name === name);
    if (!spec) throw new Error(`There is no function "${name}" in the manifest.`);
    return (await loadLambda(spec)).invoke(event);
  };
  const count = async (work: () => Promise<unknown>) => {
    meter.take();
    calls.take();
    const result = await work();
    const [metered, spans] = [meter.take(), calls.take()];
    const sum = (unit: 'calls' | 'readUnits' | 'writeUnits'): number =>
      Object.values(metered).reduce((all, metrics) => all + metrics[unit], 0);
    return { result, spans, sum, sqs: spans.length - sum('calls') };
  };
  const countStep = async (step: string, name: string, event: unknown): Promise<unknown> => {
    const { result, spans, sum, sqs } = await count(() => invoke(name, event));
    const row = {
      request: step,
      'DynamoDB calls': sum('calls'),
      'SQS calls': sqs,
      'steps in a row': sequentialSteps(spans),
      'read units': sum('readUnits'),
      'write units': sum('writeUnits'),
    };
    misses.push(...findMisses(row, BUDGETS[step], ''));
    rows.push(row);
    return result;
  };
  /** The functions that have had their first request, which is not counted. */
  const warmedUp = new Set<string>();
  interface Call {
    readonly method: string;
    readonly path: string;
    readonly params?: Record<string, string>;
    readonly body?: unknown;
  }
  // biome-ignore lint/suspicious/noExplicitAny: the bench reads fields of the answer and fails if they are missing.
  const ask = async (step: string, name: string, request: Call, status: number): Promise<any> => {
    const headers = { authorization: `Bearer ${business.keys.secret_test}` };
    const event = apiEvent({ ...request, path: `/api/v1${request.path}`, headers });
    // The first request of a container opens its connections and is not counted.
    if (!warmedUp.has(name)) await invoke(name, { ...event, body: '{}', pathParameters: UNKNOWN_CHECKOUT });
    warmedUp.add(name);
    // A container may report several requests of a second to the rate limit together, so each request gets a second of its own.
    if (step !== '') await wait(RATE_WINDOW - (Date.now() % RATE_WINDOW));
    // A call without a step only prepares, and is not counted.
    const answer = (await (step === '' ? invoke(name, event) : countStep(step, name, event))) as {
      statusCode: number;
      body: string;
    };
    if (answer.statusCode !== status) throw new Error(`${name} answered ${answer.statusCode}: ${answer.body}`);
    return JSON.parse(answer.body);
  };
  const initialize = { method: 'POST', path: '/checkout/initialize', body: CHECKOUT };
  for (let i = 0; i < PAGE; i++) await ask('', 'initialize-checkout', initialize, 201);
  const { data } = await ask('initialize a checkout', 'initialize-checkout', initialize, 201);
  const reference: string = data.reference;
  const verify = { method: 'GET', path: `/checkout/verify/${reference}`, params: { reference } };
  await ask('verify a checkout', 'verify-checkout', verify, 200);
  await ask(`list ${PAGE} checkouts`, 'list-checkouts', { method: 'GET', path: '/checkouts' }, 200);
  const simulate = { method: 'POST', path: '/checkout/sandbox/simulate', body: { reference } };
  await ask('simulate a payment, one endpoint', 'simulate-checkout-payment', simulate, 200);
  await countStep('deliver a webhook', 'deliver-webhooks', makeBatch(await world.takeJobs()));
  if (receiver.received.length !== 1) throw new Error('The webhook was not delivered.');
  await ask('verify a paid checkout', 'verify-checkout', verify, 200);
  const customer = { ...CUSTOMER, customer_email: 'adaeze.okafor@example.com' };
  const create = { method: 'POST', path: '/virtual-accounts', body: customer };
  await ask('create accounts at two providers', 'create-virtual-accounts', create, 201);

  const busyRows: Row[] = [];
  /** Counts the average calls and units of requests that one container handles in turn. */
  const countBusy = async (request: string, times: number, work: () => Promise<unknown>): Promise<void> => {
    const window = (): number => Math.floor(Date.now() / RATE_WINDOW);
    const first = window();
    const { sum, sqs } = await count(work);
    const each = (total: number): number => hundredths(total / times);
    const row = {
      request,
      'DynamoDB calls': each(sum('calls')),
      'SQS calls': each(sqs),
      'read units': each(sum('readUnits')),
      'write units': each(sum('writeUnits')),
    };
    // In each second the first request is reported to the rate limit by itself. A slow machine may need several seconds.
    misses.push(...findMisses(row, BUSY_BUDGETS[request], ', in a busy container', (window() - first) / times));
    busyRows.push(row);
  };
  /** Sends requests of one key in turn, from the beginning of a second. */
  const askBusy = async (request: string, name: string, requests: readonly Call[]): Promise<string[]> => {
    const references: string[] = [];
    await wait(RATE_WINDOW - (Date.now() % RATE_WINDOW));
    await countBusy(request, requests.length, async () => {
      for (const request of requests) {
        const headers = { authorization: `Bearer ${business.keys.secret_test}` };
        const event = apiEvent({ ...request, path: `/api/v1${request.path}`, params: request.params ?? {}, headers });
        const { statusCode, body } = (await invoke(name, event)) as { statusCode: number; body: string };
        if (statusCode >= 300) throw new Error(`${name} answered ${statusCode}: ${body}`);
        references.push(JSON.parse(body).data.reference);
      }
    });
    return references;
  };
  const opened = await askBusy(
    'initialize a checkout',
    'initialize-checkout',
    Array.from({ length: BUSY.requests }, () => initialize),
  );
  const verifications = opened.map((reference) => ({
    ...verify,
    path: `/checkout/verify/${reference}`,
    params: { reference: reference },
  }));
  await askBusy('verify a checkout', 'verify-checkout', verifications);
  const simulations = opened.map((reference) => ({ ...simulate, body: { reference: reference } }));
  await askBusy('simulate a payment, one endpoint', 'simulate-checkout-payment', simulations);
  const jobs = await world.takeJobs();
  for (let from = 0; from < jobs.length; from += BUSY.messages) {
    const batch = jobs.slice(from, from + BUSY.messages);
    const deliver = () => invoke('deliver-webhooks', makeBatch(batch));
    if (from === 0) await countBusy(`deliver a webhook, ${batch.length} at once`, batch.length, deliver);
    else await deliver();
  }
  if (receiver.received.length !== 1 + opened.length) throw new Error('Not every webhook was delivered.');

  calls.stop();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  await receiver.stop();
  await meter.stop();
  const about =
    'Counted at the emulator, indexes included; a transaction counts double, as DynamoDB bills it. Every request is counted by the rate limit too: one call and one write unit, after the look-up of its key. Calls that overlap are one step.';
  const aboutBusy = `The same in a container that is busy: ${BUSY.requests} requests of one key in turn within a second, which it reports to the rate limit in blocks, and ${BUSY.messages} messages in one batch. Each row is the average of one.`;
  const tables = [
    { title: 'Calls and units of a request', about, rows },
    { title: 'Calls and units in a busy container', about: aboutBusy, rows: busyRows },
  ];
  return { tables, misses };
};
