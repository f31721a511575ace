import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isRunning } from '#infra/local/data/processes.ts';
import { readStackFile, type StackFile } from '#infra/local/data/stack-file.ts';
import {
  findListeningSockets,
  isLoopback,
  type ListeningSocket,
  listProcessTree,
} from '#test/support/emulators/listening-sockets.ts';
import { call, openBusiness } from '#test/support/worlds/merchant.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/* Attacks a running local stack from the developer's network, and from a page in the developer's browser. */

const onLinux = process.platform === 'linux' ? test : test.skip;
const EVIL = 'http://evil.example';
const REBOUND = 'evil.example:3000';

interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends a request with exactly these headers. `fetch` would set the `Host` header, and would add or forbid an `Origin`. */
const send = (url: string, { method = 'POST', path = '/', headers = {}, body = '' }: RawRequest) =>
  new Promise<{ status: number; headers: object; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const outgoing = request({ hostname, port, method, path, headers, agent: false, setHost: !('host' in headers) });
    outgoing.on('response', async (answer) => {
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) });
    });
    outgoing.on('error', reject).end(body);
  });

const signWith = (accessKeyId: string): string =>
  `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20261120/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none`;

const allowsPages = (headers: object): boolean =>
  Object.keys(headers).some((name) => name.startsWith('access-control'));

describe('strangers at the local stack', () => {
  const stacks: Stack[] = [];
  const start = async (...args: Parameters<typeof startStack>): Promise<Stack> => {
    const stack = await startStack(...args);
    stacks.push(stack);
    return stack;
  };
  let stack: Stack;
  let stackFile: StackFile;
  let simulatorUrl: string;
  const requireStackFile = ({ dataDir }: Stack): StackFile => {
    const stackFile = readStackFile(dataDir);
    if (!stackFile) throw new Error('The local stack does not run.');
    return stackFile;
  };
  const listSockets = ({ child }: Stack): ListeningSocket[] => findListeningSockets(listProcessTree(child.pid ?? 0));

  beforeAll(async () => {
    stack = await start({ args: ['--live-simulator', '--inspect'], env: { INSPECT_PORT: '0' } });
    stackFile = requireStackFile(stack);
    simulatorUrl = new URL(/Transfers +(\S+)/.exec(stack.output())?.[1] ?? '').origin;
  });
  afterAll(async () => {
    await Promise.all(stacks.map((running) => running.stop()));
  });

  const readEmulatorPid = async ({ dataDir }: Stack): Promise<number> =>
    Number.parseInt(await readFile(join(dataDir, 'table.db.pid'), 'utf8'), 10);

  onLinux('gateway, emulators, simulator and debugger listen only on loopback', () => {
    const sockets = listSockets(stack);
    expect(sockets.length).toBeGreaterThanOrEqual(5);
    expect(sockets.filter((socket) => !isLoopback(socket))).toEqual([]);
  });

  onLinux('the setting HOST opens only the gateway to the network', async () => {
    const open = await start({ env: { HOST: '0.0.0.0' } });
    const { port } = new URL(open.baseUrl);
    const exposed = listSockets(open).filter((socket) => !isLoopback(socket));
    expect(exposed).toMatchObject([{ address: '0.0.0.0', port: Number(port) }]);
    await open.stop();
  });

  describe('the SQS emulator', () => {
    const endpoint = (): string => stackFile.sqsEndpoint;
    const success = /QueueUrls/;
    const validHeaders = () => ({
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.ListQueues',
      'x-amz-date': '20261120T120000Z',
      authorization: signWith(stackFile.accessKeyId),
      'content-length': '2',
    });

    test('answers a client that has the access key id of this start', async () => {
      const answer = await send(endpoint(), { headers: validHeaders(), body: '{}' });
      expect([answer.status, answer.body]).toEqual([200, expect.stringMatching(success)]);
    });

    test.each<[string, () => RawRequest]>([
      ['a page of another site', () => ({ headers: { ...validHeaders(), origin: EVIL }, body: '{}' })],
      ['a page with the origin “null”', () => ({ headers: { ...validHeaders(), origin: 'null' }, body: '{}' })],
      [
        'a page whose domain resolves to this machine',
        () => ({ headers: { ...validHeaders(), host: REBOUND }, body: '{}' }),
      ],
      [
        'this machine by another name',
        () => ({
          headers: { ...validHeaders(), host: endpoint().replace('http://127.0.0.1', 'localhost') },
          body: '{}',
        }),
      ],
      [
        'a post that needs no preflight',
        () => ({ headers: { 'content-type': 'text/plain', 'content-length': '2' }, body: '{}' }),
      ],
      [
        'credentials that everybody knows',
        () => ({ headers: { ...validHeaders(), authorization: signWith('local') }, body: '{}' }),
      ],
      [
        'a prefix of the access key id',
        () => ({
          headers: { ...validHeaders(), authorization: signWith(stackFile.accessKeyId.slice(0, -1)) },
          body: '{}',
        }),
      ],
      ['no credentials', () => ({ headers: { ...validHeaders(), authorization: '' }, body: '{}' })],
      [
        'credentials in the query',
        () => ({
          path: `/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${stackFile.accessKeyId}%2F`,
          headers: { ...validHeaders(), authorization: '' },
          body: '{}',
        }),
      ],
      ['a GET', () => ({ method: 'GET' })],
      ['a GET of the queue list', () => ({ method: 'GET', path: '/_fauxqs/queues' })],
      ['a PUT of a bucket', () => ({ method: 'PUT', path: '/bucket' })],
      ['an unknown path', () => ({ method: 'GET', path: '/%2e%2e/nothing' })],
    ])('refuses %s', async (_name, makeRequest) => {
      const answer = await send(endpoint(), makeRequest());
      expect([answer.status, allowsPages(answer.headers)]).toEqual([403, false]);
      expect(answer.body).not.toMatch(success);
    });

    test('gives a preflight no permission', async () => {
      const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-amz-target' };
      const answer = await send(endpoint(), { method: 'OPTIONS', headers: { ...preflight, origin: EVIL } });
      expect([answer.status, allowsPages(answer.headers)]).toEqual([403, false]);
    });
  });

  onLinux(
    'the DynamoDB emulator listens on a port that no browser connects to, and answers a program that calls it',
    async () => {
      const [socket, ...others] = findListeningSockets([await readEmulatorPid(stack)]);
      expect(others).toEqual([]);
      const url = `http://${socket?.address}:${socket?.port}`;
      expect(url).toBe(stackFile.dynamodbEndpoint);
      expect(await send(url, { method: 'GET' })).toMatchObject({ status: 200 });
      // Node's fetch blocks the same ports as browsers do.
      await expect(fetch(url)).rejects.toMatchObject({ cause: { message: 'bad port' } });
    },
  );

  onLinux(
    'the emulator of a killed local stack stays unreachable for browsers, and the next start ends that emulator',
    async () => {
      const killed = await start();
      const emulator = await readEmulatorPid(killed);
      const { sqsEndpoint } = requireStackFile(killed);
      await killed.kill();
      expect(isRunning(emulator)).toBe(true);
      await expect(send(sqsEndpoint, { method: 'GET' })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      for (const { address, port } of findListeningSockets([emulator])) {
        await expect(fetch(`http://${address}:${port}/`)).rejects.toMatchObject({ cause: { message: 'bad port' } });
      }
      const next = await start({ dataDir: killed.dataDir });
      expect(isRunning(emulator)).toBe(false);
      await next.stop();
    },
  );

  onLinux('the access key id of this start is passed to no emulator and no simulator', async () => {
    const others = listProcessTree(stack.child.pid ?? 0).filter((pid) => pid !== stack.child.pid);
    expect(others.length).toBeGreaterThanOrEqual(2);
    for (const pid of others)
      expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toMatch(/AWS_|CREDENTIALS|HASH_KEY/);
  });

  test('each start has its own access key id', async () => {
    const [first, second] = [await start(), await start()];
    const ids = [stack, first, second].map((running) => requireStackFile(running).accessKeyId);
    expect(new Set(ids).size).toBe(3);
    await Promise.all([first.stop(), second.stop()]);
  });

  describe('the inbox', () => {
    const PATHS = ['/_local/inbox', '/_local/inbox.json', '/%5Flocal/inbox', '/_local/nothing'];

    test.each<[string, RawRequest]>([
      ['a page whose domain resolves to this machine', { headers: { host: REBOUND } }],
      [
        'a fetch by a page whose domain resolves to this machine',
        { headers: { host: REBOUND, origin: `http://${REBOUND}`, 'sec-fetch-site': 'same-origin' } },
      ],
      ['a page of another site', { headers: { origin: EVIL } }],
      ['a page with the origin “null”', { headers: { origin: 'null' } }],
      ['a page of another port of this machine', { headers: { origin: 'http://127.0.0.1:1' } }],
      [
        'an image or script of another site',
        { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } },
      ],
      [
        'an image on a page of another port',
        { headers: { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' } },
      ],
      ['a host that begins with the name of this machine', { headers: { host: '127.0.0.1.evil.example' } }],
      ['a host that ends with the name of this machine', { headers: { host: 'evil.localhost' } }],
      ['an absolute URL as path', { path: 'http://evil.example' }],
    ])('refuses %s', async (_name, { path: prefix = '', headers = {} }) => {
      for (const path of PATHS) {
        for (const method of ['GET', 'POST', 'OPTIONS']) {
          const answer = await send(stack.baseUrl, { method, path: prefix + path, headers });
          expect([method, path, answer.status, allowsPages(answer.headers)]).toEqual([method, path, 403, false]);
        }
      }
    });

    test.each<[string, Record<string, string>]>([
      ['a program', {}],
      [
        'the developer at localhost',
        { host: 'localhost:3000', 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
      ],
      ['the developer who follows a link', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
      ['the page of the inbox itself', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
      ['the developer over IPv6', { host: '[::1]:3000' }],
    ])('answers %s', async (_name, headers) => {
      expect(await send(stack.baseUrl, { method: 'GET', path: '/_local/inbox', headers })).toMatchObject({
        status: 200,
        headers: {
          'cross-origin-resource-policy': 'same-origin',
          'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        },
      });
    });

    test('takes no post from a form of another site', async () => {
      const form = {
        origin: EVIL,
        'content-type': 'text/plain',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
      };
      const answer = await send(stack.baseUrl, { path: '/_local/inbox', headers: form, body: '{"type": "forged"}' });
      expect(answer.status).toBe(403);
      expect((await call(stack, 'GET', '/_local/inbox.json')).json).toEqual({ webhooks: [] });
    });
  });

  test('the inbox answers under the host name that the setting HOST gives', async () => {
    const named = await start({ env: { HOST: 'localhost' } });
    expect((await call(named, 'GET', '/_local/inbox.json')).status).toBe(200);
    await named.stop();
  });

  test('the API answers pages of every site under any host name, but no browser may post a notification', async () => {
    const merchant = await openBusiness(stack, 'Ada Stores Limited');
    const headers = { origin: EVIL, host: REBOUND, authorization: `Bearer ${merchant.secretTest.key}` };
    const listed = await send(stack.baseUrl, { method: 'GET', path: '/api/v1/checkouts', headers });
    expect(listed).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': '*' } });
    const path = '/providers/paystack/notifications';
    const tunnelled = await send(stack.baseUrl, { path, headers: { host: 'laptop.tunnel.example' }, body: '{}' });
    expect(tunnelled.status).toBe(401);
    const byPage = await send(stack.baseUrl, {
      path,
      headers: { origin: EVIL, 'content-type': 'text/plain' },
      body: '{}',
    });
    expect([byPage.status, allowsPages(byPage.headers)]).toEqual([403, false]);
  });

  test('the simulator takes payments from programs on this machine, but from no web page', async () => {
    const order = { path: '/pay', body: '{"account_number": "1", "amount": 1}' };
    expect((await send(simulatorUrl, order)).status).toBe(404);
    for (const headers of [{ origin: EVIL }, { host: REBOUND }, { 'sec-fetch-site': 'cross-site' }]) {
      expect(
        (await send(simulatorUrl, { ...order, headers: { 'content-type': 'text/plain', ...headers } })).status,
      ).toBe(403);
    }
    const credentials = { host: REBOUND, authorization: 'Bearer sk_test_simulator_of_paystack' };
    expect(
      (await send(simulatorUrl, { method: 'GET', path: '/paystack/transaction', headers: credentials })).status,
    ).toBe(403);
  });

  test('the debugger answers no page whose domain resolves to this machine', async () => {
    const [, port] = /Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(stack.output()) ?? [];
    const url = `http://127.0.0.1:${port}`;
    const rebound = await send(url, { method: 'GET', path: '/json', headers: { host: REBOUND } });
    expect([rebound.status, rebound.body.includes('webSocketDebuggerUrl')]).toEqual([400, false]);
    const foreign = await send(url, { method: 'GET', path: '/json', headers: { origin: EVIL } });
    expect(allowsPages(foreign.headers)).toBe(false);
  });
});

describe('the data directory', () => {
  const readModes = async (dataDir: string): Promise<Record<string, string>> => {
    const names = ['.', ...(await readdir(dataDir))];
    const each = names.map(async (name) => [name, ((await stat(join(dataDir, name))).mode & 0o777).toString(8)]);
    return Object.fromEntries(await Promise.all(each));
  };
  const splitModes = ({ '.': folder, ...files }: Record<string, string>) => ({
    folder,
    files: [...new Set(Object.values(files))],
  });
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'payments-private-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  onLinux(
    'is readable by its user only: with any umask, and again after the next start if somebody opened it to others',
    async () => {
      const before = process.umask(0);
      await chmod(dataDir, 0o777);
      const first = await startStack({ dataDir }).finally(() => process.umask(before));
      await openBusiness(first, 'Ada Stores Limited');
      const used = await readModes(dataDir);
      expect(Object.keys(used)).toEqual(
        expect.arrayContaining(['table.db', 'stack.json', 'service.log', 'identity.json']),
      );
      expect(splitModes(used)).toEqual({ folder: '700', files: ['600'] });
      await first.stop();

      for (const name of await readdir(dataDir)) await chmod(join(dataDir, name), 0o666);
      await chmod(dataDir, 0o755);
      const second = await startStack({ dataDir });
      expect(splitModes(await readModes(dataDir))).toEqual({ folder: '700', files: ['600'] });
      await second.stop();
    },
  );

  onLinux('stops the start of the local stack if one of its files is a symbolic link', async () => {
    await (await startStack({ dataDir })).stop();
    await rm(join(dataDir, 'service.log'));
    await symlink('/dev/null', join(dataDir, 'service.log'));
    await expect(startStack({ dataDir })).rejects.toThrow('is not a file of the local stack');
  });
});
