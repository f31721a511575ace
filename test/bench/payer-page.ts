import { pageLink } from '#shared/checkouts/domain/page-link.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { PAGE_LINK_KEY } from '#test/support/worlds/keys.ts';
import { startFunctions } from './functions-process.ts';
import { type Findings, round } from './report.ts';
import { type BenchRequest, type Client, newClient } from './requests.ts';
import { newCheckout, openShop } from './shop.ts';
import { percentile } from './statistics.ts';

/** Rounds, one request at a time. The first round warms up and is not counted. */
const ROUNDS = 6;
const REQUESTS = 100;
/** Budgets of the p95, in milliseconds: for the page, and for the 304 answer of its status request, without the gateway's own time. */
const BUDGET = { page: 15, unchanged: 6 };

const PATH = '/pay';
const NOT_MODIFIED = 304;

/** Computes the ETag of a status answer. It is right only for an unpaid checkout whose request named its provider. */
const computeEtag = (text: string): string => {
  const { content, now } = JSON.parse(text);
  return `"${content}.${Math.floor(now / MINUTE)}"`;
};

/** Measures the payment page and its status request over HTTP. A path that does not exist shows the gateway's own time. */
export const measurePages = async (): Promise<Findings> => {
  const shop = await openShop();
  const { key } = shop;
  const server = await startFunctions(shop.world);
  const client: Client = newClient(server.baseUrl);
  const link = pageLink(PAGE_LINK_KEY, await newCheckout(client, key));
  const page = (path: string, headers: Record<string, string> = {}): BenchRequest => ({
    method: 'GET',
    path: `${PATH}/${link}${path}`,
    key: '',
    headers,
  });
  const requests = {
    'the page, packed with brotli': [page('', { 'accept-encoding': 'br' }), 200],
    'what is new': [page('/status'), 200],
    'what is new: nothing': [page('/status'), 304],
    'a path that does not exist': [{ method: 'GET', path: '/nowhere', key: '' } satisfies BenchRequest, 404],
  } as const;
  const times = new Map<string, number[]>(Object.keys(requests).map((name) => [name, []]));
  for (let turn = 0; turn <= ROUNDS; turn++) {
    for (let i = 0; i < REQUESTS; i++) {
      let etag = '';
      for (const [name, [request, status]] of Object.entries(requests)) {
        const isKnown = status === NOT_MODIFIED;
        const answer = await client.ask(isKnown ? { ...request, headers: { 'if-none-match': etag } } : request);
        if (name === 'what is new') etag = computeEtag(answer.text);
        // A minute ended between the two requests.
        if (isKnown && answer.status === 200) continue;
        if (answer.status !== status) throw new Error(`${name} answered ${answer.status}: ${answer.text}`);
        if (turn > 0) times.get(name)?.push(answer.ms);
      }
    }
  }
  client.close();
  await server.stop();

  const p95 = (name: keyof typeof requests): number => percentile(times.get(name) ?? [], 95);
  const pageMs = p95('the page, packed with brotli');
  const unchanged = p95('what is new: nothing') - p95('a path that does not exist');
  // A minute may end between two requests, but rarely does.
  const counted = times.get('what is new: nothing')?.length ?? 0;
  const misses = [
    ...(counted < (ROUNDS * REQUESTS) / 2 ? [`status of a payment page: only ${counted} answers were 304.`] : []),
    ...(pageMs > BUDGET.page ? [`the payment page: p95 ${round(pageMs)} ms, budget ${BUDGET.page} ms.`] : []),
    ...(unchanged > BUDGET.unchanged
      ? [`status of a payment page: p95 ${round(unchanged)} ms beyond the gateway, budget ${BUDGET.unchanged} ms.`]
      : []),
  ];
  const rows = [...times].map(([name, values]) => ({
    asked: name,
    'p50, ms': round(percentile(values, 50)),
    'p95, ms': round(percentile(values, 95)),
    'p99, ms': round(percentile(values, 99)),
  }));
  const about = `${ROUNDS * REQUESTS} requests of each, one at a time and in turns. Budgets of the p95: the page ${BUDGET.page} ms; that nothing is new ${BUDGET.unchanged} ms beyond what the gateway takes for a path that does not exist.`;
  return { tables: [{ title: 'Payment pages', about, rows }], misses };
};
