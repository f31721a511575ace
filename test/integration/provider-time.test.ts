import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { providerHttp } from '#shared/adapters/providers/common/http.ts';
import { ProviderUnavailable } from '#shared/domain/provider-errors.ts';
import { notificationEnv, readEnv } from '#shared/env.ts';
import type { AccountIssuer } from '#shared/ports.ts';
import { apiClient } from '#test/support/api-client.ts';
import { makeWorld } from '#test/support/world.ts';

const never = (): Promise<never> => new Promise(() => {});
const ADAEZE = {
  customer_name: 'Adaeze Okafor',
  customer_phone: '+2348031234567',
  customer_email: 'adaeze.okafor@example.com',
  bvn: '22212345678',
  nin: '12345678901',
  banks: ['paystack', 'monnify', 'korapay'],
};

describe('a provider that takes its time', () => {
  test('a connection that does not stand in time was never used: nothing was done', async () => {
    const sockets: Socket[] = [];
    // It takes the connection and says no word of TLS.
    const server: Server = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const http = providerHttp({ baseUrl, connectMs: 100, answerMs: 60_000 });
    await expect(http({ method: 'POST', path: '/charge', headers: {}, body: {} })).rejects.toThrow(ProviderUnavailable);
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  test('three that never answer are waited for side by side and for 20 seconds, and kept as pending', async () => {
    const world = await makeWorld();
    const waits: number[] = [];
    const issuer = { createAccount: never } as unknown as AccountIssuer;
    const deps = {
      ...world.deps,
      providers: () => issuer,
      // Time is injected: this is how long it would have been.
      wait: async (milliseconds: number) => {
        waits.push(milliseconds);
      },
    };
    const { keys } = await world.addBusiness();
    const { status, json } = await apiClient({ ...world, deps }, keys.secret_live).createAccounts(ADAEZE);
    expect(waits).toEqual([20_000, 20_000, 20_000]);
    expect([status, json.code, json.errors.length]).toEqual([422, 'all_providers_failed', 3]);
    expect((await world.itemsOf('VA')).filter(({ status: state }) => state === 'pending')).toHaveLength(3);
  });

  test('unsigned notifications are refused by a prod stage when it starts', () => {
    const providers = { monnify: { contractCode: '4934121686', unsignedNotifications: true } };
    const env = (STAGE: string) => ({ ...process.env, STAGE, PROVIDERS: JSON.stringify(providers) });
    expect(() => readEnv(notificationEnv, env('prod'))).toThrow(/PROVIDERS/);
    expect(readEnv(notificationEnv, env('staging')).PROVIDERS.monnify?.unsignedNotifications).toBe(true);
  });
});
