import { USAGE_LIMITS } from '#shared/businesses/domain/usage-limits.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { api, business, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

/* Tests searches. A search reads more than it shows, so each business has a limit a minute in each mode. */

openMerchantForEachTest({ urls: [] });

type Query = Record<string, string>;
const payments = (query: Query = {}, client = api) => client.listAllPayments(undefined, {}, query);
const exportPayments = () => api.exportPayments();
const checkouts = (query: Query = {}) => api.listCheckouts(undefined, {}, query);
const events = (query: Query = {}) => api.listEvents(undefined, {}, query);

const SEARCHES: Readonly<Record<string, () => Promise<{ status: number }>>> = {
  'payments of a sender': () => payments({ sender: 'eze' }),
  'payments by amount': () => payments({ min_amount: '100' }),
  'payments of a payer': () => payments({ payer_email: 'sade@example.com' }),
  'checkouts by status': () => checkouts({ status: 'paid' }),
  'checkouts by account number': () => checkouts({ account_number: '5430362769' }),
  'totals by day': () => api.totals(undefined, {}, { from: '2026-11-01', to: '2026-11-20' }),
  'events by type': () => events({ type: 'checkout.paid' }),
  'events by the status of a delivery': () => events({ delivery_status: 'exhausted' }),
  'events with their deliveries': () => events({ deliveries: 'true' }),
};
const PAGES: Readonly<Record<string, () => Promise<{ status: number }>>> = {
  payments: () => payments(),
  'payments of a time': () => payments({ from: '2026-11-20T00:00:00Z' }),
  checkouts: () => checkouts(),
  'checkouts of a payer': () => checkouts({ payer_email: 'sade@example.com' }),
  'checkouts with a reference': () => checkouts({ merchant_reference: 'ORDER-2026-00417' }),
  events: () => events(),
  'events without their deliveries': () => events({ deliveries: 'false' }),
};

test('a business can search 120 times a minute, and can still read lists without a search after that', async () => {
  const searches = Object.values(SEARCHES);
  for (let i = 0; i < USAGE_LIMITS.search; i++) {
    expect((await searches[i % searches.length]?.())?.status).toBe(200);
  }
  for (const [name, search] of Object.entries(SEARCHES)) {
    expect([name, await search()]).toMatchObject([
      name,
      {
        status: 429,
        json: {
          code: 'rate_limited',
          message:
            'A business can search its lists with filters at most 120 times a minute in each mode. Try again in 60 s.',
        },
        headers: { 'retry-after': '60' },
      },
    ]);
  }
  for (const [name, page] of Object.entries(PAGES)) expect([name, (await page()).status]).toEqual([name, 200]);
  // Live mode, other businesses and the next minute have limits of their own.
  const other = await world.addBusiness([]);
  for (const key of [business.keys.secret_live, other.keys.secret_test]) {
    expect((await payments({ sender: 'eze' }, createApiClient(world, key))).status).toBe(200);
  }
  world.clock.advance(MINUTE);
  expect((await payments({ sender: 'eze' })).status).toBe(200);
});

test('a business can export 12 times a minute, and exports do not count as searches', async () => {
  for (let i = 0; i < USAGE_LIMITS.export; i++) expect((await exportPayments()).status).toBe(200);
  expect(await exportPayments()).toMatchObject({
    status: 429,
    json: { message: 'A business can export payments at most 12 times a minute in each mode. Try again in 60 s.' },
  });
  expect((await payments({ sender: 'eze' })).status).toBe(200);
});
