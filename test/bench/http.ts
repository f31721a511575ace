import { startFunctions } from './functions-process.ts';
import { type Findings, rounded } from './report.ts';
import { type Asked, type Client, inParallel, newClient } from './requests.ts';
import { CHECKOUT, CUSTOMER, newCheckout, openShop, takeTemplates } from './shop.ts';
import { percentile } from './statistics.ts';

/** Requests one at a time, and MAX_CONCURRENT at once; both in turns of ours and the bare one's. */
const ROUNDS = 6;
const ONE_BY_ONE = 60;
const AT_ONCE = 200;
const MAX_CONCURRENT = 16;
/** Milliseconds that a function may take beyond its calls: architecture.md section 9 says about one. */
const BUDGET_MS = 1.25;

/** One endpoint: how the i-th request looks, whichever prefix it goes to, and what it must answer. */
interface Endpoint {
  readonly name: string;
  readonly status: number;
  request(prefix: Prefix): Omit<Asked, 'key'>;
}

type Prefix = '' | '/bare';

/** The measurements of one variant of an endpoint. */
interface Measured {
  readonly alone: number[];
  readonly together: number[];
  /** Milliseconds that all concurrent requests took together. */
  busyMs: number;
}
const nothing = (): Record<Prefix, Measured> => ({
  '': { alone: [], together: [], busyMs: 0 },
  '/bare': { alone: [], together: [], busyMs: 0 },
});

/** A round of both variants: request by request in turns, then MAX_CONCURRENT at once of the one and of the other. */
const measureRound = async (client: Client, key: string, endpoint: Endpoint, turns: readonly Prefix[]) => {
  const into = nothing();
  const ask = async (prefix: Prefix, times: number[]): Promise<void> => {
    const answered = await client.ask({ ...endpoint.request(prefix), key });
    if (answered.status !== endpoint.status) {
      throw new Error(`${prefix} ${endpoint.name} answered ${answered.status}: ${answered.text}`);
    }
    times.push(answered.ms);
  };
  for (let i = 0; i < ONE_BY_ONE; i++) for (const prefix of turns) await ask(prefix, into[prefix].alone);
  for (const prefix of turns) {
    const startedAt = performance.now();
    await inParallel(AT_ONCE, MAX_CONCURRENT, () => ask(prefix, into[prefix].together));
    into[prefix].busyMs = performance.now() - startedAt;
  }
  return into;
};

/** Checkouts that wait for money, and one that each verify reads. */
const references = async (client: Client, key: string, count: number, prefix: Prefix): Promise<string[]> => {
  const made: string[] = [];
  await inParallel(count, MAX_CONCURRENT, async () => {
    made.push(await newCheckout(client, key, prefix));
  });
  return made;
};

/** Requests over HTTP beside bare functions that make the same calls, through the same gateway in the same process. */
export const measureHttp = async (): Promise<Findings> => {
  const shop = await openShop();
  const { key } = shop;
  const first = await startFunctions(shop.world);
  const firstClient = newClient(first.baseUrl);
  const templates = await takeTemplates(shop, firstClient);
  firstClient.close();
  await first.stop();

  const server = await startFunctions(shop.world, templates);
  const client = newClient(server.baseUrl);
  // The first round warms up both and is not counted.
  const each = (ROUNDS + 1) * (ONE_BY_ONE + AT_ONCE);
  const pending = {
    '': await references(client, key, each, ''),
    '/bare': await references(client, key, each, '/bare'),
  };
  const shown = { '': pending[''][0], '/bare': pending['/bare'][0] };
  let customers = 0;
  const endpoints: Endpoint[] = [
    {
      name: 'verify-checkout',
      status: 200,
      request: (prefix) => ({ method: 'GET', path: `${prefix}/api/v1/checkout/verify/${shown[prefix]}` }),
    },
    {
      name: 'list-checkouts',
      status: 200,
      request: (prefix) => ({ method: 'GET', path: `${prefix}/api/v1/checkouts` }),
    },
    {
      name: 'initialize-checkout',
      status: 201,
      request: (prefix) => ({ method: 'POST', path: `${prefix}/api/v1/checkout/initialize`, body: CHECKOUT }),
    },
    {
      name: 'create-virtual-accounts',
      status: 201,
      request: (prefix) => {
        const customer_email = `customer-${++customers}@example.com`;
        return { method: 'POST', path: `${prefix}/api/v1/virtual-accounts`, body: { ...CUSTOMER, customer_email } };
      },
    },
    {
      name: 'simulate-checkout-payment',
      status: 200,
      request: (prefix) => {
        const reference = pending[prefix].pop();
        return { method: 'POST', path: `${prefix}/api/v1/checkout/sandbox/simulate`, body: { reference } };
      },
    },
  ];

  const rows: Record<string, string | number>[] = [];
  const misses: string[] = [];
  for (const endpoint of endpoints) {
    const { '': ours, '/bare': bare } = nothing();
    for (let round = 0; round <= ROUNDS; round++) {
      const taken = await measureRound(client, key, endpoint, round % 2 === 0 ? ['', '/bare'] : ['/bare', '']);
      if (round === 0) continue;
      for (const [sum, one] of [
        [ours, taken['']],
        [bare, taken['/bare']],
      ] as const) {
        sum.alone.push(...one.alone);
        sum.together.push(...one.together);
        sum.busyMs += one.busyMs;
      }
    }
    const overhead = percentile(ours.alone, 50) - percentile(bare.alone, 50);
    if (overhead > BUDGET_MS) {
      misses.push(`${endpoint.name}: ${rounded(overhead)} ms beyond its calls, budget about a millisecond.`);
    }
    for (const [of, measured] of [
      ['ours', ours],
      ['bare', bare],
    ] as const) {
      rows.push({
        function: of === 'ours' ? endpoint.name : '– bare',
        'requests/s': Math.round((measured.together.length * 1_000) / measured.busyMs),
        'p50, ms': rounded(percentile(measured.together, 50), 1),
        'p95, ms': rounded(percentile(measured.together, 95), 1),
        'p99, ms': rounded(percentile(measured.together, 99), 1),
        'alone p50, ms': rounded(percentile(measured.alone, 50)),
        'alone p95, ms': rounded(percentile(measured.alone, 95)),
        'beyond its calls, ms': of === 'ours' ? rounded(overhead) : '–',
      });
    }
  }
  client.close();
  await server.stop();
  const about = `${ROUNDS * AT_ONCE} requests, ${MAX_CONCURRENT} at once (requests/s, p50 to p99), and ${ROUNDS * ONE_BY_ONE} one at a time (alone), in turns with a bare function that makes the same DynamoDB and SQS calls in the same order through the same gateway, client and process. Beyond its calls: the difference of the medians alone; budget about a millisecond.`;
  return { tables: [{ title: 'Requests over HTTP', about, rows }], misses };
};
