import { fillCheckouts } from './fill.ts';
import { type FunctionsProcess, startFunctions } from './functions-process.ts';
import { type Findings, rounded } from './report.ts';
import { type Asked, type Client, newClient } from './requests.ts';
import { newCheckout, openShop, type Shop } from './shop.ts';
import { percentile } from './statistics.ts';

const SMALL = 1_000;
const LARGE = 300_000;
/** Requests of each kind to each table, in turns, and uncounted ones before them. */
const SAMPLES = 400;
const WARM_UP = 100;
/** architecture.md section 9. */
const BUDGET = 1.2;

interface Side {
  readonly shop: Shop;
  readonly server: FunctionsProcess;
  readonly client: Client;
  readonly references: readonly string[];
  readonly fillSeconds: number;
}

/** A merchant with `checkouts` checkouts, and the functions over its table. */
const openSide = async (checkouts: number): Promise<Side> => {
  const shop = await openShop();
  const server = await startFunctions(shop.world);
  const client = newClient(server.baseUrl);
  const reference = await newCheckout(client, shop.key);
  const [pending] = await shop.world.itemsOf('CHK');
  const body = { reference };
  await client.ask({ method: 'POST', path: '/api/v1/checkout/sandbox/simulate', key: shop.key, body });
  const [paid] = await shop.world.itemsOf('CHK');
  if (!pending || !paid) throw new Error('The service wrote no checkout.');
  const startedAt = performance.now();
  const references = await fillCheckouts(shop.world.table, checkouts, { pending, paid });
  return { shop, server, client, references, fillSeconds: Math.round((performance.now() - startedAt) / 1_000) };
};

/** How long verify, list and a landing take at 1,000 and at 300,000 checkouts of one merchant, measured in turns. */
export const measureGrowth = async (): Promise<Findings> => {
  const small = await openSide(SMALL);
  const large = await openSide(LARGE);
  const anywhere = ({ references }: Side): string => references[Math.floor(Math.random() * references.length)] ?? '';
  /** The cursor of a page in the middle of the first thousand. */
  const cursors = new Map<Side, string>();
  for (const side of [small, large]) {
    let cursor = '';
    for (let page = 0; page < 5; page++) {
      const path = `/api/v1/checkouts?limit=100${cursor && `&cursor=${cursor}`}`;
      const { text } = await side.client.ask({ method: 'GET', path, key: side.shop.key });
      cursor = JSON.parse(text).meta.next_cursor;
    }
    cursors.set(side, cursor);
  }

  const ask = async (side: Side, request: Omit<Asked, 'key'>): Promise<number> => {
    const { status, text, ms } = await side.client.ask({ ...request, key: side.shop.key });
    if (status !== 200) throw new Error(`${request.path} answered ${status}: ${text}`);
    return ms;
  };
  const kinds: Record<string, (side: Side) => Promise<number>> = {
    verify: (side) => ask(side, { method: 'GET', path: `/api/v1/checkout/verify/${anywhere(side)}` }),
    'list, newest 25': (side) => ask(side, { method: 'GET', path: '/api/v1/checkouts' }),
    'list, 25 after 500': (side) => ask(side, { method: 'GET', path: `/api/v1/checkouts?cursor=${cursors.get(side)}` }),
    'landing (simulate)': async (side) => {
      const reference = await newCheckout(side.client, side.shop.key);
      return ask(side, { method: 'POST', path: '/api/v1/checkout/sandbox/simulate', body: { reference } });
    },
  };

  const misses: string[] = [];
  const rows: Record<string, string | number>[] = [];
  for (const [request, work] of Object.entries(kinds)) {
    const [few, many]: [number[], number[]] = [[], []];
    for (let i = 0; i < WARM_UP + SAMPLES; i++) {
      // Each goes first equally often, because the first may still compete with the other's work.
      const turns = i % 2 === 0 ? [small, large] : [large, small];
      for (const side of turns) {
        const ms = await work(side);
        if (i >= WARM_UP) (side === small ? few : many).push(ms);
      }
    }
    const ratio = rounded(percentile(many, 50) / percentile(few, 50));
    if (ratio > BUDGET) misses.push(`${request}: ${ratio} times as long at ${LARGE} checkouts, budget ${BUDGET}.`);
    rows.push({
      request,
      [`p50 at ${SMALL.toLocaleString('en')}, ms`]: rounded(percentile(few, 50)),
      [`p50 at ${LARGE.toLocaleString('en')}, ms`]: rounded(percentile(many, 50)),
      ratio,
      [`p95 at ${SMALL.toLocaleString('en')}, ms`]: rounded(percentile(few, 95)),
      [`p95 at ${LARGE.toLocaleString('en')}, ms`]: rounded(percentile(many, 95)),
    });
  }
  for (const side of [small, large]) {
    side.client.close();
    await side.server.stop();
  }
  const about = `Checkouts of one merchant, a tenth of them waiting; ${SAMPLES} requests of each kind to each table, one at a time and in turns. Filling the large table took ${large.fillSeconds} s. Budget: ratio of the medians ≤ ${BUDGET}.`;
  return { tables: [{ title: 'Growth', about, rows }], misses };
};
