import { createHmac } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { credentials } from '#shared/providers/credentials.ts';
import { ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import { liveProviders } from '#shared/providers/live-providers.ts';
import { REGISTRY } from '#shared/providers/registry.ts';
import { providerSettings } from '#shared/providers/settings.ts';
import { serveSecrets } from '#test/support/emulators/secrets-manager.ts';
import { longTest } from '#test/support/jest/long.ts';
import { apiEvent } from '#test/support/worlds/api-event.ts';
import { breakersInMemory } from '#test/support/worlds/breaker-memory.ts';
import { ENVIRONMENT } from '#test/support/worlds/function-environment.ts';
import { runFunction } from '#test/support/worlds/function-process.ts';
import { makeWorld, movableClock } from '#test/support/worlds/world.ts';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const SECRET_ID = 'payments/dev/providers/paystack';

describe('credentials', () => {
  let stored: string | undefined;
  let asked: string[] = [];
  let logged: unknown[] = [];
  let expectedError: string | undefined;
  const measured: string[] = [];
  const clock = movableClock(NOON);
  const log = (event: string, fields: unknown): void => {
    logged.push({ event, ...(fields as object) });
  };
  const metrics = (metric: string): void => {
    measured.push(metric);
  };

  beforeAll(() =>
    serveSecrets((secretId) => {
      asked.push(secretId);
      if (expectedError !== undefined) throw expectedError;
      return stored;
    }),
  );
  beforeEach(() => {
    stored = JSON.stringify({ secretKey: 'sk_live_first' });
    asked = [];
    logged = [];
    expectedError = undefined;
    measured.length = 0;
    clock.advance(60 * MINUTE);
  });
  const reader = () =>
    credentials({
      name: 'paystack',
      schema: REGISTRY.paystack.credentials,
      secretId: SECRET_ID,
      now: clock.now,
      log,
      metrics,
    });

  test('are read once for concurrent callers, and again after an hour', async () => {
    const read = reader();
    const all = await Promise.all(Array.from({ length: 10 }, () => read()));
    expect(new Set(all.map(({ secretKey }) => secretKey))).toEqual(new Set(['sk_live_first']));
    expect(asked).toEqual([SECRET_ID]);
    stored = JSON.stringify({ secretKey: 'sk_live_second', previousSecretKey: 'sk_live_first' });
    clock.advance(60 * MINUTE);
    expect((await read()).secretKey).toBe('sk_live_first');
    clock.advance(1);
    expect(await read()).toEqual({ secretKey: 'sk_live_second', previousSecretKey: 'sk_live_first' });
    expect(asked).toHaveLength(2);
  });

  test('are read again at most once a minute, however often a secret is refused', async () => {
    const read = reader();
    await read();
    for (let i = 0; i < 5; i++) await read({ refresh: true });
    expect(asked).toHaveLength(1);
    clock.advance(MINUTE + 1);
    for (let i = 0; i < 5; i++) await read({ refresh: true });
    expect(asked).toHaveLength(2);
  });

  const PUT = 'Put a JSON object with secretKey there. docs/operating/secrets.md shows how.';
  test.each([
    ['a secret that has no value', undefined, `The secret ${SECRET_ID} has no value.`],
    ['a secret that is no JSON', 'sk_live_pasted_bare', `The secret ${SECRET_ID} does not hold JSON.`],
    ['a secret that is no object', '"sk_live_in_quotes"', `The secret ${SECRET_ID} does not hold a JSON object.`],
    [
      'a secret without its key',
      '{"secret": "sk_live_under_a_wrong_name"}',
      `The secret ${SECRET_ID} lacks secretKey.`,
    ],
  ])(
    'switch the provider off for %s, say what to do without the secret, and are tried again',
    async (_, broken, missing) => {
      stored = broken;
      const read = reader();
      await expect(read()).rejects.toThrow(ProviderUnavailable);
      expect(logged).toEqual([{ event: 'provider_disabled', provider: 'paystack', missing, next: PUT }]);
      expect(measured).toEqual(['providers_without_credentials']);
      expect(JSON.stringify(logged)).not.toContain('sk_live');
      stored = JSON.stringify({ secretKey: 'sk_live_corrected' });
      expect((await read()).secretKey).toBe('sk_live_corrected');
      expect(measured).toHaveLength(1);
    },
  );

  test('that access is denied to are reported by the name of the error only', async () => {
    expectedError = 'AccessDeniedException';
    await expect(reader()()).rejects.toThrow(ProviderUnavailable);
    expect(logged).toMatchObject([
      {
        missing: `The secret ${SECRET_ID} could not be read (AccessDeniedException).`,
        next: 'Let this role or user read it: secretsmanager:GetSecretValue.',
      },
    ]);
    expect(JSON.stringify(logged)).not.toContain('111122223333');
  });

  test('that Secrets Manager is too busy for are unavailable for now, and the error says why', async () => {
    expectedError = 'ThrottlingException';
    const busy = expect.objectContaining({ name: 'DependencyUnavailable' });
    await expect(reader()()).rejects.toMatchObject({ name: 'ProviderUnavailable', cause: busy });
    expect(logged).toMatchObject([{ missing: `The secret ${SECRET_ID} could not be read (ThrottlingException).` }]);
  });

  test('that are missing from the environment are reported by the name of their variable', async () => {
    const read = credentials({
      name: 'monnify',
      schema: REGISTRY.monnify.credentials,
      secretId: undefined,
      now: clock.now,
      log,
      metrics,
    });
    await expect(read()).rejects.toThrow(ProviderUnavailable);
    expect(logged).toMatchObject([
      {
        missing: 'The variable MONNIFY_CREDENTIALS has no value.',
        next: expect.stringContaining('Put a JSON object with apiKey and secretKey there.'),
      },
    ]);
  });

  test('a notification signed with a secret rotated a minute ago is accepted without a restart', async () => {
    const settings = providerSettings.parse({
      paystack: { baseUrl: 'http://127.0.0.1:9', customerEmailDomain: 'accounts.example.com', secretId: SECRET_ID },
    });
    const provider = liveProviders(settings, {
      now: clock.now,
      log: () => {},
      metrics,
      breakers: breakersInMemory(),
      stageUrl: undefined,
      wait: async () => {},
    })('paystack');
    const raw = Buffer.from('{"event":"charge.success"}');
    const signed = (secret: string) => ({
      'x-paystack-signature': createHmac('sha512', secret).update(raw).digest('hex'),
    });
    expect(await provider?.authenticate(signed('sk_live_first'), raw)).toBe(true);
    stored = JSON.stringify({ secretKey: 'sk_live_second', previousSecretKey: 'sk_live_first' });
    clock.advance(MINUTE + 1);
    expect(await provider?.authenticate(signed('sk_live_second'), raw)).toBe(true);
    expect(await provider?.authenticate(signed('sk_live_first'), raw)).toBe(true);
    expect(await provider?.authenticate(signed('sk_live_of_a_stranger'), raw)).toBe(false);
  });

  longTest('that Secrets Manager never answers for: a live checkout is 503 and says when to try again', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}).resume());
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    const world = await makeWorld();
    const { keys } = await world.addBusiness([], 'live');
    const event = apiEvent({
      path: '/api/v1/checkout/initialize',
      headers: { authorization: `Bearer ${keys.secret_live}`, 'idempotency-key': 'order-2026-11-21-0042' },
      body: { amount: 8_500.75, payer_email: 'ngozi.eze@example.com', payer_name: 'Ngozi Eze' },
    });
    // A process of its own, because a function keeps the client of Secrets Manager that it has made.
    const printed = await runFunction('initialize-checkout', event, {
      ...ENVIRONMENT,
      TABLE_NAME: world.table.name,
      HASH_KEY: world.deps.hashKey,
      PROVIDERS: JSON.stringify({ korapay: { secretId: 'payments/dev/providers/korapay' } }),
      AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    });
    silent.close();
    const { statusCode, headers, body } = JSON.parse(printed.at(-1) ?? '');
    expect([statusCode, headers['retry-after'], JSON.parse(body).code]).toEqual([503, '1', 'service_unavailable']);
    expect(printed.join()).toContain('could not be read (TimeoutError)');
    expect(await world.itemsOf('CHK')).toEqual([]);
  });
});
