import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { isAdmitted, newAccessKeyId, stableAccessKeyId } from '#infra/local/engines/admission.ts';
import { admittedLength, openGuard } from '#infra/local/engines/engine-guard.ts';

const ID = newAccessKeyId();
const HOST = '127.0.0.1:8000';
const AUTHORIZATION = `AWS4-HMAC-SHA256 Credential=${ID}/20261120/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00`;
const headOf = (host: string, length: number | string): string =>
  `POST / HTTP/1.1\r\nHost: ${host}\r\nauthorization: ${AUTHORIZATION}\r\nContent-Length: ${length}`;

describe('the guard of an engine', () => {
  test('admits by host, origin and access key id', () => {
    const admission = { host: HOST, accessKeyId: ID };
    const ours = { host: HOST, authorization: AUTHORIZATION };
    expect(isAdmitted(ours, admission)).toBe(true);
    for (const strangers of [
      { ...ours, host: 'localhost:8000' },
      { ...ours, origin: `http://${HOST}` },
      { ...ours, authorization: AUTHORIZATION.replace(ID, `${ID}0`) },
      { ...ours, authorization: AUTHORIZATION.replace(ID, ID.slice(1)) },
      { ...ours, authorization: AUTHORIZATION.replace(ID, `${ID.slice(0, -1)}é`) },
      { host: HOST },
    ]) {
      expect(isAdmitted(strangers, admission)).toBe(false);
    }
  });

  test('an access key id is another one each time, or always the same one for a secret', () => {
    expect(newAccessKeyId()).not.toBe(ID);
    expect(stableAccessKeyId('a')).toBe(stableAccessKeyId('a'));
    expect(stableAccessKeyId('a')).not.toBe(stableAccessKeyId('b'));
    // DynamoDB Local takes letters and digits only.
    for (const id of [ID, stableAccessKeyId('a')]) expect(id).toMatch(/^LOCAL[0-9a-f]{40}$/);
  });

  test('names of headers are read in any letters, and a header that comes twice admits nobody', () => {
    const admission = { host: HOST, accessKeyId: ID };
    expect(admittedLength(headOf(HOST, 17), admission)).toBe(17);
    expect(admittedLength(`${headOf(HOST, 17)}\r\nORIGIN: http://evil.example`, admission)).toBeUndefined();
    expect(admittedLength(`${headOf(HOST, 17)}\r\nx-twice: 1\r\nX-Twice: 1`, admission)).toBeUndefined();
    expect(admittedLength(headOf(HOST, '9'.repeat(10)), admission)).toBeUndefined();
  });

  test('forwards what a client sends byte by byte, in whatever pieces it arrives', async () => {
    const received: Promise<Buffer>[] = [];
    const engine = createServer((socket) => received.push(buffer(socket))).listen(0, '127.0.0.1');
    await once(engine, 'listening');
    const { endpoint, stop } = await openGuard({ host: '127.0.0.1', port: (engine.address() as AddressInfo).port }, ID);
    const { host } = new URL(endpoint);
    const bodies = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(bodies, fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 12 }), async (all, cuts) => {
        received.length = 0;
        const sent = Buffer.concat(
          all.flatMap((body) => [Buffer.from(`${headOf(host, body.length)}\r\n\r\n`), Buffer.from(body)]),
        );
        const client = connect(Number(host.split(':')[1]), '127.0.0.1').setNoDelay(true);
        await once(client, 'connect');
        let at = 0;
        for (const cut of cuts) {
          client.write(sent.subarray(at, at + cut));
          at += cut;
          await new Promise((resolve) => setImmediate(resolve));
        }
        client.end(sent.subarray(at));
        await once(client.resume(), 'close');
        expect(Buffer.concat(await Promise.all(received))).toEqual(sent);
      }),
      { numRuns: 40 },
    );
    await stop();
    engine.close();
  });

  test('opens no connection to the engine for a stranger', async () => {
    let connections = 0;
    const engine = createServer(() => {
      connections += 1;
    }).listen(0, '127.0.0.1');
    await once(engine, 'listening');
    const { endpoint, stop } = await openGuard({ host: '127.0.0.1', port: (engine.address() as AddressInfo).port }, ID);
    const { host } = new URL(endpoint);
    const stranger = connect(Number(host.split(':')[1]), '127.0.0.1').end(`${headOf('evil.example', 2)}\r\n\r\n{}`);
    expect((await buffer(stranger)).toString()).toMatch(/^HTTP\/1\.1 403 /);
    expect(connections).toBe(0);
    await stop();
    engine.close();
  });
});
