import { deriveUserId } from '#shared/members/domain/user.ts';
import { sessionItem } from '#shared/members/store/session-store.ts';
import { resetPasskeys } from '#shared/members/use-cases/change-members.ts';
import { removePasskey } from '#shared/members/use-cases/remove-passkey.ts';
import { ABSENT, transact } from '#shared/platform/table/transact.ts';
import { createAccountClient, signInSteppedUp } from '#test/support/worlds/account-client.ts';
import { FROM, invite, signIn } from '#test/support/worlds/dashboard.ts';
import { createDashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

const OWNER = 'ada@ada-stores.example.com';

/**
 * Signs an owner in in two browsers, each with a passkey that was just used. `depsWithLateIndex`: dependencies whose index does not list the
 * sessions yet.
 */
const open = async () => {
  const world = await makeWorld();
  const shop = (await world.addBusiness()).id;
  await invite(world, shop, OWNER, 'owner');
  const first = await signInSteppedUp(world, OWNER);
  const [session] = await world.deps.sessions.list(deriveUserId(OWNER));
  const firstCookie = first.cookie();
  // The first browser's session stays: this sign-in is made without its cookie.
  const { json } = await first.challenge({ cookie: 'none=none' });
  const used = first.key.use({
    challenge: json.data.challenge,
    origin: 'https://api.example.com',
    userId: deriveUserId(OWNER),
  });
  await first.use({ cookie: 'none=none', body: used });
  const secondBrowser = createDashboardClient(world, first.cookie(), shop);
  if (!session) throw new Error('There is no session.');
  const depsWithLateIndex = { ...world.deps, sessions: { ...world.deps.sessions, list: async () => [] } };
  const firstBrowser = createDashboardClient(world, firstCookie, shop);
  return { world, shop, session, secondBrowser, firstBrowser, depsWithLateIndex };
};

/** Makes two changes in live mode: one that needs a recent passkey, and one that needs a session with a passkey. */
const changeInLive = async (client: ReturnType<typeof createDashboardClient>): Promise<string[]> => {
  const key = await client.create({ mode: 'live', body: { kind: 'secret' } });
  const endpoint = await client.updateEndpoint({ mode: 'live', params: { id: 'whe_none' }, body: { enabled: false } });
  return [key, endpoint].map(({ json }) => json.code ?? 'done');
};

describe('a session that was not ended can no longer make changes in live mode if its passkey', () => {
  test('was removed', async () => {
    const { session, secondBrowser, firstBrowser, depsWithLateIndex } = await open();
    expect(await changeInLive(secondBrowser)).toEqual(['done', 'webhook_endpoint_not_found']);
    const [passkey] = (await depsWithLateIndex.users.find(deriveUserId(OWNER)))?.passkeys ?? [];
    await removePasskey(depsWithLateIndex, session, { id: String(passkey?.id), from: FROM });
    expect(await changeInLive(secondBrowser)).toEqual(['step_up_required', 'step_up_required']);
    expect(await changeInLive(firstBrowser)).toEqual(['step_up_required', 'step_up_required']);
  });

  test('was reset', async () => {
    const { shop, secondBrowser, depsWithLateIndex } = await open();
    await resetPasskeys(depsWithLateIndex, { businessId: shop, userId: deriveUserId(OWNER), actor: 'a test' });
    expect(await changeInLive(secondBrowser)).toEqual(['step_up_required', 'step_up_required']);
    expect((await secondBrowser.listKeys({ mode: 'live' })).status).toBe(200);
    expect((await secondBrowser.create({ body: { kind: 'secret' } })).status).toBe(201);
  });
});

test('the list of sessions shows only the newest hundred, but a reset ends all, even the oldest', async () => {
  const { world, shop, session, firstBrowser } = await open();
  for (let n = 0; n < 130; n += 1) {
    const newer = {
      ...session,
      id: world.deps.newId('ses'),
      tokenHash: `hash-${n}`,
      createdAt: session.createdAt + n + 1,
    };
    await transact(world.table, [{ put: sessionItem(newer), when: ABSENT }]);
  }
  const account = createAccountClient(world, await signIn(world, OWNER));
  expect((await account.sessions()).json.data).toHaveLength(100);
  await resetPasskeys(world.deps, { businessId: shop, userId: deriveUserId(OWNER), actor: 'a test' });
  expect(await world.itemsOf('SES')).toEqual([]);
  expect((await firstBrowser.listKeys({})).json.code).toBe('sign_in_required');
});

test('a session that lost its passkey is not trusted again when a confirmation ends that began before', async () => {
  const { world, session } = await open();
  await world.deps.sessions.forgetPasskey(session);
  await world.deps.sessions.trustPasskey(session, world.clock.now());
  expect(await world.deps.sessions.find(session.tokenHash)).toMatchObject({ passkeyId: null, liveFrom: null });
});
