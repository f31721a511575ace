import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { type FunctionSpec, listRoutes, listSessionRoutes } from '#infra/function-spec.ts';
import { checkoutAssets } from '#infra/pages/checkout-assets.ts';
import type { ApiHandler } from '#shared/api/http/types.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { listParameters } from '#shared/platform/contract/parameters-of.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { isLongRun, longerTest } from '#test/support/jest/long.ts';
import { signInSteppedUp } from '#test/support/worlds/account-client.ts';
import { apiEvent, lambdaContext } from '#test/support/worlds/api-event.ts';
import { createAuthenticator } from '#test/support/worlds/authenticator.ts';
import { invite, makeMembersDeps, OWN_PAGE } from '#test/support/worlds/dashboard.ts';
import { ENDPOINTS, exampleBody } from '#test/support/worlds/endpoints.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

/*
 * Sends requests to every route, in each of which one part has a strange form. The table rejects a key of more than 2,048 bytes. So every part
 * of a request is parsed before it is used to read an item, and a part that is too long never gets into a key.
 */

const OWNER = 'ada@ada-stores.example.com';
/** A text that no text of ours contains. */
const LONG = 'x'.repeat(3_000);
const STRANGE: readonly string[] = [
  LONG,
  `biz_${LONG}`,
  `PAY-${LONG}.${LONG}`,
  // The same letters in base64url, for the parts that the service decodes.
  Buffer.from(LONG).toString('base64url'),
  `${'€'.repeat(1_000)}${LONG}`,
  '\ud800\u0000#',
];
/** `npm test` sends every route one strange form; the long run sends all of them. */
const STRANGE_IN_THIS_RUN = isLongRun ? STRANGE : STRANGE.slice(0, 1);
/** Ids in a path are cut at 64 letters, merchant references at 100 (shared/platform/contract/params.ts, …/merchant-reference.ts). */
const TOO_LONG_FOR_A_KEY = /x{65}/;

const HEADERS = ['authorization', 'x-business-id', 'x-dashboard-mode', 'idempotency-key', 'if-none-match'];
const COOKIES = ['__Host-session', '__Host-sign-in'];

interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** Makes the requests that are valid except for one part. That part has the strange form. */
const spoil = (good: Request, query: readonly string[], value: string): Request[] => [
  ...HEADERS.map((name) => ({ ...good, headers: { ...good.headers, [name]: value } })),
  { ...good, headers: { ...good.headers, authorization: `Bearer ${value}` } },
  ...COOKIES.map((name) => ({
    ...good,
    cookies: [...good.cookies.filter((cookie) => !cookie.startsWith(name)), `${name}=${value}`],
  })),
  ...Object.keys(good.params).map((name) => ({ ...good, params: { ...good.params, [name]: value } })),
  ...query.map((name) => ({ ...good, query: { ...good.query, [name]: value } })),
  ...Object.entries(good.body ?? {}).flatMap(([name, before]) => [
    { ...good, body: { ...good.body, [name]: value } },
    ...(typeof before === 'object' && before !== null && !Array.isArray(before)
      ? Object.keys(before).map((inner) => ({ ...good, body: { ...good.body, [name]: { ...before, [inner]: value } } }))
      : []),
  ]),
];

/** Reports the input of every call of a table. */
const watch = ({ client }: Table, report: (input: unknown) => void): void => {
  const send = client.send.bind(client) as (command: { readonly input: unknown }) => Promise<unknown>;
  Object.assign(client, {
    send: (command: { readonly input: unknown }) => {
      report(command.input);
      return send(command);
    },
  });
};

const handlerOf = async ({ name }: FunctionSpec, world: World): Promise<ApiHandler> => {
  const { deps } = makeMembersDeps(world);
  const module: Record<string, unknown> = await import(`#functions/${name}/handler.ts`);
  const make = Object.entries(module).find(([exported]) => exported.endsWith('Handler'))?.[1];
  return (make as (deps: unknown) => ApiHandler)({ ...deps, assets: checkoutAssets });
};

/** The functions without a table, which answer from their own build. */
const WITHOUT_TABLE: readonly string[] = ALL_FUNCTIONS.filter(({ table }) => Object.keys(table).length === 0).map(
  ({ name }) => name,
);
const WITH_ROUTE_AND_TABLE = ALL_FUNCTIONS.filter(
  ({ name, trigger }) => listRoutes(trigger).length > 0 && !WITHOUT_TABLE.includes(name),
);
const ROUTES = WITH_ROUTE_AND_TABLE.flatMap((spec) =>
  [...listRoutes(spec.trigger), ...listSessionRoutes(spec.trigger)]
    .filter((route) => !route.startsWith('HEAD '))
    .map((route) => [route, spec] as const),
);

/** The bodies of the dashboard's own routes, which are not in the API document. */
const BODIES: Readonly<Record<string, Request['body']>> = {
  'start-sign-in': { email: OWNER },
  'finish-sign-in': { code: '12345678' },
  'add-passkey': { name: 'Phone', ...createAuthenticator().make({ challenge: 'none', origin: OWN_PAGE.origin }) },
  'use-passkey': createAuthenticator().use({ challenge: 'none', origin: OWN_PAGE.origin, userId: 'none' }),
  'create-key': { kind: 'secret' },
  'roll-key': { grace_seconds: 0 },
  'set-key-whitelist': { ip_whitelist: [] },
  'update-business': { display_name: 'Ada Stores', support: null, websites: [], brand_color: null },
  'invite-member': { email: 'bisi@ada-stores.example.com', role: 'viewer' },
  'change-member': { role: 'viewer' },
};

describe('a request with a strange part', () => {
  let world: World;
  let secret: string;
  let shop: string;
  let cookie: string;
  let inputs: string[] = [];
  let browser: Awaited<ReturnType<typeof signInSteppedUp>>;
  beforeAll(async () => {
    world = await makeWorld();
    const business = await world.addBusiness();
    shop = business.id;
    secret = business.keys.secret_test;
    await invite(world, shop, OWNER, 'owner');
    browser = await signInSteppedUp(world, OWNER);
    watch(world.table, (input) => inputs.push(JSON.stringify(input)));
  });
  beforeEach(async () => {
    // Each test runs a minute later and in a new session, so that it does not use up the rate limit of another test, or sign it out.
    world.clock.advance(MINUTE);
    await browser.usePasskey(browser.key, OWNER);
    cookie = browser.cookie();
    inputs = [];
  });

  /** Makes a request that passes every check of the route, as far as that is possible without a real id. */
  const makeGoodRequest = ({ name, trigger }: FunctionSpec, path: string): Request => {
    const isDashboard = path.startsWith('/api/dashboard/');
    const contract: Contract | undefined = trigger.kind === 'endpoint' ? trigger.contract : undefined;
    const params = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, parameter = '']) => [parameter, 'none']);
    return {
      headers: isDashboard
        ? { ...OWN_PAGE, 'x-dashboard-mode': 'test', 'x-business-id': shop }
        : { authorization: `Bearer ${secret}` },
      cookies: isDashboard ? [cookie] : [],
      params: Object.fromEntries(params),
      query: {},
      body: BODIES[name] ?? (contract && ENDPOINTS.includes(contract) ? exampleBody(contract) : undefined),
    };
  };

  test('is sent to every route that uses the table', () => {
    expect(ROUTES.length).toBeGreaterThan(60);
  });

  test.each(STRANGE)(
    'fails if it uses a passkey with a genuine challenge and a strange user id: %#',
    async (userId) => {
      const { json } = await browser.challenge();
      inputs = [];
      const body = createAuthenticator().use({ challenge: json.data.challenge, origin: OWN_PAGE.origin, userId });
      const answer = await browser.use({ body });
      expect([answer.status, answer.json.code]).toEqual([401, 'wrong_passkey']);
      expect(inputs.filter((input) => TOO_LONG_FOR_A_KEY.test(input) || input.includes('USR#'))).toEqual([]);
    },
  );

  longerTest.each(isLongRun ? ROUTES : ROUTES.filter((_, index) => index % 10 === 0))(
    'causes no 5xx, and gets no strange part into a key of the table: %s',
    async (route, spec) => {
      const [method = '', path = ''] = route.split(' ');
      const handler = await handlerOf(spec, world);
      const { trigger } = spec;
      const parameters = trigger.kind === 'endpoint' ? listParameters(trigger.contract.query) : [];
      const faults: unknown[] = [];
      for (const value of STRANGE_IN_THIS_RUN) {
        for (const request of spoil(makeGoodRequest(spec, path), parameters, value)) {
          const { params, headers, body, cookies } = request;
          const event = apiEvent({
            method,
            path: path.replace(/\{(\w+)\+?\}/g, (_, name: string) =>
              encodeURIComponent(params[name]?.toWellFormed() ?? ''),
            ),
            params,
            query: request.query,
            headers,
            ...(body && { body }),
          });
          const { statusCode, body: answer } = await handler({ ...event, cookies: [...cookies] }, lambdaContext());
          if (statusCode >= 500 || inputs.some((input) => TOO_LONG_FOR_A_KEY.test(input))) {
            faults.push([statusCode, answer.slice(0, 200), JSON.stringify(request).slice(0, 300)]);
            inputs = [];
          }
        }
      }
      expect(faults).toEqual([]);
    },
  );
});
