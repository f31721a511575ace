import { deriveUserId } from '#shared/members/domain/user.ts';
import { confirmPasskey, resetPasskeys } from '#shared/members/use-cases/change-members.ts';
import { DAY, MINUTE } from '#shared/platform/kernel/time.ts';
import { longTest } from '#test/support/jest/long.ts';
import { createAccountClient, signInSteppedUp } from '#test/support/worlds/account-client.ts';
import { createAuthenticator } from '#test/support/worlds/authenticator.ts';
import { firstLines, invite, mailNotices, OWN_PAGE, signIn } from '#test/support/worlds/dashboard.ts';
import { createDashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const OWNER = 'ada@ada-stores.example.com';
const DEVELOPER = 'chidi@ada-stores.example.com';
const OTHER_OWNER = 'emeka@emeka-motors.example.com';
const { origin } = OWN_PAGE;

const open = async () => {
  const world = await makeWorld();
  const shop = (await world.addBusiness()).id;
  await invite(world, shop, OWNER, 'owner');
  const browser = createAccountClient(world, await signIn(world, OWNER));
  const createLiveKey = async (cookie = browser.cookie()) => {
    const { json } = await createDashboardClient(world, cookie, shop).create({
      mode: 'live',
      body: { kind: 'secret' },
    });
    return json.code ?? 'created';
  };
  return { world, shop, browser, createLiveKey };
};

describe('a passkey', () => {
  test('signs in without a code, into a session with a new token', async () => {
    const { world, browser } = await open();
    const key = createAuthenticator();
    expect((await browser.addPasskey(key)).status).toBe(201);
    const other = createAccountClient(world);
    const { status, json, cookies } = await other.usePasskey(key, OWNER);
    expect([status, json.data.user.email]).toEqual([200, OWNER]);
    expect(cookies[0]).toMatch(/^__Host-session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/);
    expect((await other.me()).json.data.passkeys).toMatchObject([{ name: 'Chrome on Mac' }]);
    expect(json.data.session.stepped_up_until).not.toBeNull();
  });

  test('replaces the session that it steps up', async () => {
    const { world, browser } = await open();
    const key = createAuthenticator();
    await browser.addPasskey(key);
    const before = browser.cookie();
    await browser.usePasskey(key, OWNER);
    expect(browser.cookie()).not.toBe(before);
    expect((await createAccountClient(world, before).me()).json.code).toBe('sign_in_required');
    expect((await browser.me()).status).toBe(200);
  });

  test('can make live changes a day later if it was added after a sign-in with only a code', async () => {
    const { world, browser, createLiveKey } = await open();
    const key = createAuthenticator();
    expect(await createLiveKey()).toBe('step_up_required');
    await browser.addPasskey(key);
    expect(await createLiveKey()).toBe('step_up_required');
    await browser.usePasskey(key, OWNER);
    expect(await createLiveKey()).toBe('passkey_too_new');
    world.clock.advance(DAY - MINUTE);
    await browser.usePasskey(key, OWNER);
    expect(await createLiveKey()).toBe('passkey_too_new');
    world.clock.advance(MINUTE);
    expect(await createLiveKey()).toBe('created');
  });

  test('counts for ten minutes after its use, for requests that need a passkey', async () => {
    const { world } = await open();
    const { cookie } = await signInSteppedUp(world, OWNER);
    const [shop = ''] = (await world.deps.users.find(deriveUserId(OWNER)))?.businesses ?? [];
    const create = () =>
      createDashboardClient(world, cookie(), shop).create({ mode: 'live', body: { kind: 'secret' } });
    world.clock.advance(10 * MINUTE - 1);
    expect((await create()).status).toBe(201);
    world.clock.advance(1);
    expect((await create()).json.code).toBe('step_up_required');
  });

  test('can make live changes at once if operations confirm it', async () => {
    const { world, shop, browser, createLiveKey } = await open();
    const key = createAuthenticator();
    const { json } = await browser.addPasskey(key);
    const input = { businessId: shop, userId: deriveUserId(OWNER), actor: 'a test' };
    await expect(confirmPasskey(world.deps, { ...input, passkeyId: 'pky_none' })).rejects.toMatchObject({
      code: 'passkey_not_found',
    });
    await confirmPasskey(world.deps, { ...input, passkeyId: json.data.passkeys[0].id });
    expect(await createLiveKey()).toBe('step_up_required');
    await browser.usePasskey(key, OWNER);
    expect(await createLiveKey()).toBe('created');
  });

  test('can make live changes at once in a session that it stepped up before operations confirm it, but in no other session', async () => {
    const { world, shop, browser, createLiveKey } = await open();
    const key = createAuthenticator();
    const { json } = await browser.addPasskey(key);
    await browser.usePasskey(key, OWNER);
    expect(await createLiveKey()).toBe('passkey_too_new');
    const confirm = (passkeyId: string) =>
      confirmPasskey(world.deps, { businessId: shop, userId: deriveUserId(OWNER), actor: 'a test', passkeyId });
    const second = await browser.addPasskey(createAuthenticator(), 'YubiKey');
    await confirm(second.json.data.passkeys[1].id);
    expect(await createLiveKey()).toBe('passkey_too_new');
    await confirm(json.data.passkeys[0].id);
    expect(await createLiveKey()).toBe('created');
  });

  test('can make live changes at once if it is added with another passkey', async () => {
    const { world, createLiveKey } = await open();
    const trusted = await signInSteppedUp(world, OWNER);
    const second = createAuthenticator();
    expect((await trusted.addPasskey(second, 'YubiKey')).status).toBe(201);
    await trusted.usePasskey(second, OWNER);
    expect(await createLiveKey(trusted.cookie())).toBe('created');
  });

  test('cannot be added beside another passkey after a sign-in with only a code', async () => {
    const { world, browser } = await open();
    await browser.addPasskey();
    const second = createAccountClient(world, await signIn(world, OWNER));
    expect((await second.addPasskey()).json.code).toBe('step_up_required');
  });

  test('causes a mail to the user and to the owners of all the user’s businesses; the mail says how to remove the passkey', async () => {
    const { world, shop } = await open();
    const other = (await world.addBusiness()).id;
    await invite(world, shop, DEVELOPER, 'developer');
    await invite(world, other, OTHER_OWNER, 'owner');
    await invite(world, other, DEVELOPER, 'viewer');
    const chidi = createAccountClient(world, await signIn(world, DEVELOPER));
    await chidi.addPasskey();
    const sent = await mailNotices(world);
    expect(sent.map(({ to }) => to).sort()).toEqual([OWNER, DEVELOPER, OTHER_OWNER]);
    expect(new Set(firstLines(sent))).toEqual(new Set([`${DEVELOPER} added the passkey “Chrome on Mac”.`]));
    expect(sent[0]?.text).toContain('This passkey can make changes in live mode from 21 November 2026 at');
    expect(sent[0]?.text).toContain('If chidi@ada-stores.example.com did not do this, act now');
  });

  test('appears in the audit log of every business of the user', async () => {
    const { world, shop, browser } = await open();
    const { json } = await browser.addPasskey();
    world.clock.advance(MINUTE);
    await browser.remove({ params: { id: json.data.passkeys[0].id } });
    const { data } = (await createDashboardClient(world, browser.cookie(), shop).audit({})).json;
    expect(data.map(({ what }: { what: string }) => what)).toEqual([
      'removed the passkey “Chrome on Mac”',
      'added the passkey “Chrome on Mac”',
    ]);
  });
});

describe('a passkey’s signature is refused', () => {
  const refused = { status: 401, json: { code: 'wrong_passkey' } };

  test('the second time', async () => {
    const { world, browser } = await open();
    const key = createAuthenticator();
    await browser.addPasskey(key);
    const { json } = await browser.challenge();
    const body = key.use({ challenge: json.data.challenge, origin, userId: deriveUserId(OWNER) });
    const stranger = createAccountClient(world);
    expect((await stranger.use({ body })).status).toBe(200);
    expect(await stranger.use({ body })).toMatchObject(refused);
  });

  test('except once in many simultaneous tries', async () => {
    const { world, browser } = await open();
    const key = createAuthenticator();
    await browser.addPasskey(key);
    const { json } = await browser.challenge();
    const body = key.use({ challenge: json.data.challenge, origin, userId: deriveUserId(OWNER) });
    const answers = await Promise.all(Array.from({ length: 8 }, () => createAccountClient(world).use({ body })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('if it is for another site, for no challenge of ours, too late, or made without verifying the user', async () => {
    const { world, browser } = await open();
    const key = createAuthenticator();
    const unverified = createAuthenticator({ isVerified: false });
    await browser.addPasskey(key);
    const challenge = async () => (await browser.challenge()).json.data.challenge;
    const userId = deriveUserId(OWNER);
    const use = (body: unknown) => createAccountClient(world).use({ body });
    expect(
      await use(key.use({ challenge: await challenge(), origin: 'https://evil.example.com', userId })),
    ).toMatchObject(refused);
    expect(await use(key.use({ challenge: 'A'.repeat(43), origin, userId }))).toMatchObject(refused);
    expect(await use(createAuthenticator().use({ challenge: await challenge(), origin, userId }))).toMatchObject(
      refused,
    );
    const late = await challenge();
    world.clock.advance(5 * MINUTE);
    expect(await use(key.use({ challenge: late, origin, userId }))).toMatchObject(refused);
    const fresh = createAccountClient(world, await signIn(world, OWNER));
    const { json } = await fresh.options();
    expect(json.code).toBe('step_up_required');
    await invite(world, (await world.addBusiness()).id, DEVELOPER, 'viewer');
    const chidi = createAccountClient(world, await signIn(world, DEVELOPER));
    expect(await chidi.addPasskey(unverified)).toMatchObject(refused);
  });

  test('if it names another user or another passkey', async () => {
    const { world, shop, browser } = await open();
    await invite(world, shop, DEVELOPER, 'developer');
    const chidi = createAccountClient(world, await signIn(world, DEVELOPER));
    const [hers, his] = [createAuthenticator(), createAuthenticator()];
    await browser.addPasskey(hers);
    await chidi.addPasskey(his);
    expect(await createAccountClient(world).usePasskey(his, OWNER)).toMatchObject(refused);
    const { json } = await browser.challenge();
    const signed = his.use({ challenge: json.data.challenge, origin, userId: deriveUserId(OWNER) });
    expect(await createAccountClient(world).use({ body: { ...signed, id: hers.id } })).toMatchObject(refused);
    expect(await createAccountClient(world).usePasskey(his, 'nobody@example.com')).toMatchObject(refused);
  });

  test('if it adds a passkey with the challenge of another user or of a sign-in', async () => {
    const { world, shop, browser } = await open();
    await invite(world, shop, DEVELOPER, 'developer');
    const chidi = createAccountClient(world, await signIn(world, DEVELOPER));
    const mine = (await browser.options()).json.data.challenge;
    const body = { name: 'Mine', ...createAuthenticator().make({ challenge: mine, origin }) };
    expect(await chidi.add({ body })).toMatchObject(refused);
    const { challenge } = (await browser.challenge()).json.data;
    expect(
      await chidi.add({ body: { name: 'Mine', ...createAuthenticator().make({ challenge, origin }) } }),
    ).toMatchObject(refused);
  });

  test('if it is malformed', async () => {
    const { browser } = await open();
    const response = { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' };
    expect(await browser.use({ body: { id: 'AAAA', response } })).toMatchObject(refused);
    expect((await browser.use({ body: { id: '<b>', response } })).json.code).toBe('validation_failed');
    expect((await browser.add({ body: { name: 'a\nb', id: 'AAAA', response } })).json.code).toBe('validation_failed');
  });
});

describe('the removal of a passkey', () => {
  test('needs only a code while the passkey is too new for live mode, and the use of a passkey afterwards', async () => {
    const { world, browser } = await open();
    const { json } = await browser.addPasskey();
    const [{ id }] = json.data.passkeys;
    world.clock.advance(DAY);
    const later = createAccountClient(world, await signIn(world, OWNER));
    expect((await later.remove({ params: { id } })).json.code).toBe('step_up_required');
    const { world: next, browser: soon } = await open();
    const added = await soon.addPasskey();
    next.clock.advance(DAY - 1);
    const again = createAccountClient(next, await signIn(next, OWNER));
    const { json: left } = await again.remove({ params: { id: added.json.data.passkeys[0].id } });
    expect(left.data.passkeys).toEqual([]);
  });

  test('ends the other sessions', async () => {
    const { world } = await open();
    const other = createAccountClient(world, await signIn(world, OWNER));
    const mine = createAccountClient(world, await signIn(world, OWNER));
    const { json } = await mine.addPasskey();
    await mine.remove({ params: { id: json.data.passkeys[0].id } });
    expect((await other.me()).json.code).toBe('sign_in_required');
    expect((await mine.me()).status).toBe(200);
  });

  test('leaves its own session like one after a sign-in with only a code', async () => {
    const { world } = await open();
    const browser = await signInSteppedUp(world, OWNER);
    const { session, passkeys } = (await browser.me()).json.data;
    expect(session.may_change_live).toBe(true);
    await browser.remove({ params: { id: passkeys[0].id } });
    expect((await browser.me()).json.data.session).toMatchObject({ may_change_live: false, live_from: null });
  });

  test('does not work for somebody else’s passkey', async () => {
    const { world, shop, browser } = await open();
    await invite(world, shop, DEVELOPER, 'developer');
    const { json } = await browser.addPasskey();
    const chidi = createAccountClient(world, await signIn(world, DEVELOPER));
    expect((await chidi.remove({ params: { id: json.data.passkeys[0].id } })).json.code).toBe('passkey_not_found');
  });
});

test('no passkey is added with a passkey that was reset meanwhile', async () => {
  const { world, shop } = await open();
  const { cookie } = await signInSteppedUp(world, OWNER);
  const [verified, reset] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { passkeys } = world.deps;
  const added: typeof passkeys.verifyNew = async (...input) => {
    const signed = await passkeys.verifyNew(...input);
    verified.resolve();
    await reset.promise;
    return signed;
  };
  const slow: World = { ...world, deps: { ...world.deps, passkeys: { ...passkeys, verifyNew: added } } };
  const adding = createAccountClient(slow, cookie()).addPasskey();
  await verified.promise;
  await resetPasskeys(world.deps, { businessId: shop, userId: deriveUserId(OWNER), actor: 'a test' });
  reset.resolve();
  expect((await adding).json.code).toBe('sign_in_required');
  expect((await world.deps.users.find(deriveUserId(OWNER)))?.passkeys).toEqual([]);
});

test('a user has at most ten passkeys, even if more are added at the same time', async () => {
  const { world } = await open();
  const browser = await signInSteppedUp(world, OWNER);
  for (let n = 1; n < 9; n += 1) await browser.addPasskey();
  const added = await Promise.all([browser.addPasskey(), browser.addPasskey(), browser.addPasskey()]);
  expect(added.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
});

longTest('strangers who use up the challenges of a network do not keep its members from stepping up', async () => {
  const { world, createLiveKey } = await open();
  const owner = await signInSteppedUp(world, OWNER);
  const stranger = createAccountClient(world);
  for (let n = 0; n < 61; n += 1) await stranger.challenge();
  expect((await stranger.challenge()).status).toBe(429);
  expect((await owner.usePasskey(owner.key, OWNER)).status).toBe(200);
  expect(await createLiveKey(owner.cookie())).toBe('created');
  // A request with a cookie of no session counts as a stranger's.
  expect((await createAccountClient(world, `__Host-session=${'A'.repeat(43)}`).challenge()).status).toBe(429);
  // A member has a limit, too, for all browsers together.
  for (let n = 0; n < 61; n += 1) await owner.challenge();
  expect((await owner.challenge()).status).toBe(429);
  expect((await createAccountClient(world, await signIn(world, OWNER)).challenge()).status).toBe(429);
  world.clock.advance(15 * MINUTE);
  expect((await stranger.challenge()).status).toBe(200);
});

test('a network gets at most sixty passkey challenges in fifteen minutes', async () => {
  const { world } = await open();
  const stranger = createAccountClient(world);
  // Five minutes of the window of fifteen minutes have passed, so ten are left.
  world.clock.advance(5 * MINUTE - (world.clock.now() % (15 * MINUTE)));
  for (let n = 0; n < 60; n += 1) expect((await stranger.challenge()).status).toBe(200);
  const refused = await stranger.challenge();
  expect([refused.json.code, refused.headers['retry-after']]).toEqual(['rate_limited', '600']);
  world.clock.advance(10 * MINUTE);
  expect((await stranger.challenge()).status).toBe(200);
});
