import { FUNCTIONS } from '#infra/functions.ts';
import { loadLambda } from '#infra/local/lambda.ts';
import { logTo } from '#shared/log.ts';
import { apiEvent } from '#test/support/api-event.ts';
import { startMeter } from '#test/support/meter.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { makeWorld } from '#test/support/world.ts';
import { environmentOf } from './functions-process.ts';
import type { Findings } from './report.ts';
import { CHECKOUT, CUSTOMER } from './shop.ts';
import { sequentialSteps, watchCalls } from './timeline.ts';

const PAGE = 25;
/** Steps in a row, the queue among them: architecture.md section 2. */
const STEPS: Readonly<Record<string, number>> = { 'verify-checkout': 2, 'simulate-checkout-payment': 4 };

const hostOf = (url: string): string => new URL(url).host;

/**
 * What each request makes of calls, and what DynamoDB bills for them, counted: units by the engine's own ConsumedCapacity, steps by
 * which calls overlap. The handlers run as they are shipped, composed by themselves from their environment.
 */
export const countCalls = async (): Promise<Findings> => {
  const meter = await startMeter(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  const receiver = await startReceiver();
  const world = await makeWorld({ startAt: Date.now() });
  const business = await world.addBusiness([receiver.url]);
  const before = { ...process.env };
  // The handlers read their environment when they are imported, and the SDK its endpoint with the first call.
  Object.assign(process.env, environmentOf(world), { AWS_ENDPOINT_URL_DYNAMODB: meter.endpoint });
  logTo(() => {});
  const sqsHost = hostOf(process.env.AWS_ENDPOINT_URL_SQS ?? '');
  const calls = watchCalls([hostOf(meter.endpoint), sqsHost]);
  const rows: Record<string, string | number>[] = [];
  const misses: string[] = [];

  const invoke = async (name: string, event: unknown): Promise<unknown> => {
    const spec = FUNCTIONS.find((one) => one.name === name);
    if (!spec) throw new Error(`There is no function "${name}" in the manifest.`);
    return (await loadLambda(spec)).invoke(event);
  };
  const counted = async (step: string, name: string, event: unknown): Promise<unknown> => {
    meter.take();
    calls.take();
    const result = await invoke(name, event);
    const [metered, spans] = [Object.values(meter.take()), calls.take()];
    const sum = (of: 'calls' | 'readUnits' | 'writeUnits'): number => metered.reduce((all, one) => all + one[of], 0);
    const steps = sequentialSteps(spans);
    const budget = STEPS[name] ?? Number.POSITIVE_INFINITY;
    if (steps > budget) misses.push(`${step}: ${steps} steps in a row, budget ${budget}.`);
    rows.push({
      request: step,
      'DynamoDB calls': sum('calls'),
      'SQS calls': spans.length - sum('calls'),
      'steps in a row': steps,
      'read units': sum('readUnits'),
      'write units': sum('writeUnits'),
    });
    return result;
  };
  interface Call {
    readonly method: string;
    readonly path: string;
    readonly params?: Record<string, string>;
    readonly body?: unknown;
  }
  // biome-ignore lint/suspicious/noExplicitAny: the bench reads whatever the answer holds, and fails where it does not.
  const ask = async (step: string, name: string, request: Call, status: number): Promise<any> => {
    const headers = { authorization: `Bearer ${business.keys.secret_test}` };
    const event = apiEvent({ ...request, path: `/api/v1${request.path}`, headers });
    // The first call opens connections: it is made, and not counted.
    const answered = (await (step === '' ? invoke(name, event) : counted(step, name, event))) as {
      statusCode: number;
      body: string;
    };
    if (answered.statusCode !== status) throw new Error(`${name} answered ${answered.statusCode}: ${answered.body}`);
    return JSON.parse(answered.body);
  };

  const initialize = { method: 'POST', path: '/checkout/initialize', body: CHECKOUT };
  for (let i = 0; i < PAGE - 1; i++) await ask('', 'initialize-checkout', initialize, 201);
  const { data } = await ask('initialize a checkout', 'initialize-checkout', initialize, 201);
  const reference: string = data.reference;
  const verify = { method: 'GET', path: `/checkout/verify/${reference}`, params: { reference } };
  await ask('verify it', 'verify-checkout', verify, 200);
  await ask(`list ${PAGE} checkouts`, 'list-checkouts', { method: 'GET', path: '/checkouts' }, 200);
  const simulate = { method: 'POST', path: '/checkout/sandbox/simulate', body: { reference } };
  await ask('simulate its payment, one endpoint', 'simulate-checkout-payment', simulate, 200);
  const [job] = await world.takeJobs('first');
  const record = {
    messageId: 'one',
    body: JSON.stringify(job),
    eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:first',
  };
  await counted('deliver its webhook', 'deliver-webhooks', { Records: [record] });
  if (receiver.received.length !== 1) throw new Error('The webhook was not delivered.');
  await ask('verify it, paid', 'verify-checkout', verify, 200);
  const customer = { ...CUSTOMER, customer_email: 'adaeze.okafor@example.com' };
  const create = { method: 'POST', path: '/virtual-accounts', body: customer };
  await ask('create accounts at two providers', 'create-virtual-accounts', create, 201);

  calls.stop();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  await receiver.stop();
  await meter.stop();
  const about =
    'Counted at the engine, indexes included; a transaction counts double, as DynamoDB bills it. Every request is counted by the rate limit too: one call and one write unit, beside the look-up of its key. Calls that overlap are one step.';
  return { tables: [{ title: 'Calls and units of a request', about, rows }], misses };
};
