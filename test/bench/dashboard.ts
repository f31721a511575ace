import { type Payment, payment } from '#shared/payments/domain/payment.ts';
import { paymentItem } from '#shared/payments/store/items.ts';
import { lagosDate } from '#shared/platform/kernel/lagos-day.ts';
import { DAY } from '#shared/platform/kernel/time.ts';
import { runtime } from '#shared/platform/runtime.ts';
import type { Item, Table } from '#shared/platform/table/table.ts';
import { invite, signIn } from '#test/support/worlds/dashboard.ts';
import { putAll } from '#test/support/worlds/table.ts';
import { startFunctions } from './functions-process.ts';
import { type Findings, round } from './report.ts';
import { newClient } from './requests.ts';
import { newCheckout, openShop } from './shop.ts';
import { percentile } from './statistics.ts';

const PAYMENTS = 10_000;
const DAYS = 30;
/** Rounds that are counted. They show each screen in turn. WARM_UP rounds before them are not counted. */
const ROUNDS = 40;
const WARM_UP = 10;
/** Wait after each round, so that no limit is reached: a business may start 120 searches a minute, and a round starts three. */
const PAUSE_MS = 1_600;
const MEMBER = 'adaeze.okafor@ada-stores.example.com';
/** Budgets of the p95 in milliseconds: for all requests of the overview together, and for a first list page. */
const BUDGET = { overview: 300, page: 100 };

/** Copies a payment many times, over thirty days; the newest is now. */
const fillPayments = async (table: Table, template: Item): Promise<void> => {
  const first = payment.parse(template);
  const now = Date.now();
  const items = Array.from({ length: PAYMENTS }, (_, i) => {
    const recordedAt = now - Math.floor((i * DAYS * DAY) / PAYMENTS);
    const providerReference = `${first.providerReference}-${i}`;
    const copy: Payment = { ...first, id: runtime.newId('pay'), recordedAt, providerReference };
    return paymentItem(table, {
      ...copy,
      origin: { kind: 'transfer', transferId: providerReference },
    });
  });
  await putAll(table, items);
};

/** Measures the requests of each dashboard screen, under a session, at ten thousand payments. */
export const measureDashboard = async (): Promise<Findings> => {
  const { world, business, key } = await openShop();
  const server = await startFunctions(world);
  const client = newClient(server.baseUrl);
  const reference = await newCheckout(client, key);
  await client.ask({ method: 'POST', path: '/api/v1/checkout/sandbox/simulate', key, body: { reference } });
  const [template] = await world.itemsOf('PAY');
  if (!template) throw new Error('The service recorded no payment.');
  await fillPayments(world.table, template);
  await invite(world, business.id, MEMBER, 'viewer');
  const headers = {
    // The local gateway has no TLS, so its cookies have another prefix.
    cookie: (await signIn(world, MEMBER)).replace('__Host-', 'payments-'),
    'sec-fetch-site': 'same-origin',
    'x-business-id': business.id,
    'x-dashboard-mode': 'test',
  };
  const ask = async (path: string): Promise<void> => {
    const { status, text } = await client.ask({ method: 'GET', path: `/api/dashboard/v1${path}`, key: '', headers });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  };
  const [endpoint] = business.endpoints;
  const [from, to] = [lagosDate(Date.now() - (DAYS - 1) * DAY), lagosDate(Date.now())];
  const screens = {
    overview: [
      ...['/webhook-endpoints', `/webhook-endpoints/${endpoint?.id}`, `/totals?from=${from}&to=${to}`],
      '/events?delivery_status=succeeded&limit=1',
      '/payments?limit=5',
    ],
    'payments, first page': ['/payments'],
    'payments of a day': [`/payments?from=${new Date(Date.now() - DAY).toISOString()}&outcome=accepted`],
    'checkouts, first page': ['/checkouts'],
    'events, first page': ['/events?deliveries=true'],
  };
  const loadScreen = async (paths: readonly string[]): Promise<number> => {
    const startedAt = performance.now();
    await Promise.all(paths.map(ask));
    return performance.now() - startedAt;
  };
  // No day is summed yet, so the first totals read all ten thousand payments.
  const firstOverview = await loadScreen(screens.overview);
  const times = new Map<string, number[]>(Object.keys(screens).map((name) => [name, []]));
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const [name, paths] of Object.entries(screens)) {
      const ms = await loadScreen(paths);
      if (round >= WARM_UP) times.get(name)?.push(ms);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  client.close();
  await server.stop();

  const findBudget = (name: string): number => (name.startsWith('overview') ? BUDGET.overview : BUDGET.page);
  const rows = [...times, ['overview, the first time', [firstOverview]] as const].map(([screen, values]) => ({
    screen,
    'p50, ms': round(percentile(values, 50)),
    'p95, ms': round(percentile(values, 95)),
    'budget, ms': findBudget(screen),
  }));
  const misses = rows
    .filter((row) => row['p95, ms'] > row['budget, ms'])
    .map((row) => `${row.screen}: p95 ${row['p95, ms']} ms, budget ${row['budget, ms']} ms.`);
  const about = `All requests of a screen at once, under a session, at ${PAYMENTS.toLocaleString('en')} payments in ${DAYS} days; ${ROUNDS} times each, in turns. Budgets of the p95.`;
  return { tables: [{ title: 'Dashboard', about, rows }], misses };
};
