import { MINUTE } from '#shared/platform/kernel/time.ts';
import { steppedUp } from '#test/support/worlds/account-client.ts';
import { invite } from '#test/support/worlds/dashboard.ts';
import { dashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

/* The audit log has what members did, once each, and nothing that was refused. */

const OWNER = 'ada@ada-stores.example.com';

const open = async () => {
  const world = await makeWorld();
  const shop = (await world.addBusiness()).id;
  await invite(world, shop, OWNER, 'owner');
  const cookie = (await steppedUp(world, OWNER)).cookie();
  const client = (changes: Partial<World['deps']> = {}) =>
    dashboardClient({ ...world, deps: { ...world.deps, ...changes } }, cookie, shop);
  const endpoint = (await client().createEndpoint({ body: { url: 'https://shop.example.com/hooks' } })).json.data.id;
  const recover = (id: string, changes: Partial<World['deps']> = {}) =>
    client(changes).recover({ params: { id }, body: { since: '2026-11-01T00:00:00Z' } });
  const asked = async () =>
    (await client().audit({})).json.data
      .map(({ what, target }: { what: string; target: string }) => `${what} ${target}`)
      .filter((what: string) => what.startsWith('asked: '));
  const unclosed = () => world.itemsOf('ASK#');
  return { world, endpoint, recover, asked, unclosed };
};

test('what was done is one entry', async () => {
  const { endpoint, recover, asked, unclosed } = await open();
  expect((await recover(endpoint)).status).toBe(202);
  expect(await asked()).toEqual([
    `asked: Send again what was not delivered to a webhook endpoint since a time. since: "2026-11-01T00:00:00Z". ${endpoint}`,
  ]);
  expect(await unclosed()).toEqual([]);
});

test('what is refused is none, however often it is repeated', async () => {
  const { recover, asked, unclosed } = await open();
  for (let i = 0; i < 5; i += 1) expect((await recover('whe_01KA0000000000000000000000')).status).toBe(404);
  expect([await asked(), await unclosed()]).toEqual([[], []]);
});

test('what has failed is one entry, as it may have been done', async () => {
  const { world, endpoint, recover, asked, unclosed } = await open();
  const listWaiting = async () => {
    throw new Error('The table is away.');
  };
  const failing = { ...world.deps.deliveries, listWaiting };
  expect((await recover(endpoint, { deliveries: failing })).status).toBe(500);
  expect(await asked()).toHaveLength(1);
  expect(await unclosed()).toEqual([]);
});

test('what a request asked for that has died is one entry a minute later', async () => {
  const { world, endpoint, recover, asked, unclosed } = await open();
  const { audit } = world.deps;
  const close = async () => {
    throw new Error('The process has died.');
  };
  expect((await recover(endpoint, { audit: { ...audit, close } })).status).toBe(202);
  expect(await asked()).toEqual([]);
  world.clock.advance(MINUTE);
  expect(await asked()).toEqual([expect.stringContaining(endpoint)]);
  expect(await unclosed()).toEqual([]);
  expect(await asked()).toHaveLength(1);
});
