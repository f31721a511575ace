import { DASHBOARD_FUNCTIONS } from '#infra/dashboard-functions.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { HOUR } from '#shared/platform/kernel/time.ts';
import { inRole } from '#test/support/permissions/roles.ts';
import {
  callAs,
  callsFromElsewhere,
  collectAnswers,
  type DashboardCall,
  invite,
  makeMembersDeps,
  signIn,
} from '#test/support/worlds/dashboard.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

/** The routes that concern a signed-in user, but no business. */
const ROUTES = DASHBOARD_FUNCTIONS.flatMap(({ name, trigger }): [string, string, Contract][] => {
  if (trigger.kind !== 'endpoint' || trigger.contract.session !== undefined) return [];
  const { method, path } = trigger.contract;
  return [[`${method} ${path}`, name, trigger.contract]];
});

/** The routes that anybody may call, to sign in. */
const FOR_ANYBODY = [
  'POST /api/dashboard/sign-in',
  'POST /api/dashboard/sign-in/verify',
  'POST /api/dashboard/passkeys/challenge',
  'POST /api/dashboard/passkeys/verify',
];
/** The answers of a route after admission to a request without a body or a real id. */
const ADMITTED = [undefined, 'unsupported_media_type', 'session_not_found', 'passkey_not_found'];

const VIEWER = 'bisi@ada-stores.example.com';
const DEVELOPER = 'chidi@ada-stores.example.com';
const OWNER = 'ada@ada-stores.example.com';

const open = async (name: string, contract: Contract) => {
  const world = await makeWorld();
  const shop = (await world.addBusiness()).id;
  await invite(world, shop, OWNER, 'owner');
  const expired = await signIn(world, OWNER);
  world.clock.advance(12 * HOUR);
  await invite(world, shop, VIEWER, 'viewer');
  await invite(world, shop, DEVELOPER, 'developer');
  const { [`${name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}Handler`]: handlerOf } = await import(
    `#functions/${name}/handler.ts`
  );
  const handler = inRole(name, handlerOf(makeMembersDeps(world).deps));
  return {
    expired,
    signIn: (email: string) => signIn(world, email),
    as: async (call: DashboardCall): Promise<string> => {
      const { json } = await callAs(handler, contract, { params: { id: 'none' }, ...call });
      return ADMITTED.includes(json.code) ? 'admitted' : json.code;
    },
  };
};

describe('a request about an account', () => {
  test('has a test for signing in, sessions and passkeys', () => {
    expect(ROUTES).toHaveLength(11);
  });

  test.each(ROUTES)('passes only with the right session and origin: %s', async (route, name, contract) => {
    const { as, expired, signIn: sessionOf } = await open(name, contract);
    const cookie = await sessionOf(OWNER);
    const unknown = FOR_ANYBODY.includes(route) ? 'admitted' : 'sign_in_required';
    expect({
      none: await as({}),
      'signed in twelve hours ago': await as({ cookie: expired }),
      ...(await collectAnswers(as, callsFromElsewhere(cookie))),
      viewer: await as({ cookie: await sessionOf(VIEWER) }),
      developer: await as({ cookie: await sessionOf(DEVELOPER) }),
      // The owner's call is last, because it may end the session.
      owner: await as({ cookie }),
    }).toEqual({
      none: unknown,
      'signed in twelve hours ago': unknown,
      'another site': 'cross_site_request',
      'a site beside it': 'cross_site_request',
      'another origin': 'cross_site_request',
      'no browser': 'cross_site_request',
      'a cookie of the form': unknown,
      'the name of the local stack': unknown,
      viewer: 'admitted',
      developer: 'admitted',
      owner: 'admitted',
    });
  });
});
