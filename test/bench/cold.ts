import { fork } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BuiltFunctions } from '#infra/build/build-functions.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { serveSecrets } from '#test/support/emulators/secrets-manager.ts';
import { apiEvent } from '#test/support/worlds/api-event.ts';
import { makeBatch } from '#test/support/worlds/function-process.ts';
import { startReceiver } from '#test/support/worlds/receiver.ts';
import type { ColdOrder, ColdStart } from './cold-start.ts';
import { functionEnvironment, startFunctions } from './functions-process.ts';
import { openShare } from './processor-share.ts';
import { type Findings, round } from './report.ts';
import { newClient } from './requests.ts';
import { CHECKOUT, CUSTOMER, newCheckout, openShop } from './shop.ts';
import { percentile } from './statistics.ts';

/** The measured memory sizes, in megabytes. The largest gives one whole processor, and a start uses little more than one thread. */
const SIZES = [256, 512, 1_024, 1_769];
/** Fresh processes of each function at each size, in turns. The median of their times is shown. */
const ROUNDS = 7;
/** Milliseconds for import and first request at the memory size of the manifest. */
const BUDGET_MS = 1_000;
/** A port without a server, so that a call to the provider fails at once. The time of a real call would be that of the network. */
const PAYSTACK = { baseUrl: 'http://127.0.0.1:9', customerEmailDomain: 'customers.example.com', secretId: 'paystack' };
const SECRET = 'sk_live_of_the_bench';

/** A function to start. `makeEvent` makes a new event for each start. `status`: the expected HTTP status; a queue's consumer has none. */
interface Start {
  readonly name: string;
  readonly status?: number;
  readonly makeEvent: () => unknown;
}

/** Imports a function in a fresh process and calls it once. @throws Error when its answer is wrong or the process ends. */
const startCold = async (
  file: string,
  env: NodeJS.ProcessEnv,
  memoryMb: number,
  { name, status, makeEvent }: Start,
) => {
  const share = openShare(memoryMb);
  const child = fork(join(import.meta.dirname, 'cold-start.ts'), {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  try {
    const ended = exited.then(([code]) => Promise.reject(new Error(`${name} ended with code ${code}.`)));
    await Promise.race([once(child, 'message'), ended]);
    share.hold(child.pid ?? 0);
    child.send({ file, event: makeEvent() } satisfies ColdOrder);
    const [cold] = (await Promise.race([once(child, 'message'), ended])) as [ColdStart];
    const { answer } = cold;
    if (answer.statusCode !== status || answer.batchItemFailures?.length) {
      throw new Error(`${name} answered ${JSON.stringify(answer)}.`);
    }
    return cold;
  } finally {
    child.kill('SIGKILL');
    await exited;
    share.remove();
  }
};

/** Measures import and first request of five functions, limited to the processor share that their memory gives them in Lambda. */
export const measureColdStarts = async (built: BuiltFunctions): Promise<Findings> => {
  openShare(SIZES[0] ?? 0).remove();
  const { world, key } = await openShop();
  const receiver = await startReceiver();
  const merchant = await world.addBusiness([receiver.url]);
  await serveSecrets(() => JSON.stringify({ secretKey: SECRET }));
  const env = {
    ...functionEnvironment(world),
    PROVIDERS: JSON.stringify({ paystack: PAYSTACK }),
    DEFAULT_PROVIDER: 'paystack',
    ROUTING_ORDER: '[]',
    SANDBOX: '{}',
  };
  const server = await startFunctions(world);
  const client = newClient(server.baseUrl);
  const reference = await newCheckout(client, key);
  const payingKey = merchant.keys.secret_test;
  const path = '/api/v1/checkout/sandbox/simulate';
  const runs = SIZES.length * (ROUNDS + 1);
  for (let i = 0; i < runs; i++) {
    const body = { reference: await newCheckout(client, payingKey) };
    await client.ask({ method: 'POST', path, key: payingKey, body });
  }
  const jobs = await world.takeJobs();
  client.close();
  await server.stop();

  const headers = { authorization: `Bearer ${key}` };
  let customers = 0;
  const starts: readonly Start[] = [
    {
      name: 'verify-checkout',
      status: 200,
      makeEvent: () =>
        apiEvent({ method: 'GET', path: `/api/v1/checkout/verify/${reference}`, params: { reference }, headers }),
    },
    {
      name: 'initialize-checkout',
      status: 201,
      makeEvent: () => apiEvent({ path: '/api/v1/checkout/initialize', body: CHECKOUT, headers }),
    },
    {
      name: 'create-virtual-accounts',
      status: 201,
      makeEvent: () => {
        const body = { ...CUSTOMER, customer_email: `customer-${++customers}@example.com` };
        return apiEvent({ path: '/api/v1/virtual-accounts', body, headers });
      },
    },
    {
      name: 'receive-notification',
      status: 200,
      makeEvent: () => {
        const data = { id: ++customers, reference: `bench-${customers}`, amount: 850_075, status: 'success' };
        const body = JSON.stringify({ event: 'charge.success', data });
        const signature = createHmac('sha512', SECRET).update(body).digest('hex');
        return apiEvent({
          path: '/providers/paystack/notifications',
          params: { provider: 'paystack' },
          headers: { 'content-type': 'application/json', 'x-paystack-signature': signature },
          body,
        });
      },
    },
    { name: 'deliver-webhooks', makeEvent: () => makeBatch(jobs.splice(0, 1)) },
  ];

  const measurements = new Map<string, ColdStart[]>();
  const cellName = (name: string, memoryMb: number): string => `${name} ${memoryMb}`;
  for (let round = 0; round <= ROUNDS; round++) {
    for (const start of starts) {
      for (const memoryMb of SIZES) {
        const cold = await startCold(join(built.findFolder(start.name), 'index.js'), env, memoryMb, start);
        // The first round warms the file cache.
        if (round > 0)
          measurements.set(cellName(start.name, memoryMb), [
            ...(measurements.get(cellName(start.name, memoryMb)) ?? []),
            cold,
          ]);
      }
    }
  }
  await receiver.stop();

  const medianTime = (name: string, memoryMb: number, time: (cold: ColdStart) => number): number =>
    percentile((measurements.get(cellName(name, memoryMb)) ?? []).map(time), 50);
  const misses: string[] = [];
  const rows = starts.map(({ name }) => {
    const memoryMb = FUNCTIONS.find((spec) => spec.name === name)?.memoryMb ?? Number.NaN;
    const total = medianTime(name, memoryMb, ({ importMs, requestMs }) => importMs + requestMs);
    if (!(total <= BUDGET_MS)) {
      misses.push(`${name}: ${round(total, 0)} ms to start with ${memoryMb} MB, budget ${BUDGET_MS} ms.`);
    }
    const times = SIZES.map((size) => {
      const [importMs, requestMs] = [
        medianTime(name, size, (cold) => cold.importMs),
        medianTime(name, size, (cold) => cold.requestMs),
      ];
      return [`${size} MB`, `${round(importMs, 0)} + ${round(requestMs, 0)}`] as const;
    });
    return { function: name, ...Object.fromEntries(times), 'its memory, MB': memoryMb };
  });
  const about = `Milliseconds of import + first request as shipped, in a fresh Node process that is held to the share of a processor which this memory has in Lambda (MB / 1,769) by a cgroup quota; medians of ${ROUNDS}, in turns. Emulators run on this machine, outside of the quota; Node's own start is not included. Budget at the memory of the manifest: ${BUDGET_MS} ms together.`;
  return { tables: [{ title: 'Cold starts', about, rows }], misses };
};
