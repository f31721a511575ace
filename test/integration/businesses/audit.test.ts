import { MINUTE } from '#shared/platform/kernel/time.ts';
import { signInSteppedUp } from '#test/support/worlds/account-client.ts';
import { invite } from '#test/support/worlds/dashboard.ts';
import { createDashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

/* Tests the audit log. It has every change by a member once, and a limited number of their refused requests. */

const OWNER = 'ada@ada-stores.example.com';

const open = async () => {
  const world = await makeWorld();
  const shop = (await world.addBusiness()).id;
  await invite(world, shop, OWNER, 'owner');
  const cookie = (await signInSteppedUp(world, OWNER)).cookie();
  const client = (changes: Partial<World['deps']> = {}) =>
    createDashboardClient({ ...world, deps: { ...world.deps, ...changes } }, cookie, shop);
  const endpoint = (await client().createEndpoint({ body: { url: 'https://shop.example.com/hooks' } })).json.data.id;
  world.clock.advance(1_000);
  const recover = (id: string, changes: Partial<World['deps']> = {}) =>
    client(changes).recover({ params: { id }, body: { since: '2026-11-01T00:00:00Z' } });
  const listRecoveries = async () =>
    (await client().audit({})).json.data
      .filter(({ action }: { action: string }) => action.endsWith('/recover'))
      .map(({ what, target, outcome }: Record<string, string>) => `${outcome}: ${what} ${target}`);
  const log = async () => (await client().audit({})).json.data;
  const listUnclosed = () => world.itemsOf('ASK#');
  return { client, log, world, endpoint, recover, listRecoveries, listUnclosed };
};

test('a successful request has one audit entry', async () => {
  const { endpoint, recover, listRecoveries, listUnclosed } = await open();
  expect((await recover(endpoint)).status).toBe(202);
  expect(await listRecoveries()).toEqual([
    `done: sent missed events to a webhook endpoint (since: "2026-11-01T00:00:00Z") ${endpoint}`,
  ]);
  expect(await listUnclosed()).toEqual([]);
});

test('a long value is cut in the audit log, so that nobody fills the log with it', async () => {
  const { client, endpoint, log } = await open();
  const since = `2026-11-01T00:00:00.${'0'.repeat(60_000)}Z`;
  expect((await client().recover({ params: { id: endpoint }, body: { since } })).status).toBe(202);
  const [{ what }] = await log();
  expect(what).toMatch(/\(since: "2026-11-01T00:00:00\.0+…\)$/);
  expect(what.length).toBeLessThan(300);
});

test('a refused request has one audit entry with the reason, for at most twenty requests an hour', async () => {
  const { recover, listRecoveries, listUnclosed } = await open();
  const unknown = 'whe_01KA0000000000000000000000';
  for (let i = 0; i < 22; i += 1) expect((await recover(unknown)).status).toBe(404);
  const entries = await listRecoveries();
  expect(entries).toHaveLength(20);
  expect(entries[0]).toBe(
    `refused: asked to send missed events to a webhook endpoint (since: "2026-11-01T00:00:00Z") and was refused: Webhook endpoint not found. ${unknown}`,
  );
  expect(await listUnclosed()).toEqual([]);
});

test('a refused change that writes its own audit entry has one entry, too, and an invalid request has none', async () => {
  const { client, log } = await open();
  const id = 'key_01KDVDNX1Q7B3W9E5R2T8Y6U4C';
  expect((await client().revoke({ params: { id } })).status).toBe(404);
  expect((await client().create({ body: { kind: 'private' } })).status).toBe(422);
  expect((await log())[0]).toMatchObject({
    action: 'POST /v1/keys/{id}/revoke',
    what: 'asked to revoke a key and was refused: Key not found.',
    target: id,
    outcome: 'refused',
    error: 'key_not_found',
  });
  expect((await log()).map(({ outcome }: { outcome: string }) => outcome)).toEqual(['refused', 'done', 'done']);
});

test('a request that all providers reject is recorded as refused', async () => {
  const { client, log } = await open();
  const customer = { customer_name: 'Adaeze Okafor', customer_phone: '+2348031234567' };
  const body = { ...customer, customer_email: 'fail+all@example.com', banks: ['paystack'] };
  expect((await client().createAccounts({ body })).json.code).toBe('all_providers_failed');
  expect((await log())[0]).toMatchObject({
    what: 'asked to open a virtual account (banks: ["paystack"]) and was refused: No virtual account could be created. See errors.',
    outcome: 'refused',
    error: 'all_providers_failed',
  });
});

test('an account that may still open is recorded with its id and an unknown outcome', async () => {
  const { client, log } = await open();
  const customer = { customer_name: 'Adaeze Okafor', customer_phone: '+2348031234567' };
  const body = { ...customer, customer_email: 'lost+monnify@example.com', banks: ['monnify'] };
  const { json } = await client().createAccounts({ body });
  expect([json.code, json.errors[0].code]).toEqual(['all_providers_failed', 'outcome_unknown']);
  expect((await log())[0]).toMatchObject({
    what: 'asked to open a virtual account (banks: ["monnify"])',
    target: json.errors[0].virtual_account_id,
    outcome: 'unknown',
    error: null,
  });
});

test('a created object is recorded with its id', async () => {
  const { client, log } = await open();
  const body = { amount: 2_500, payer_email: 'tunde.bakare@example.com', merchant_reference: 'ORDER-1042' };
  const { reference } = (await client().initialize({ body })).json.data;
  expect((await log())[0]).toMatchObject({
    what: 'started a checkout (amount: 2500, merchant reference: "ORDER-1042")',
    target: reference,
    outcome: 'done',
    error: null,
  });
});

test('a failed request has one audit entry with an unknown outcome, because it may have had its effect', async () => {
  const { world, endpoint, recover, listRecoveries, listUnclosed } = await open();
  const listUndeliveredKeys = async () => {
    throw new Error('The table is away.');
  };
  const failing = { ...world.deps.deliveries, listUndeliveredKeys };
  expect((await recover(endpoint, { deliveries: failing })).status).toBe(500);
  expect(await listRecoveries()).toEqual([
    expect.stringMatching(/^unknown: asked to send missed events to a webhook endpoint/),
  ]);
  expect(await listUnclosed()).toEqual([]);
});

test('a request whose process died has one audit entry a minute later', async () => {
  const { world, endpoint, recover, listRecoveries, listUnclosed } = await open();
  const { audit } = world.deps;
  const close = async () => {
    throw new Error('The process has died.');
  };
  expect((await recover(endpoint, { audit: { ...audit, close } })).status).toBe(202);
  expect(await listRecoveries()).toEqual([]);
  world.clock.advance(MINUTE);
  expect(await listRecoveries()).toEqual([
    expect.stringMatching(/^unknown: asked to send missed events to a webhook endpoint/),
  ]);
  expect(await listUnclosed()).toEqual([]);
  expect(await listRecoveries()).toHaveLength(1);
});
