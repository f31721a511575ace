import type { EnabledProviders } from '#infra/ops/connect.ts';
import { healthyProvider, OUTAGE_AFTER, recordFailure } from '#shared/providers/domain/breaker.ts';
import { unknownHealth } from '#shared/providers/domain/health/health.ts';
import { serveSecrets } from '#test/support/emulators/secrets-manager.ts';
import { runOpsAsText } from '#test/support/worlds/operations.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const SECRETS: EnabledProviders = {
  paystack: '/payments/prod/providers/paystack',
  monnify: '/payments/prod/providers/monnify',
};
const KEY = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';

let world: World;
/** The values of all secrets in Secrets Manager, by name. */
let secretValues: Record<string, string | undefined>;
beforeAll(() => serveSecrets((secretId) => secretValues[secretId]));
beforeEach(async () => {
  world = await makeWorld();
  secretValues = {};
});

const run = (enabledProviders: EnabledProviders, ...args: string[]) =>
  runOpsAsText({ ...world.deps, operator: async () => 'amaka', enabledProviders }, ...args, 'provider', 'list');
const list = async (enabled: EnabledProviders) => JSON.parse(await run(enabled, '--json')).providers;

describe('provider list', () => {
  const HEALTHY = { health: 'well', last_failure_at: null, limited: [], money: null };

  test('says whether each provider is ready, or else what is missing and what to do, and shows no secret', async () => {
    secretValues['/payments/prod/providers/paystack'] = JSON.stringify({ secretKey: KEY });
    const ready = { provider: 'paystack', status: 'ready', missing: null, next: null, ...HEALTHY };
    const enable = expect.stringContaining('infra/config.ts');
    const off = { provider: 'korapay', status: 'off', missing: null, next: enable, ...HEALTHY };
    const next = 'Put a JSON object with apiKey and secretKey there. docs/operating/secrets.md shows how.';
    const notReady = (missing: string) => ({ provider: 'monnify', status: 'not_ready', missing, next, ...HEALTHY });
    const empty = 'The secret /payments/prod/providers/monnify has no value.';
    expect(await list(SECRETS)).toEqual([ready, notReady(empty), off]);
    expect(await run(SECRETS)).toContain(`monnify: ${empty} ${next}`);
    secretValues['/payments/prod/providers/monnify'] = JSON.stringify({ apiKey: 'MK_PROD_4QTJ5', secret: KEY });
    expect((await list(SECRETS))[1]).toEqual(notReady('The secret /payments/prod/providers/monnify lacks secretKey.'));
    const everything = `${await run(SECRETS)}${await run(SECRETS, '--json')}`;
    expect(everything).not.toContain(KEY);
    expect(everything).not.toContain('MK_PROD');
  });

  test('says which provider is down and which has failed recently', async () => {
    let row = healthyProvider('paystack', 'look_ups');
    for (let i = 0; i < OUTAGE_AFTER; i++) {
      row = (await world.deps.providerBreakers.save(recordFailure(row, world.clock.now()) ?? row)) ?? row;
    }
    const failed = { failures: 2, lastFailureAt: world.clock.now(), version: 1 };
    await world.deps.providerBreakers.save({ ...healthyProvider('monnify', 'creations'), ...failed });
    const at = '2026-11-20T12:00:00.000000Z';
    expect(await list(SECRETS)).toMatchObject([
      { provider: 'paystack', health: 'down', last_failure_at: at },
      { provider: 'monnify', health: 'failing', last_failure_at: at },
      { provider: 'korapay', health: 'well' },
    ]);
    expect(await run(SECRETS)).toContain(`down, called only once in 30 s; last failed ${at}`);
  });

  test('says whether money lands, since when it does not, and the numbers behind that', async () => {
    const counts = { creations: { good: 40, bad: 0 }, sent: { good: 4, bad: 8 }, landing: { p50: 20, p95: 600 } };
    const why = { state: 'failing', cause: 'sent_not_landed', version: 1 } as const;
    await world.deps.healthStore.save({ ...unknownHealth('paystack', world.clock.now()), ...counts, ...why });
    const since = '2026-11-20T12:00:00.000000Z';
    expect((await list(SECRETS))[0].money).toEqual({
      ...{ state: 'failing', since, cause: 'sent_not_landed', landing_seconds: { p50: 20, p95: 600 } },
      ...{ opened: 40, failed: 0, sent_landed: 4, sent_not_landed: 8 },
    });
    expect(await run(SECRETS)).toContain(
      `FAILING since ${since}; half land in 20 s, 95 of 100 in 600 s; 8 of 12 reports of payers did not land`,
    );
  });

  test('shows the providers of the local stack as ready if they were ready at its start', async () => {
    expect(await list({ korapay: null })).toMatchObject([{ status: 'off' }, { status: 'off' }, { status: 'ready' }]);
  });
});
