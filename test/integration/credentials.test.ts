import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { paystackCredentials } from '#shared/adapters/providers/common/settings.ts';
import { liveProviders } from '#shared/adapters/providers/registry.ts';
import { credentials } from '#shared/adapters/secrets/credentials.ts';
import { ProviderUnavailable } from '#shared/domain/provider-errors.ts';
import { providerSettings } from '#shared/domain/provider-settings.ts';
import { movableClock } from '#test/support/world.ts';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const SECRET_ID = 'payments/dev/providers/paystack';

/** A server that speaks Secrets Manager's protocol. */
describe('credentials', () => {
  let server: Server;
  let stored: string | undefined;
  let asked: string[] = [];
  let logged: unknown[] = [];
  const clock = movableClock(NOON);
  const log = (event: string, fields: unknown): void => {
    logged.push({ event, ...(fields as object) });
  };

  beforeAll(async () => {
    server = createServer(async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      asked.push(JSON.parse(Buffer.concat(chunks).toString()).SecretId);
      const [status, body] =
        stored === undefined
          ? [400, { __type: 'ResourceNotFoundException', message: "Secrets Manager can't find the specified secret." }]
          : [200, { ARN: 'arn', Name: SECRET_ID, SecretString: stored }];
      response.writeHead(status as number, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    delete process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER;
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    stored = JSON.stringify({ secretKey: 'sk_live_first' });
    asked = [];
    logged = [];
    clock.advance(60 * MINUTE);
  });
  const reader = () =>
    credentials({ name: 'paystack', schema: paystackCredentials, secretId: SECRET_ID, now: clock.now, log });

  test('are read once for all who ask, and again after five minutes', async () => {
    const read = reader();
    const all = await Promise.all(Array.from({ length: 10 }, () => read()));
    expect(new Set(all.map(({ secretKey }) => secretKey))).toEqual(new Set(['sk_live_first']));
    expect(asked).toEqual([SECRET_ID]);
    stored = JSON.stringify({ secretKey: 'sk_live_second', previousSecretKey: 'sk_live_first' });
    clock.advance(4 * MINUTE);
    expect((await read()).secretKey).toBe('sk_live_first');
    clock.advance(2 * MINUTE);
    expect(await read()).toEqual({ secretKey: 'sk_live_second', previousSecretKey: 'sk_live_first' });
    expect(asked).toHaveLength(2);
  });

  test('are read afresh at most once a minute, however often a secret is refused', async () => {
    const read = reader();
    await read();
    for (let i = 0; i < 5; i++) await read({ afresh: true });
    expect(asked).toHaveLength(1);
    clock.advance(MINUTE + 1);
    for (let i = 0; i < 5; i++) await read({ afresh: true });
    expect(asked).toHaveLength(2);
  });

  test.each([
    ['a secret that does not exist', undefined],
    ['a secret that is no JSON', 'sk_live_pasted_bare'],
    ['a secret without its key', JSON.stringify({ secret: 'sk_live_under_a_wrong_name' })],
  ])('switch the provider off for %s, say so without the secret, and are tried again', async (_, broken) => {
    stored = broken;
    const read = reader();
    await expect(read()).rejects.toThrow(ProviderUnavailable);
    expect(logged).toEqual([{ event: 'provider_disabled', provider: 'paystack', reason: expect.any(String) }]);
    expect(JSON.stringify(logged)).not.toContain('sk_live');
    stored = JSON.stringify({ secretKey: 'sk_live_mended' });
    expect((await read()).secretKey).toBe('sk_live_mended');
  });

  test('a notification under a secret that was rotated a minute ago is taken without a restart', async () => {
    const settings = providerSettings.parse({
      paystack: { baseUrl: 'http://127.0.0.1:9', customerEmailDomain: 'accounts.example.com', secretId: SECRET_ID },
    });
    const provider = liveProviders(settings, { now: clock.now, log: () => {} })('paystack');
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
});
