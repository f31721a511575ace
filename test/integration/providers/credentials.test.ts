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
import { createMemoryBreakers } from '#test/support/worlds/breaker-memory.ts';
import { ENVIRONMENT } from '#test/support/worlds/function-environment.ts';
import { runFunction } from '#test/support/worlds/function-process.ts';
import { makeWorld, movableClock } from '#test/support/worlds/world.ts';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const SECRET_ID = 'payments/dev/providers/paystack';

describe('the credentials of a provider:', () => {
  let stored: string | undefined;
  let requestedIds: string[] = [];
  let logged: unknown[] = [];
  let injectedError: string | undefined;
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
      requestedIds.push(secretId);
      if (injectedError !== undefined) throw injectedError;
      return stored;
    }),
  );
  beforeEach(() => {
    stored = JSON.stringify({ secretKey: 'sk_live_first' });
    requestedIds = [];
    logged = [];
    injectedError = undefined;
    measured.length = 0;
    clock.advance(60 * MINUTE);
  });
  const createReader = () =>
    credentials({
      name: 'paystack',
      schema: REGISTRY.paystack.credentials,
      secretId: SECRET_ID,
      now: clock.now,
      log,
      metrics,
    });

  test('concurrent callers share one read, and the next read is after an hour', async () => {
    const read = createReader();
    const all = await Promise.all(Array.from({ length: 10 }, () => read()));
    expect(new Set(all.map(({ secretKey }) => secretKey))).toEqual(new Set(['sk_live_first']));
    expect(requestedIds).toEqual([SECRET_ID]);
    stored = JSON.stringify({ secretKey: 'sk_live_second', previousSecretKey: 'sk_live_first' });
    clock.advance(60 * MINUTE);
    expect((await read()).secretKey).toBe('sk_live_first');
    clock.advance(1);
    expect(await read()).toEqual({ secretKey: 'sk_live_second', previousSecretKey: 'sk_live_first' });
    expect(requestedIds).toHaveLength(2);
  });

  test('refreshing reads a secret at most once a minute', async () => {
    const read = createReader();
    await read();
    for (let i = 0; i < 5; i++) await read({ refresh: true });
    expect(requestedIds).toHaveLength(1);
    clock.advance(MINUTE + 1);
    for (let i = 0; i < 5; i++) await read({ refresh: true });
    expect(requestedIds).toHaveLength(2);
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
    'the provider is off with %s, the log says what to do without the secret, and the read is tried again',
    async (_, broken, missing) => {
      stored = broken;
      const read = createReader();
      await expect(read()).rejects.toThrow(ProviderUnavailable);
      expect(logged).toEqual([{ event: 'provider_disabled', provider: 'paystack', missing, next: PUT }]);
      expect(measured).toEqual(['providers_without_credentials']);
      expect(JSON.stringify(logged)).not.toContain('sk_live');
      stored = JSON.stringify({ secretKey: 'sk_live_corrected' });
      expect((await read()).secretKey).toBe('sk_live_corrected');
      expect(measured).toHaveLength(1);
    },
  );

  test('denied access is logged only by the name of the error', async () => {
    injectedError = 'AccessDeniedException';
    await expect(createReader()()).rejects.toThrow(ProviderUnavailable);
    expect(logged).toMatchObject([
      {
        missing: `The secret ${SECRET_ID} could not be read (AccessDeniedException).`,
        next: 'Let this role or user read it: secretsmanager:GetSecretValue.',
      },
    ]);
    expect(JSON.stringify(logged)).not.toContain('111122223333');
  });

  test('a busy Secrets Manager makes the provider unavailable, and the error has the cause', async () => {
    injectedError = 'ThrottlingException';
    const busy = expect.objectContaining({ name: 'DependencyUnavailable' });
    await expect(createReader()()).rejects.toMatchObject({ name: 'ProviderUnavailable', cause: busy });
    expect(logged).toMatchObject([{ missing: `The secret ${SECRET_ID} could not be read (ThrottlingException).` }]);
  });

  test('a missing environment variable is logged by its name', async () => {
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
      breakers: createMemoryBreakers(),
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

  longTest('a live checkout gets a 503 with Retry-After if Secrets Manager never answers', async () => {
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
    // It runs in its own process, because a function keeps the client of Secrets Manager that it has created.
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
