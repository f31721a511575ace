import { SECOND } from '#shared/platform/kernel/time.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { countStatuses } from '#test/support/worlds/status-counts.ts';
import { api, business, endpointId, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';
import { NOON } from '#test/support/worlds/world.ts';

const URLS = 10;
const UNKNOWN_ENDPOINT = 'whe_01KDVDNX1Q0Y8J6W6KZ0H3S5TA';

describe('the look-ups of endpoint URLs', () => {
  const lookedUp: string[] = [];
  // This check fails as it does for a host whose name servers never answer.
  const checkTarget = async (url: string): Promise<string> => {
    lookedUp.push(url);
    return 'must name a host that can be found.';
  };
  // The test starts twenty seconds after the start of a minute.
  openMerchantForEachTest({ world: { startAt: NOON + 20 * SECOND }, deps: { checkTarget } });
  beforeEach(() => {
    lookedUp.length = 0;
  });
  const create = (client = api) => client.createEndpoint({ url: 'https://hangs.example/' });

  test('happen at most ten times a minute for new and changed URLs, however many requests come at once', async () => {
    expect(await countStatuses(URLS + 10, () => create())).toEqual({ 422: URLS, 429: 10 });
    expect(lookedUp).toHaveLength(URLS);
    const limited = await api.updateEndpoint(endpointId, { url: 'https://hangs.example/' });
    expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': '40' } });
    expect(limited.json).toMatchObject({
      code: 'rate_limited',
      message: 'A business can set at most 10 webhook endpoint URLs a minute. Try again in 40 s.',
      errors: [{ field: 'url', message: `${business.id} has reached its limit.` }],
    });
    // Both modes share the limit, other businesses have their own, and a request without a look-up does not count.
    expect((await create(createApiClient(world, business.keys.secret_live))).status).toBe(429);
    expect((await api.updateEndpoint(endpointId, { enabled: true })).status).toBe(200);
    expect(lookedUp).toHaveLength(URLS);
    const other = await world.addBusiness();
    expect((await create(createApiClient(world, other.keys.secret_test))).status).toBe(422);

    world.clock.advance(40 * SECOND);
    expect((await create()).status).toBe(422);
  });

  test('do not happen if there is no room for the endpoint or no such endpoint', async () => {
    const full = await world.addBusiness(Array.from({ length: 5 }, (_, i) => `https://hooks.example/${i}`));
    const client = createApiClient(world, full.keys.secret_test);
    const answers = [
      await create(client),
      await client.updateEndpoint(UNKNOWN_ENDPOINT, { url: 'https://hangs.example/' }),
    ];
    // An endpoint of the other mode does not exist for this key.
    const live = createApiClient(world, full.keys.secret_live);
    answers.push(await live.updateEndpoint(full.endpoints[0]?.id ?? '', { url: 'https://hangs.example/' }));
    expect(answers.map(({ json }) => json.code)).toEqual([
      'endpoint_limit_reached',
      'webhook_endpoint_not_found',
      'webhook_endpoint_not_found',
    ]);
    expect(lookedUp).toEqual([]);
    expect(await world.itemsOf('HAND#')).toEqual([]);
  });
});
