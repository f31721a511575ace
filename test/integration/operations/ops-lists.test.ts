import type { Stage } from '#infra/ops/connect.ts';
import { searchCheckouts } from '#shared/checkouts/use-cases/search-checkouts.ts';
import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { runOpsAsJson, runOpsAsText } from '#test/support/worlds/operations.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

let world: World;
let stage: Stage;
beforeAll(async () => {
  world = await makeWorld();
  stage = { ...world.deps, operator: async () => 'amaka' };
});

const newBusiness = async (urls: string[] = []) => {
  const business = await world.addBusiness(urls);
  const api = createApiClient(world, business.keys.secret_test);
  const initialize = async (more: object = {}): Promise<{ reference: string }> => {
    world.clock.advance(MINUTE);
    return (await api.initialize({ amount: 8_500.75, payer_email: 'tunde@example.com', ...more })).json.data;
  };
  return {
    id: business.id,
    endpoint: business.endpoints[0]?.id ?? '',
    api,
    initialize,
    of: ['--business', business.id, '--mode', 'test'],
  };
};

describe('checkout list', () => {
  const listed = async (...args: string[]): Promise<string[]> =>
    (await runOpsAsJson(stage, 'checkout', 'list', ...args)).checkouts.map(
      ({ reference }: { reference: string }) => reference,
    );

  test('filters by status, payer and time, newest first, within one business and mode', async () => {
    const { api, initialize, of, id } = await newBusiness();
    const first = (await initialize({ payer_email: 'Ngozi@Example.com' })).reference;
    const second = (await initialize()).reference;
    world.clock.advance(HOUR);
    const third = (await initialize()).reference;
    await api.simulate({ reference: second });
    expect(await listed(...of)).toEqual([third, second, first]);
    expect(await listed(...of, '--status', 'paid')).toEqual([second]);
    expect(await listed(...of, '--payer-email', ' ngozi@example.COM')).toEqual([first]);
    expect(await listed(...of, '--since', '30m')).toEqual([third]);
    expect(await listed(...of, '--since', '2026-11-20T12:00:00Z')).toEqual([third, second, first]);
    expect(await listed('--business', id, '--mode', 'live')).toEqual([]);
    expect(await runOpsAsText(stage, 'checkout', 'list', ...of, '--status', 'failed')).toBe(
      'There is no such checkout.\n',
    );
    expect(await runOpsAsText(stage, 'checkout', 'list', ...of)).toMatch(
      new RegExp(`^ {2}${third} {2}test {2}pending +0\\.00 +8500\\.75`, 'm'),
    );
    await expect(listed(...of, '--since', 'yesterday')).rejects.toThrow('Give a duration before now, such as 30m');
    await expect(listed(...of, '--status', 'payed')).rejects.toThrow('Allowed choices are pending, underpaid, paid');
  });

  test('prints the command for the next list page, and that command continues there', async () => {
    const { initialize, of, id } = await newBusiness();
    const references: string[] = [];
    for (let n = 0; n < 53; n++) references.unshift((await initialize()).reference);
    const options = [...of, '--payer-email', "o'brien@example.com"];
    const { checkouts, next } = await runOpsAsJson(stage, 'checkout', 'list', ...of);
    expect(checkouts).toHaveLength(50);
    expect(await listed(...of, '--after', next)).toEqual(references.slice(50));
    expect(await runOpsAsText(stage, 'checkout', 'list', ...options)).toBe('There is no such checkout.\n');
    expect(await runOpsAsText(stage, 'checkout', 'list', ...of, '--since', '7d')).toContain(
      `checkout list --business '${id}' --mode 'test' --since '7d' --after '${next}'`,
    );
    await expect(listed(...of, '--after', '000#evt_1')).rejects.toThrow('That is not a cursor of this list.');
  });

  test('reads at most a thousand checkouts, and returns where to continue', async () => {
    const { initialize, id } = await newBusiness();
    await initialize();
    const page = await world.deps.checkouts.list({ businessId: id, mode: 'test' }, { limit: 1, after: null });
    let reads = 0;
    const checkouts = {
      list: async (_tenant: unknown, { limit }: { limit: number }) => {
        reads += limit;
        return {
          items: Array.from({ length: limit }, () => page.items[0]).filter((item) => item !== undefined),
          next: String(reads),
        };
      },
    };
    const none = { status: 'paid', payerEmail: null, since: null } as const;
    const found = await searchCheckouts({ checkouts }, { businessId: id, mode: 'test' }, none, null);
    expect([found, reads]).toEqual([{ items: [], next: '1000' }, 1_000]);
  });
});

describe('event list and event show', () => {
  test('filter by type, delivery and time, and show deliveries with their attempts', async () => {
    const { api, initialize, of, endpoint } = await newBusiness(['https://ada.example/hooks']);
    const { reference } = await initialize();
    await api.simulate({ reference });
    world.clock.advance(HOUR);
    await api.testEndpoint(endpoint);
    await world.takeJobs();
    const listed = async (...args: string[]) => (await runOpsAsJson(stage, 'event', 'list', ...of, ...args)).events;
    const { json } = await api.listEvents();
    expect(await listed()).toEqual(json.data);
    const [paid, ...more] = await listed('--type', 'checkout.paid');
    expect([paid.data.reference, more]).toEqual([reference, []]);
    expect(await listed('--since', '30m')).toMatchObject([{ type: 'endpoint.test' }]);
    expect(await listed('--delivery-status', 'exhausted')).toEqual([]);
    expect(await listed('--delivery-status', 'pending')).toHaveLength(2);
    const text = await runOpsAsText(stage, 'event', 'list', ...of);
    expect(text).toMatch(new RegExp(`^ {2}${paid.id} {2}2026-\\S+ {2}checkout\\.paid +${reference}$`, 'm'));

    const shown = await runOpsAsJson(stage, 'event', 'show', paid.id);
    expect(shown.event).toEqual((await api.getEvent(paid.id)).json.data);
    const details = await runOpsAsText(stage, 'event', 'show', paid.id);
    expect(details).toContain(`To ${endpoint}: pending, next attempt 2026-`);
    expect(details).toContain('no attempt yet');
    expect(details).not.toContain('tunde@example.com');
    await expect(runOpsAsJson(stage, 'event', 'show', 'evt_1')).rejects.toThrow('That is not the id of an event.');
  });
});
