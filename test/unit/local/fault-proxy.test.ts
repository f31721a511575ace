import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { startFaultProxy } from '#test/support/emulators/fault-proxy.ts';

test('the fault proxy sends no call on a connection that the emulator may be closing', async () => {
  const used = new WeakSet<Socket>();
  const emulator = createServer((request, response) => {
    // The server closes a connection that was used before, as after an idle time-out that the client has not noticed yet.
    if (used.has(request.socket)) return request.socket.destroy();
    used.add(request.socket);
    request.resume().on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await once(emulator, 'listening');
  const proxy = await startFaultProxy(`http://127.0.0.1:${(emulator.address() as AddressInfo).port}`);

  const call = async (): Promise<number> => {
    const headers = { authorization: 'Credential=test/20261123' };
    const answer = await fetch(proxy.endpoint, { method: 'POST', headers, body: '{}' });
    await answer.text();
    return answer.status;
  };
  const statuses = [await call(), await call(), await call()];

  await proxy.stop();
  emulator.close();
  expect(statuses).toEqual([200, 200, 200]);
});
