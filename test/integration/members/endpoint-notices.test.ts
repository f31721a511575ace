import { hashKey } from '#shared/businesses/domain/api-key.ts';
import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { createAccountClient, signInSteppedUp } from '#test/support/worlds/account-client.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { firstLines, invite, mailNotices, signIn } from '#test/support/worlds/dashboard.ts';
import { createDashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { makeWorld, UNUSED_URL } from '#test/support/worlds/world.ts';

const OWNER = 'ada@ada-stores.example.com';
const DEVELOPER = 'chidi@ada-stores.example.com';
const OTHER_URL = 'http://127.0.0.1:9/other?token=secret';

/** Makes a business with an owner and a developer, with its keys and a session in which a passkey was used just now. */
const open = async () => {
  const world = await makeWorld();
  const shop = await world.addBusiness();
  await invite(world, shop.id, OWNER, 'owner');
  await invite(world, shop.id, DEVELOPER, 'developer');
  const session = await signInSteppedUp(world, DEVELOPER);
  const chidi = createDashboardClient(world, session.cookie(), shop.id);
  await mailNotices(world);
  /** Returns the first lines of the mails to the owner, and checks that nobody else got one. */
  const mailedLines = async (): Promise<string[]> => {
    const sent = await mailNotices(world);
    expect(new Set(sent.map(({ to }) => to))).toEqual(new Set(sent.length === 0 ? [] : [OWNER]));
    expect(JSON.stringify(sent)).not.toContain('token=secret');
    return firstLines(sent);
  };
  const logged = async () => (await chidi.audit({})).json.data;
  return { world, shop, session, chidi, mailedLines, logged, live: createApiClient(world, shop.keys.secret_live) };
};

describe('owners are mailed if a live endpoint', () => {
  test('gets created, gets another URL or secret, or gets deleted by a member', async () => {
    const { chidi, mailedLines } = await open();
    const { json } = await chidi.createEndpoint({ mode: 'live', body: { url: UNUSED_URL } });
    const call = { mode: 'live', params: { id: json.data.id } } as const;
    expect(await mailedLines()).toEqual([
      `${DEVELOPER} created the live webhook endpoint ${json.data.id} at 127.0.0.1:9.`,
    ]);
    await chidi.updateEndpoint({ ...call, body: { url: OTHER_URL } });
    expect(await mailedLines()).toEqual([
      `${DEVELOPER} changed the live webhook endpoint ${json.data.id}: it posts to another URL at 127.0.0.1:9.`,
    ]);
    await chidi.rotateSecret({ ...call, body: { grace_seconds: 60 } });
    expect(await mailedLines()).toEqual([
      `${DEVELOPER} rotated the secret of the live webhook endpoint ${json.data.id}; the old one signs for another 60 s.`,
    ]);
    await chidi.deleteEndpoint(call);
    expect(await mailedLines()).toEqual([
      `${DEVELOPER} deleted the live webhook endpoint ${json.data.id} at 127.0.0.1:9.`,
    ]);
  });

  test('gets changed by an API key; each change also has an entry in the audit log', async () => {
    const { world, shop, live, mailedLines, logged } = await open();
    const key = await world.deps.keys.findByHash(hashKey(shop.keys.secret_live));
    const before = (await logged()).length;
    const { json } = await live.createEndpoint({ url: UNUSED_URL });
    const id = json.data.id;
    world.clock.advance(1);
    await live.updateEndpoint(id, { url: OTHER_URL });
    world.clock.advance(1);
    await live.updateEndpoint(id, { enabled: false });
    world.clock.advance(1);
    await live.rotateSecret(id, { grace_seconds: 0 });
    world.clock.advance(1);
    await live.deleteEndpoint(id);
    const by = `The key ${key?.id}`;
    expect(await mailedLines()).toEqual([
      `${by} changed the live webhook endpoint ${id}: it is switched off.`,
      `${by} changed the live webhook endpoint ${id}: it posts to another URL at 127.0.0.1:9.`,
      `${by} created the live webhook endpoint ${id} at 127.0.0.1:9.`,
      `${by} deleted the live webhook endpoint ${id} at 127.0.0.1:9.`,
      `${by} rotated the secret of the live webhook endpoint ${id}; the old one ended at once.`,
    ]);
    const entries = (await logged()).slice(0, -before);
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'DELETE /v1/webhook-endpoints/{id}',
      'POST /v1/webhook-endpoints/{id}/rotate-secret',
      'PATCH /v1/webhook-endpoints/{id}',
      'PATCH /v1/webhook-endpoints/{id}',
      'POST /v1/webhook-endpoints',
    ]);
    expect(entries[0]).toMatchObject({
      mode: 'live',
      actor: { id: key?.id, email: null },
      address: '102.89.23.17',
      target: id,
      what: `deleted the live webhook endpoint ${id} at 127.0.0.1:9`,
    });
  });
});

test('nobody is mailed about test endpoints or empty changes, and a test key leaves no entry', async () => {
  const { world, shop, chidi, live, mailedLines, logged } = await open();
  const key = createApiClient(world, shop.keys.secret_test);
  const before = (await logged()).length;
  const { json } = await key.createEndpoint({ url: UNUSED_URL });
  await key.updateEndpoint(json.data.id, { enabled: false });
  await key.deleteEndpoint(json.data.id);
  expect((await logged()).length).toBe(before);
  await chidi.createEndpoint({ body: { url: UNUSED_URL } });
  expect(await mailedLines()).toEqual([]);
  const { json: created } = await live.createEndpoint({ url: UNUSED_URL });
  await mailedLines();
  await live.updateEndpoint(created.data.id, { url: UNUSED_URL });
  expect((await live.deleteEndpoint('whe_01KDVDNX1Q0Y8J6W6KZ0H3S5T0')).status).toBe(404);
  expect(await mailedLines()).toEqual([]);
});

test('a change of a live endpoint causes no notice if its business has no owner', async () => {
  const world = await makeWorld();
  const shop = await world.addBusiness();
  expect((await createApiClient(world, shop.keys.secret_live).createEndpoint({ url: UNUSED_URL })).status).toBe(201);
  expect(await world.itemsOf('MAIL')).toEqual([]);
});

test('a key can change live endpoints sixty times an hour, so that it cannot fill a mailbox; members can still change them', async () => {
  const { world, chidi, live } = await open();
  const { json } = await live.createEndpoint({ url: UNUSED_URL });
  const id = json.data.id;
  const statuses: number[] = [];
  for (let n = 0; n < 61; n += 1) statuses.push((await live.rotateSecret(id, { grace_seconds: 0 })).status);
  expect([statuses.slice(0, 59), statuses.slice(59)]).toEqual([Array(59).fill(200), [429, 429]]);
  const refused = await live.deleteEndpoint(id);
  expect([refused.json.code, refused.json.message]).toEqual([
    'rate_limited',
    'API keys can change live webhook endpoints of a business at most 60 times an hour. Members can change them in the dashboard. Try again in 3600 s.',
  ]);
  expect((await chidi.rotateSecret({ mode: 'live', params: { id }, body: { grace_seconds: 0 } })).status).toBe(200);
  world.clock.advance(HOUR);
  expect((await live.deleteEndpoint(id)).status).toBe(200);
});

test('the owners and the user are mailed if a passkey is removed', async () => {
  const { world } = await open();
  const chidi = createAccountClient(world, await signIn(world, DEVELOPER));
  const [first] = (await chidi.me()).json.data.passkeys;
  expect((await chidi.remove({ params: { id: first.id } })).json.code).toBe('step_up_required');
  expect(await mailNotices(world)).toEqual([]);
  const bisi = createAccountClient(world, await signIn(world, OWNER));
  const { json } = await bisi.addPasskey(undefined, 'Safari on iPhone');
  await mailNotices(world);
  await bisi.remove({ params: { id: json.data.passkeys[0].id } });
  const sent = await mailNotices(world);
  expect([firstLines(sent), sent.map(({ to }) => to)]).toEqual([
    [`${OWNER} removed the passkey “Safari on iPhone”.`],
    [OWNER],
  ]);
  expect(sent[0]?.subject).toBe(`${OWNER} removed a passkey`);
});

describe('another URL for a live endpoint', () => {
  const prepare = async () => {
    const { world, shop, session, live } = await open();
    const { json } = await live.createEndpoint({ url: UNUSED_URL });
    const update = async (mode: 'live' | 'test', body: unknown, id = json.data.id) => {
      const member = createDashboardClient(world, session.cookie(), shop.id);
      const answer = await member.updateEndpoint({ mode, params: { id }, body });
      return answer.json.code ?? answer.json.data.url;
    };
    return { world, session, update, test: createApiClient(world, shop.keys.secret_test) };
  };

  test('needs a passkey that was used in the last ten minutes in the dashboard; other event types or a switch-off do not', async () => {
    const { world, session, update } = await prepare();
    expect(await update('live', { url: OTHER_URL })).toBe(OTHER_URL);
    world.clock.advance(10 * MINUTE);
    expect(await update('live', { url: UNUSED_URL })).toBe('step_up_required');
    expect(await update('live', { url: UNUSED_URL, enabled: false })).toBe('step_up_required');
    expect(await update('live', { events: ['checkout.paid'] })).toBe(OTHER_URL);
    expect(await update('live', { enabled: false, url: null })).toBe(OTHER_URL);
    await session.usePasskey(session.key, DEVELOPER);
    expect(await update('live', { url: UNUSED_URL })).toBe(UNUSED_URL);
  });

  test('needs no passkey in test mode', async () => {
    const { world, update, test } = await prepare();
    const { json } = await test.createEndpoint({ url: UNUSED_URL });
    world.clock.advance(10 * MINUTE);
    expect(await update('test', { url: OTHER_URL }, json.data.id)).toBe(OTHER_URL);
  });

  test('has an audit entry that names the use of a passkey, and no entry if the change was refused for lack of one', async () => {
    const { world, update } = await prepare();
    await update('live', { url: OTHER_URL });
    world.clock.advance(10 * MINUTE);
    const before = (await world.itemsOf('LOG#')).length;
    await update('live', { url: UNUSED_URL });
    const entries = await world.itemsOf('LOG#');
    expect(entries).toHaveLength(before);
    expect(entries.filter(({ what }) => String(what).includes('posts to another URL'))).toMatchObject([
      { usedPasskey: true, email: DEVELOPER },
    ]);
  });
});
