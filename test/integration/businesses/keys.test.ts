import { createBusiness } from '#shared/businesses/use-cases/create-business.ts';
import { updateKey } from '#shared/businesses/use-cases/update-key.ts';
import { HOUR, isoMicros } from '#shared/platform/kernel/time.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { type DashboardCall, invite, signIn } from '#test/support/worlds/dashboard.ts';
import { createDashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

const OWNER = 'ada@ada-stores.example.com';

const open = async () => {
  const world = await makeWorld();
  const { business, keys } = await createBusiness(world.deps, { name: 'Ada Stores Limited', actor: 'a test' });
  await invite(world, business.id, OWNER, 'owner');
  const client = createDashboardClient(world, await signIn(world, OWNER), business.id);
  return { world, keys, ...client, list: async (call: DashboardCall = {}) => (await client.listKeys(call)).json.data };
};
describe('the keys of a business', () => {
  test('are listed for one mode, never in clear text, beside the caller’s address', async () => {
    const { list, keys } = await open();
    const data = await list();
    expect(data.your_address).toBe('102.89.23.17');
    expect(data.keys.map(({ mode }: { mode: string }) => mode)).toEqual(['test', 'test']);
    expect((await list({ mode: 'live' })).keys.map(({ mode }: { mode: string }) => mode)).toEqual(['live', 'live']);
    expect(data.keys[0]).toMatchObject({ status: 'active', created_by: 'operations', ip_whitelist: [] });
    for (const { key } of keys) expect(JSON.stringify(data)).not.toContain(key);
  });

  test('work at once after their creation; only the answer to the creation has the clear text', async () => {
    const { world, create, list } = await open();
    const { status, json } = await create({ body: { kind: 'secret' } });
    expect([status, json.data.mode, json.data.created_by]).toEqual([201, 'test', OWNER]);
    expect((await createApiClient(world, json.data.key).listCheckouts()).status).toBe(200);
    expect(JSON.stringify(await list())).not.toContain(json.data.key);
    expect((await list()).keys[0].id).toBe(json.data.id);
  });

  test('work side by side after a roll until the grace ends, and then only the new key works', async () => {
    const { world, create, roll } = await open();
    const old = (await create({ body: { kind: 'secret' } })).json.data;
    const { status, json } = await roll({ params: { id: old.id }, body: { grace_seconds: 3_600 } });
    expect(status).toBe(201);
    const answers = async () => [
      (await createApiClient(world, old.key).listCheckouts()).status,
      (await createApiClient(world, json.data.key).listCheckouts()).status,
    ];
    expect(await answers()).toEqual([200, 200]);
    world.clock.advance(HOUR);
    expect(await answers()).toEqual([401, 200]);
    const again = await roll({ params: { id: old.id }, body: { grace_seconds: 0 } });
    expect([again.status, again.json.code]).toEqual([401, 'sign_in_required']);
  });

  test.each([-1, 1.5, 604_801, '60', null])('cannot be rolled with a grace of %j seconds', async (grace_seconds) => {
    const { list, roll } = await open();
    const { keys } = await list();
    const { status, json } = await roll({ params: { id: keys[0].id }, body: { grace_seconds } });
    expect([status, json.errors[0].field]).toEqual([422, 'grace_seconds']);
    expect((await list()).keys).toEqual(keys);
  });

  test.each([0, 604_800])('can be rolled with a grace of %j seconds', async (grace_seconds) => {
    const { list, roll } = await open();
    const [{ id }] = (await list()).keys;
    expect((await roll({ params: { id }, body: { grace_seconds } })).status).toBe(201);
  });

  test('stop working with the next request after they are revoked', async () => {
    const { world, create, revoke, roll } = await open();
    const { id, key } = (await create({ body: { kind: 'secret' } })).json.data;
    expect((await revoke({ params: { id } })).json.data.status).toBe('ended');
    expect((await createApiClient(world, key).listCheckouts()).json.code).toBe('invalid_api_key');
    const rolled = await roll({ params: { id }, body: { grace_seconds: 0 } });
    expect([rolled.status, rolled.json.code]).toEqual([409, 'not_possible']);
    expect(rolled.json.message).toContain('no longer works');
  });

  test('have a whitelist that holds for the very next request', async () => {
    const { world, create, whitelist } = await open();
    const { id, key } = (await create({ body: { kind: 'secret' } })).json.data;
    const at = (address: string) => createApiClient(world, key, address).listCheckouts();
    expect((await at('41.58.0.9')).status).toBe(200);
    const set = await whitelist({ params: { id }, body: { ip_whitelist: ['102.89.23.17', '10.0.0.0/8'] } });
    expect(set.json.data.ip_whitelist).toEqual(['102.89.23.17', '10.0.0.0/8']);
    const refused = await at('41.58.0.9');
    expect([refused.status, refused.json.message]).toEqual([403, 'Request IP is not whitelisted.']);
    expect((await at('102.89.23.17')).status).toBe(200);
  });

  test.each([
    [{ ip_whitelist: ['102.89.23.300'] }, 'ip_whitelist.0'],
    [{ ip_whitelist: ['10.0.0.0/8', 'shop.example.ng'] }, 'ip_whitelist.1'],
    [{ ip_whitelist: '10.0.0.0/8' }, 'ip_whitelist'],
  ])('refuse the whitelist %j', async (body, field) => {
    const { list, whitelist } = await open();
    const [{ id }] = (await list()).keys;
    const { status, json } = await whitelist({ params: { id }, body });
    expect([status, json.errors[0].field]).toEqual([422, field]);
  });

  test('have a name, which a roll gives to the new key, and which can change without the whitelist', async () => {
    const { world, list, create, roll, whitelist, audit } = await open();
    const created = (await create({ body: { kind: 'secret', name: ' Checkout server ' } })).json.data;
    const { id } = created;
    expect(created.name).toBe('Checkout server');
    await whitelist({ params: { id }, body: { ip_whitelist: ['102.89.23.17'] } });
    expect((await whitelist({ params: { id }, body: { name: 'Old server' } })).json.data).toMatchObject({
      name: 'Old server',
      ip_whitelist: ['102.89.23.17'],
    });
    world.clock.advance(1);
    const rolled = (await roll({ params: { id }, body: { grace_seconds: 0 } })).json.data;
    expect(rolled.name).toBe('Old server');
    world.clock.advance(1);
    await whitelist({ params: { id: rolled.id }, body: { name: null } });
    expect((await list()).keys.map(({ name }: { name: string | null }) => name)).toEqual([
      null,
      'Old server',
      null,
      null,
    ]);
    const [last, before] = (await audit({})).json.data.map(({ what }: { what: string }) => what);
    expect(last).toBe(`removed the name of the test secret key “Old server” sk_test_…${rolled.last_four}`);
    expect(before).toMatch(
      /^rolled the test secret key “Old server” sk_test_….{4}, which ended at once, into sk_test_….{4}$/,
    );
  });

  test('have a name that cannot continue the audit log’s sentence', async () => {
    const { create, whitelist, audit } = await open();
    const name = 'Kiosk”; revoked the test secret key “Till';
    const { id, last_four } = (await create({ body: { kind: 'secret' } })).json.data;
    await whitelist({ params: { id }, body: { name } });
    await whitelist({ params: { id }, body: { ip_whitelist: ['102.89.23.17'] } });
    const quoted = '“Kiosk"; revoked the test secret key "Till”';
    expect((await audit({})).json.data.map(({ what }: { what: string }) => what)).toEqual(
      expect.arrayContaining([
        `named the test secret key sk_test_…${last_four} ${quoted}`,
        expect.stringContaining(`set the whitelist of the test secret key ${quoted} sk_test_…${last_four} to`),
      ]),
    );
  });

  test.each(['', ' ', 'a'.repeat(61), 'Kiosk \u202e1'])('refuse the name %j', async (name) => {
    const { list, create, whitelist } = await open();
    const [{ id }] = (await list()).keys;
    for (const { status, json } of [
      await create({ body: { kind: 'secret', name } }),
      await whitelist({ params: { id }, body: { name } }),
    ]) {
      expect([status, json.errors[0].field]).toEqual([422, 'name']);
    }
  });

  test('have the hour of their last use, which a refused request does not change', async () => {
    const { world, create, list } = await open();
    const { id, key } = (await create({ body: { kind: 'secret' } })).json.data;
    const unused = (await list()).keys.find((listed: { id: string }) => listed.id === id);
    expect(unused.last_used_at).toBeNull();
    const { businesses, now } = world.deps;
    const lastUse = async () => {
      const stored = await businesses.findKey(id);
      return stored && (await businesses.lastUses([stored])).get(id);
    };
    const call = async (address?: string) => (await createApiClient(world, key, address).listCheckouts()).status;
    const first = now();
    expect(await call()).toBe(200);
    world.clock.advance(1_000);
    expect(await call()).toBe(200);
    expect(await lastUse()).toBe(first);
    expect((await list()).keys[0].last_used_at).toBe(isoMicros(first));
    world.clock.advance(HOUR);
    const second = now();
    expect(await call()).toBe(200);
    expect(await lastUse()).toBe(second);
    world.clock.advance(HOUR);
    await updateKey(world.deps, { keyId: id, entries: ['10.0.0.0/8'], actor: 'a test' });
    expect(await call('41.58.0.9')).toBe(403);
    expect(await lastUse()).toBe(second);
  });

  test('work even if their last use cannot be recorded, and that failure is logged', async () => {
    const { world, create } = await open();
    const { key } = (await create({ body: { kind: 'secret' } })).json.data;
    const note = async () => {
      throw new Error('The table is away.');
    };
    const deps = { ...world.deps, keyUses: { note } };
    expect((await createApiClient({ ...world, deps }, key).listCheckouts()).status).toBe(200);
    expect(world.loggedTimes('key_use_not_noted')).toBe(1);
  });

  test('remain hidden in another mode, at another business, and behind an unknown id', async () => {
    const { world, list, revoke, whitelist, roll } = await open();
    const [live] = (await list({ mode: 'live' })).keys;
    const other = await open();
    const [foreign] = (await other.list()).keys;
    const ids = [live.id, foreign.id, 'key_01KDVDNX1Q7B3W9E5R2T8Y6U4C', 'KEY#one'];
    for (const id of ids) {
      for (const answer of [
        await revoke({ params: { id } }),
        await whitelist({ params: { id }, body: { ip_whitelist: [] } }),
        await roll({ params: { id }, body: { grace_seconds: 0 } }),
      ]) {
        expect([id, answer.status, answer.json.code]).toEqual([id, 404, 'key_not_found']);
      }
    }
    // Two entries are the creation of the business and the invitation of its member. All other entries are refused requests.
    const recorded = await world.itemsOf('LOG#');
    expect(recorded.filter(({ outcome }) => outcome !== 'refused')).toHaveLength(2);
  });
});

describe('the audit log', () => {
  test('has each change with its author, the address and the state before, newest first', async () => {
    const { world, create, whitelist, revoke, audit } = await open();
    const { id, last_four } = (await create({ body: { kind: 'secret' } })).json.data;
    const key = `the test secret key sk_test_…${last_four}`;
    world.clock.advance(1);
    await whitelist({ params: { id }, body: { ip_whitelist: ['102.89.23.17'] } });
    world.clock.advance(1);
    await whitelist({ params: { id }, body: { ip_whitelist: [] } });
    world.clock.advance(1);
    await revoke({ params: { id } });
    const { json } = await audit({});
    const common = { mode: 'test', actor: { email: OWNER }, address: '102.89.23.17' };
    expect(json.data).toMatchObject([
      { ...common, action: 'POST /v1/keys/{id}/revoke', target: id, what: `revoked ${key}` },
      {
        ...common,
        action: 'PATCH /v1/keys/{id}',
        what: `set the whitelist of ${key} to any address; before, it was 102.89.23.17`,
      },
      {
        ...common,
        action: 'PATCH /v1/keys/{id}',
        what: `set the whitelist of ${key} to 102.89.23.17; before, it was any address`,
      },
      { ...common, action: 'POST /v1/keys', target: id, what: `created ${key}` },
    ]);
  });

  test('has the state of an endpoint before each change, but only the host of its URL', async () => {
    const { world, createEndpoint, updateEndpoint, rotateSecret, deleteEndpoint, audit } = await open();
    const created = await createEndpoint({ body: { url: 'https://shop.example/webhooks?token=s3cret' } });
    const { id } = created.json.data;
    const params = { id };
    const elsewhere = { url: 'https://books.example/webhooks', events: ['checkout.paid'] };
    world.clock.advance(1_000);
    const refused = await updateEndpoint({ params: { id: 'whe_01M7WKA5R2T8V4X6Z1B3D5F7HJ' }, body: elsewhere });
    const statuses = [refused.status, created.status];
    for (const change of [
      () => updateEndpoint({ params, body: elsewhere }),
      () => updateEndpoint({ params, body: { url: 'https://books.example/other', enabled: false } }),
      () => rotateSecret({ params, body: { grace_seconds: 60 } }),
      () => deleteEndpoint({ params }),
    ]) {
      world.clock.advance(1_000);
      statuses.push((await change()).status);
    }
    expect(statuses).toEqual([404, 201, 200, 200, 200, 200]);
    const { data } = (await audit({})).json;
    expect(data.map(({ what }: { what: string }) => what)).toEqual([
      `deleted the test webhook endpoint ${id} at books.example`,
      `rotated the secret of the test webhook endpoint ${id}; the old one signs for another 60 s`,
      `changed the test webhook endpoint ${id}: it posts to another URL at books.example; is switched off`,
      `changed the test webhook endpoint ${id}: it posts to books.example instead of shop.example; gets checkout.paid instead of *`,
      'asked to change a webhook endpoint and was refused: Webhook endpoint not found.',
      `created the test webhook endpoint ${id} at shop.example`,
    ]);
    expect(data.map(({ target }: { target: string }) => target)).toEqual([
      ...[id, id, id, id],
      ...['whe_01M7WKA5R2T8V4X6Z1B3D5F7HJ', ''],
    ]);
  });

  test('can be filtered by member, action and time, page by page', async () => {
    const { world, create, revoke, audit } = await open();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.push((await create({ body: { kind: 'public' } })).json.data.id);
      world.clock.advance(1_000);
    }
    const since = new Date(world.clock.now()).toISOString();
    await revoke({ params: { id: ids[0] ?? '' } });
    const actionsOf = async (query: Record<string, string>): Promise<string[]> =>
      (await audit({ query })).json.data.map(({ action }: { action: string }) => action);
    expect(await actionsOf({ action: 'POST /v1/keys/{id}/revoke' })).toEqual(['POST /v1/keys/{id}/revoke']);
    expect(await actionsOf({ from: since })).toEqual(['POST /v1/keys/{id}/revoke']);
    expect(await actionsOf({ actor: 'nobody@example.com' })).toEqual([]);
    expect(await actionsOf({ actor: OWNER.toUpperCase() })).toHaveLength(6);
    // Each list page has two entries. The last page has one entry, and no cursor.
    const listedIds: string[] = [];
    let cursor: string | null = null;
    do {
      const query = { action: 'POST /v1/keys', limit: '2', ...(cursor !== null && { cursor }) };
      const { json } = await audit({ query });
      listedIds.push(...json.data.map(({ id }: { id: string }) => id));
      cursor = json.meta.next_cursor;
    } while (cursor !== null);
    expect(new Set(listedIds).size).toBe(5);
    expect(listedIds).toHaveLength(5);
    // A cursor is valid only for the list that it came from.
    const first = await audit({ query: { limit: '2' } });
    const moved = await audit({ query: { limit: '2', action: 'POST /v1/keys', cursor: first.json.meta.next_cursor } });
    expect(moved.json.code).toBe('validation_failed');
  });

  test('continues by its cursor', async () => {
    const { create, audit } = await open();
    for (let n = 0; n < 3; n++) await create({ body: { kind: 'public' } });
    const first = await audit({ query: { limit: '2' } });
    const rest = await audit({ query: { limit: '2', cursor: first.json.meta.next_cursor } });
    expect([first.json.data.length, rest.json.data.length, rest.json.meta.has_more]).toEqual([2, 1, false]);
  });

  test('has only the entries of one business', async () => {
    const [own, other] = [await open(), await open()];
    await own.create({ body: { kind: 'public' } });
    expect((await other.audit({})).json.data).toEqual([]);
  });
});
