import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { api } from '#shared/api/api.ts';
import { suspendBusiness } from '#shared/businesses/use-cases/suspend-business.ts';
import { deriveUserId } from '#shared/members/domain/user.ts';
import { confirmPasskey } from '#shared/members/use-cases/change-members.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Role } from '#shared/platform/kernel/role.ts';
import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { createAccountClient } from '#test/support/worlds/account-client.ts';
import { createAuthenticator } from '#test/support/worlds/authenticator.ts';
import {
  callAs,
  callsFromElsewhere,
  collectAnswers,
  type DashboardCall,
  invite,
  signIn,
} from '#test/support/worlds/dashboard.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const CONTRACTS: readonly Contract[] = ALL_FUNCTIONS.flatMap(({ trigger }) =>
  trigger.kind === 'endpoint' && trigger.contract.session !== undefined ? [trigger.contract] : [],
);
const NAMED = CONTRACTS.map((contract) => [`${contract.method} ${contract.path}`, contract] as const);

/** The endpoints that viewers may not call. */
const NOT_FOR_VIEWERS = ['GET /api/dashboard/v1/audit-log'];
/** The endpoints that only owners may call, with a passkey that was used just now. */
const FOR_OWNERS_STEPPED_UP = [
  'POST /api/dashboard/v1/members',
  'PATCH /api/dashboard/v1/members/{id}',
  'DELETE /api/dashboard/v1/members/{id}',
  'POST /api/dashboard/v1/members/{id}/reset-passkeys',
];
/** The endpoints that only owners may call. */
const FOR_OWNERS = [...FOR_OWNERS_STEPPED_UP, 'PATCH /api/dashboard/v1/mail'];
/** The endpoints that need a passkey that was used just now, in either mode, because both modes share their objects. */
const ALWAYS_STEPPED_UP = [...FOR_OWNERS_STEPPED_UP, 'PATCH /api/dashboard/v1/business'];
/** The endpoints that need, in live mode, a passkey that was used just now. */
const STEPPED_UP = [
  ...ALWAYS_STEPPED_UP,
  'POST /api/v1/webhook-endpoints',
  'POST /api/v1/webhook-endpoints/{id}/rotate-secret',
  'POST /api/dashboard/v1/keys',
  'POST /api/dashboard/v1/keys/{id}/roll',
  'POST /api/dashboard/v1/keys/{id}/revoke',
  'PATCH /api/dashboard/v1/keys/{id}',
];

const VIEWER = 'bisi@ada-stores.example.com';
const DEVELOPER = 'chidi@ada-stores.example.com';
const OWNER = 'ada@ada-stores.example.com';
const STRANGER = 'emeka@emeka-motors.example.com';

/** Signs in a new member with a role by a passkey. Operations have confirmed the passkey, unless `isConfirmed` is false. */
const withPasskey = async (world: World, shop: string, role: Role, isConfirmed = true) => {
  const email = `${isConfirmed}.${role}@ada-stores.example.com`;
  await invite(world, shop, email, role);
  const browser = createAccountClient(world, await signIn(world, email));
  const key = createAuthenticator();
  const { json } = await browser.addPasskey(key);
  const input = { businessId: shop, userId: deriveUserId(email), passkeyId: json.data.passkeys[0].id, actor: 'a test' };
  if (isConfirmed) await confirmPasskey(world.deps, input);
  await browser.usePasskey(key, email);
  return browser.cookie();
};

/** Runs the endpoint's checks, and then work that ends with a known error. Returns the code of the answer, or `admitted` if the work was reached. */
const admitted = async (world: World, contract: Contract, call: DashboardCall): Promise<string> => {
  const handler = api(contract, world.deps, async () => {
    throw new ApiError('checkout_not_found', { message: 'reached the work' });
  });
  const { json } = await callAs(handler, contract, call);
  if (json.errors?.[0]?.field === 'x-dashboard-mode') return 'no mode';
  // An admitted request may still have an invalid body.
  return ['checkout_not_found', 'validation_failed', 'unsupported_media_type'].includes(json.code)
    ? 'admitted'
    : json.code;
};

describe('a request to the API or the dashboard', () => {
  let world: World;
  let shop: string;
  let cookies: Record<string, string>;
  beforeAll(async () => {
    world = await makeWorld();
    shop = (await world.addBusiness()).id;
    const other = (await world.addBusiness()).id;
    await invite(world, shop, VIEWER, 'viewer');
    await invite(world, shop, DEVELOPER, 'developer');
    await invite(world, shop, OWNER, 'owner');
    await invite(world, other, STRANGER, 'owner');
    const expired = await signIn(world, OWNER);
    world.clock.advance(12 * HOUR);
    cookies = Object.fromEntries(
      await Promise.all([VIEWER, DEVELOPER, OWNER, STRANGER].map(async (email) => [email, await signIn(world, email)])),
    );
    for (const role of ['viewer', 'developer', 'owner'] as const) cookies[role] = await withPasskey(world, shop, role);
    cookies.waiting = await withPasskey(world, shop, 'owner', false);
    cookies.expired = expired;
  });

  // Each test has a second of its own, so that no test reaches the rate limit of a member.
  beforeEach(() => world.clock.advance(SECOND));

  test('has a test at every endpoint', () => {
    expect(CONTRACTS.length).toBeGreaterThan(30);
  });

  test.each(NAMED)('passes only with the right session, role, passkey and origin: %s', async (name, contract) => {
    const as = (call: DashboardCall) => admitted(world, contract, { businessId: shop, ...call });
    const isRead = contract.method === 'GET';
    const isForViewers = isRead && !NOT_FOR_VIEWERS.includes(name);
    const isForDevelopers = !FOR_OWNERS.includes(name);
    const mode = 'live' as const;
    const cookie = cookies[OWNER] ?? '';
    const afterCode = ALWAYS_STEPPED_UP.includes(name) ? 'step_up_required' : 'admitted';
    const isLive = contract.testOnly ? 'simulation_requires_test_key' : 'admitted';
    expect({
      none: await as({}),
      viewer: await as({ cookie: cookies[VIEWER] ?? '' }),
      developer: await as({ cookie: cookies[DEVELOPER] ?? '' }),
      owner: await as({ cookie }),
      'viewer, with a passkey, in live mode': await as({ cookie: cookies.viewer ?? '', mode }),
      'developer, with a passkey, in live mode': await as({ cookie: cookies.developer ?? '', mode }),
      'owner, with a passkey': await as({ cookie: cookies.owner ?? '' }),
      'owner, with a passkey, in live mode': await as({ cookie: cookies.owner ?? '', mode }),
      'owner, with a passkey that waits, in live mode': await as({ cookie: cookies.waiting ?? '', mode }),
      'owner of another business': await as({ cookie: cookies[STRANGER] ?? '' }),
      'owner, at another business': await as({ cookie, businessId: 'biz_01KDVDNX1Q7B3W9E5R2T8Y6U4C' }),
      'no business': await as({ cookie, businessId: '' }),
      'no mode': await as({ cookie, mode: '' }),
      'an unknown mode': await as({ cookie, mode: 'Live' }),
      'signed in twelve hours ago': await as({ cookie: cookies.expired ?? '' }),
      'live mode, after a code alone': await as({ cookie, mode }),
      ...(await collectAnswers(as, callsFromElsewhere(cookie))),
    }).toEqual({
      none: 'sign_in_required',
      viewer: isForViewers ? 'admitted' : 'forbidden_role',
      developer: isForDevelopers ? afterCode : 'forbidden_role',
      owner: afterCode,
      'viewer, with a passkey, in live mode': isForViewers ? isLive : 'forbidden_role',
      'developer, with a passkey, in live mode': isForDevelopers ? isLive : 'forbidden_role',
      'owner, with a passkey': 'admitted',
      'owner, with a passkey, in live mode': isLive,
      'owner, with a passkey that waits, in live mode': isRead ? isLive : 'passkey_too_new',
      'owner of another business': 'forbidden_role',
      'owner, at another business': 'forbidden_role',
      'no business': 'business_id_required',
      'no mode': 'no mode',
      'an unknown mode': 'no mode',
      'signed in twelve hours ago': 'sign_in_required',
      'live mode, after a code alone': isRead ? isLive : 'step_up_required',
      'another site': 'cross_site_request',
      'a site beside it': 'cross_site_request',
      'another origin': 'cross_site_request',
      'no browser': 'cross_site_request',
      'a cookie of the form': 'sign_in_required',
      'the name of the local stack': 'sign_in_required',
    });
  });

  test.each(NAMED)('never passes with a session outside the path of the dashboard: %s', async (_, contract) => {
    if (contract.keys.length === 0) return;
    const handler = api(contract, world.deps, async () => ({ status: 200, body: {} }));
    const { json } = await callAs(
      handler,
      { ...contract, path: contract.path.replace('/api/v1', '/api/V1') },
      {
        cookie: cookies[OWNER] ?? '',
        businessId: shop,
      },
    );
    expect(json.code).toBe('missing_api_key');
  });

  test('needs a passkey that was used just now only for the listed changes, and for another URL of a live endpoint', () => {
    const stepUp = CONTRACTS.filter((contract) => contract.stepUp !== undefined);
    expect(stepUp.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(STEPPED_UP.toSorted());
    const byField = CONTRACTS.filter(({ liveStepUpField }) => liveStepUpField !== undefined);
    expect(byField.map(({ method, path, liveStepUpField }) => [`${method} ${path}`, liveStepUpField])).toEqual([
      ['PATCH /api/v1/webhook-endpoints/{id}', 'url'],
    ]);
  });
});

describe('a session', () => {
  const [list] = CONTRACTS.filter(({ path }) => path === '/api/v1/payments');
  const [create] = CONTRACTS.filter(({ path }) => path === '/api/v1/checkout/initialize');
  const open = async () => {
    const world = await makeWorld();
    const shop = (await world.addBusiness()).id;
    await invite(world, shop, OWNER, 'owner');
    const cookie = await signIn(world, OWNER);
    const read = (contract: Contract | undefined = list) =>
      admitted(world, contract as Contract, { cookie, businessId: shop });
    return { world, shop, cookie, read };
  };

  test('ends after half an hour without use', async () => {
    const { world, read } = await open();
    world.clock.advance(30 * MINUTE - 1);
    expect(await read()).toBe('admitted');
    world.clock.advance(1);
    expect(await read()).toBe('sign_in_required');
  });

  test('ends after twelve hours, however often it is used', async () => {
    const { world, cookie, read } = await open();
    const { sessions } = world.deps;
    const { tokenHash } = await import('#shared/members/domain/token.ts');
    for (let hours = 0; hours < 12; hours += 0.4) {
      expect(await read()).toBe('admitted');
      const session = await sessions.find(tokenHash(cookie.slice('__Host-session='.length)));
      world.clock.advance(0.4 * HOUR);
      if (session) await sessions.touch(session, world.clock.now());
    }
    expect(await read()).toBe('sign_in_required');
  });

  test('can read, but not change anything, while its business is suspended', async () => {
    const { world, shop, read } = await open();
    await suspendBusiness(world.deps, { businessId: shop, actor: 'a test' });
    expect([await read(), await read(create)]).toEqual(['admitted', 'business_suspended']);
  });
});
