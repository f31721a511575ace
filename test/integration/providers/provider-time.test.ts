import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { receiveNotificationEnv } from '#shared/payments/env.ts';
import { readEnv } from '#shared/platform/env.ts';
import { providerHttp } from '#shared/providers/common/http.ts';
import { OutcomeUnknown, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { longTest } from '#test/support/jest/long.ts';
import { createBarrier } from '#test/support/worlds/live-faults.ts';
import { merchant, newCustomerFields, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';

/** Starts a server on this machine and returns its port. */
const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
};

openWorldForEachTest();

describe('a slow provider', () => {
  test('a connection that is not established in time means that nothing was done', async () => {
    const sockets: Socket[] = [];
    // It accepts the connection but never answers the TLS handshake.
    const server = createServer((socket) => sockets.push(socket));
    const baseUrl = `https://127.0.0.1:${await listen(server)}`;
    const http = providerHttp({ now: Date.now, baseUrl, connectMs: 100, answerMs: 60_000 });
    await expect(http({ method: 'POST', path: '/charge', headers: {}, body: {} })).rejects.toThrow(ProviderUnavailable);
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  longTest('an endless answer has the same time-out as a missing one', async () => {
    const server = createServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
      const drip = setInterval(() => socket.write('1\r\n \r\n'), 20);
      socket.on('close', () => clearInterval(drip)).on('error', () => {});
    });
    const baseUrl = `http://127.0.0.1:${await listen(server)}`;
    const http = providerHttp({ now: Date.now, baseUrl, connectMs: 60_000, answerMs: 2_000 });
    await expect(http({ method: 'POST', path: '/charge', headers: {}, body: {} })).rejects.toThrow(OutcomeUnknown);
    server.close();
  });

  /**
   * Makes an API client that does not really wait: when `waiters` calls wait, all of them go on. `waits`: the milliseconds that they would have
   * waited.
   */
  const withoutWaiting = (waiters: number) => {
    const waits: number[] = [];
    const all = createBarrier(waiters);
    const wait = (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      return all();
    };
    return { waits, api: merchant.apiWith({ wait }) };
  };

  test('a request waits for three hanging providers concurrently, for 20 seconds, and their accounts are pending', async () => {
    const { waits, api } = withoutWaiting(3);
    for (const name of PROVIDERS) world.simulator.fault(name, { kind: 'hung' });
    const { status, json } = await api.createAccounts({ ...newCustomerFields(), banks: PROVIDERS });
    expect(waits).toEqual([20_000, 20_000, 20_000]);
    expect([status, json.code, json.errors.length]).toEqual([422, 'all_providers_failed', 3]);
    expect((await world.itemsOf('VA')).filter(({ status: state }) => state === 'pending')).toHaveLength(3);
  });

  test('a checkout waits 20 seconds for a hanging provider, and its intent is stored', async () => {
    const { waits, api } = withoutWaiting(1);
    world.simulator.fault('monnify', { kind: 'hung' });
    const order = { amount: 8_500, payer_email: 'chidi.eze@example.com', provider: 'monnify' };
    expect(await api.initialize(order)).toMatchObject({ status: 502, json: { code: 'provider_error' } });
    expect(waits).toEqual([20_000]);
    expect(await world.itemsOf('CHK')).toMatchObject([{ status: 'opening' }]);
  });

  test('closing an account waits 10 seconds for a hanging provider, and the account stays active', async () => {
    const { waits, api } = withoutWaiting(1);
    const { id } = await merchant.account('paystack');
    world.simulator.fault('paystack', { kind: 'hung' });
    expect(await api.deleteAccount(id)).toMatchObject({ status: 502, json: { code: 'provider_error' } });
    expect(waits).toEqual([10_000]);
    expect((await api.getAccount(id)).json.data.status).toBe('active');
  });
});

test('a prod stage refuses the setting for unsigned notifications when it starts', () => {
  const providers = { monnify: { contractCode: '4934121686', unsignedNotifications: true } };
  const env = (STAGE: string) => ({ ...process.env, STAGE, PROVIDERS: JSON.stringify(providers) });
  expect(() => readEnv(receiveNotificationEnv, env('prod'))).toThrow(/PROVIDERS/);
  expect(readEnv(receiveNotificationEnv, env('staging')).PROVIDERS.monnify?.unsignedNotifications).toBe(true);
});
