import { fork } from 'node:child_process';
import { FUNCTIONS } from '#infra/functions.ts';
import type { ApiCall } from '#test/support/worlds/api-event.ts';
import type { Bundles } from './bundles.ts';
import type { ContainerOrder, MemoryAt } from './container.ts';
import { environmentOf, startFunctions } from './functions-process.ts';
import { type Findings, rounded } from './report.ts';
import { newClient } from './requests.ts';
import { CHECKOUT, newCheckout, openShop } from './shop.ts';

/** The requests of a test key in an hour, at 25 a second. */
const REQUESTS = 25 * 3_600;
const LOOKS = 10;
/** How much larger the heap may be at the end than at the second measurement. It allows for code compiled late. */
const BUDGET = 1.05;
const MIB = 2 ** 20;

/** Runs a container to its end. */
const runContainer = (order: ContainerOrder, env: NodeJS.ProcessEnv): Promise<readonly MemoryAt[]> =>
  new Promise((resolve, reject) => {
    const child = fork('test/bench/container.ts', {
      env,
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.once('message', (seen) => resolve(seen as MemoryAt[]));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The container ended with code ${code}.`)));
    child.send(order);
  });

/** The heap of a container over an hour's requests of a key, after full collections, which shows whether it leaks. */
export const measureMemory = async (bundles: Bundles): Promise<Findings> => {
  const { world, key } = await openShop();
  const server = await startFunctions(world);
  const client = newClient(server.baseUrl);
  const reference = await newCheckout(client, key);
  client.close();
  await server.stop();

  const headers = { authorization: `Bearer ${key}` };
  const path = '/api/v1/checkout';
  const containers: readonly { name: string; call: ApiCall; status: number }[] = [
    {
      name: 'verify-checkout',
      call: { method: 'GET', path: `${path}/verify/${reference}`, params: { reference }, headers },
      status: 200,
    },
    {
      name: 'initialize-checkout',
      call: { method: 'POST', path: `${path}/initialize`, body: CHECKOUT, headers },
      status: 201,
    },
  ];
  const requests = REQUESTS / containers.length;
  const misses: string[] = [];
  const rows = await Promise.all(
    containers.map(async ({ name, call, status }) => {
      const order = { file: bundles.fileOf(name), call, status, requests, every: requests / LOOKS };
      const seen = await runContainer(order, environmentOf(world));
      const heaps = seen.map(({ heapUsed }) => rounded(heapUsed / MIB));
      const [, early = Number.NaN] = heaps;
      const late = heaps.at(-1) ?? Number.NaN;
      const ratio = rounded(late / early);
      if (ratio > BUDGET) misses.push(`heap of ${name}: grew to ${ratio} times what it was, budget ${BUDGET}.`);
      return {
        function: name,
        requests,
        'heap at each tenth, MiB': heaps.map((heap) => heap.toFixed(1)).join(' '),
        'last to second': ratio,
        'largest RSS, MiB': Math.round(Math.max(...seen.map(({ rss }) => rss)) / MIB),
        'memory of its Lambda, MB': FUNCTIONS.find((spec) => spec.name === name)?.memoryMb ?? Number.NaN,
      };
    }),
  );
  const about = `${REQUESTS.toLocaleString('en')} requests, what a test key may ask for in an hour (25 a second), one after the other to each of ${containers.length} containers: a process with one bundle as it is shipped. Heap in use after full collections. Budget: the last at most ${BUDGET} times the second.`;
  return { tables: [{ title: "Memory over an hour's requests", about, rows }], misses };
};
