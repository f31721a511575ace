import { HOUR } from '#shared/platform/kernel/time.ts';
import { longTest } from '#test/support/jest/long.ts';
import { signInSteppedUp } from '#test/support/worlds/account-client.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { createAuthenticator } from '#test/support/worlds/authenticator.ts';
import { invite, mailNotices } from '#test/support/worlds/dashboard.ts';
import { createDashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { makeWorld, UNUSED_URL } from '#test/support/worlds/world.ts';

const OWNER = 'ada@ada-stores.example.com';
const STRANGER = 'stranger@elsewhere.example.com';
const DEVELOPER = 'chidi@ada-stores.example.com';

/**
 * Makes a business with two owners, one of them with an address elsewhere, and a developer who has just used a passkey. `owner` signs an owner
 * in.
 */
const open = async () => {
  const world = await makeWorld();
  const shop = await world.addBusiness();
  await invite(world, shop.id, OWNER, 'owner');
  await invite(world, shop.id, STRANGER, 'owner');
  await invite(world, shop.id, DEVELOPER, 'developer');
  const session = await signInSteppedUp(world, DEVELOPER);
  const chidi = createDashboardClient(world, session.cookie(), shop.id);
  await mailNotices(world);
  const owner = async () => createDashboardClient(world, (await signInSteppedUp(world, OWNER)).cookie(), shop.id);
  const { json } = await chidi.createEndpoint({ mode: 'live', body: { url: UNUSED_URL } });
  const endpoint = { mode: 'live', params: { id: json.data.id } } as const;
  const created = await chidi.create({ mode: 'live', body: { kind: 'secret' } });
  const key = { mode: 'live', params: { id: created.json.data.id } } as const;
  const countWaiting = async () => (await world.itemsOf('MAIL')).length;
  return { world, shop, session, chidi, owner, endpoint, key, countWaiting };
};

type Answer = { readonly status: number; readonly json: { readonly code?: string; readonly message?: string } };
const repeat = async (times: number, call: (n: number) => Promise<Answer>): Promise<Answer[]> => {
  const answers: Answer[] = [];
  for (let n = 0; n < times; n += 1) answers.push(await call(n));
  return answers;
};
const refusedIn = (answers: readonly Answer[]): number => answers.filter(({ status }) => status === 429).length;

describe('a member can cause notices of thirty changes an hour', () => {
  test('if the member switches an endpoint on and off', async () => {
    const { chidi, endpoint, countWaiting } = await open();
    const answers = await repeat(40, (n) => chidi.updateEndpoint({ ...endpoint, body: { enabled: n % 2 === 1 } }));
    expect(await countWaiting()).toBe(30);
    expect(answers.find(({ status }) => status === 429)?.json).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('A member can make at most 30 changes an hour that owners are mailed about.'),
    });
  });

  longTest('if the member changes keys, whitelists, secrets and the profile', async () => {
    const { chidi, key, endpoint, countWaiting } = await open();
    const answers = [
      ...(await repeat(10, (n) => chidi.whitelist({ ...key, body: { ip_whitelist: [`102.89.23.${n + 1}`] } }))),
      ...(await repeat(10, () => chidi.rotateSecret({ ...endpoint, body: { grace_seconds: 0 } }))),
      ...(await repeat(20, (n) => chidi.setBusiness({ mode: 'live', body: { display_name: `Shop ${n}` } }))),
    ];
    expect([refusedIn(answers), await countWaiting()]).toEqual([12, 30]);
  });

  test('without using up the limits of other members and keys', async () => {
    const { world, chidi, owner, key, endpoint, shop } = await open();
    const ada = await owner();
    await repeat(30, () => chidi.rotateSecret({ ...endpoint, body: { grace_seconds: 0 } }));
    expect((await chidi.create({ mode: 'live', body: { kind: 'secret' } })).status).not.toBe(201);
    expect((await ada.rotateSecret({ ...endpoint, body: { grace_seconds: 0 } })).status).toBe(200);
    expect((await ada.revoke(key)).status).toBe(200);
    expect((await createApiClient(world, shop.keys.secret_live).deleteEndpoint(endpoint.params.id)).status).toBe(200);
  });

  longTest('only in live mode; test mode has no such limit', async () => {
    const { chidi, countWaiting } = await open();
    const before = await countWaiting();
    const { json } = await chidi.createEndpoint({ body: { url: UNUSED_URL } });
    const call = { params: { id: json.data.id } };
    const answers = await repeat(40, () => chidi.rotateSecret({ ...call, body: { grace_seconds: 0 } }));
    expect([refusedIn(answers), await countWaiting()]).toEqual([0, before]);
  });
});

test('a member who has made thirty changes in an hour can still revoke keys and delete endpoints', async () => {
  const { chidi, key, endpoint } = await open();
  await repeat(30, () => chidi.rotateSecret({ ...endpoint, body: { grace_seconds: 0 } }));
  expect((await chidi.revoke(key)).status).toBe(200);
  expect((await chidi.deleteEndpoint(endpoint)).status).toBe(200);
});

longTest(
  'each of several simultaneous changes counts once, even if a conflict makes the service decide it again',
  async () => {
    const { world, shop, chidi, endpoint } = await open();
    const body = { grace_seconds: 0 };
    const answers = await Promise.all(Array.from({ length: 12 }, () => chidi.rotateSecret({ ...endpoint, body })));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    const left = await repeat(20, () => chidi.rotateSecret({ ...endpoint, body }));
    expect(refusedIn(left)).toBe(4);
    const live = createApiClient(world, shop.keys.secret_live);
    const byKey = await Promise.all(Array.from({ length: 12 }, () => live.rotateSecret(endpoint.params.id, body)));
    expect(byKey.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(refusedIn(await repeat(50, () => live.rotateSecret(endpoint.params.id, body)))).toBe(2);
  },
);

longTest('a user can add twenty passkeys an hour, and each causes two notices', async () => {
  const { world, session, countWaiting } = await open();
  const before = await countWaiting();
  const answers: Answer[] = [];
  for (let n = 0; n < 25; n += 1) {
    const added = await session.addPasskey(createAuthenticator());
    answers.push(added);
    const newest = added.json.data?.passkeys.at(-1);
    // Without this passkey the session is as after a sign-in by code only, so a passkey is used again.
    if (newest) await session.remove({ params: { id: newest.id } });
    await session.usePasskey(session.key, DEVELOPER);
  }
  expect(refusedIn(answers)).toBe(5);
  expect((await countWaiting()) - before).toBe(40);
  world.clock.advance(HOUR);
  await session.usePasskey(session.key, DEVELOPER);
  expect((await session.addPasskey(createAuthenticator())).status).not.toBe(429);
});
