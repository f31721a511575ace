import { execFile, spawn } from 'node:child_process';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { once } from 'node:events';

import { request } from 'node:http';
import { createServer as createHttps, request as requestHttps, type ServerOptions } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcp,
  type LookupFunction,
  type Server,
  type Socket,
} from 'node:net';

import { promisify } from 'node:util';
import { connections } from '#shared/webhooks/http-out/connections.ts';
import { pinnedLookup } from '#shared/webhooks/http-out/pinned-lookup.ts';
import type { Resolve } from '#shared/webhooks/http-out/resolve.ts';
import { webhookPoster } from '#shared/webhooks/http-out/webhook-poster.ts';
import { makeSelfSigned, trust } from '#test/support/emulators/certificate.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';

const NOT_PUBLIC = 'The request was not sent: the host leads to an address that is not public.';
const LOOPBACK: LookupAddress = { address: '127.0.0.1', family: 4 };
const LOOPBACK_6: LookupAddress = { address: '::1', family: 6 };
const PUBLIC: LookupAddress = { address: '8.8.8.8', family: 4 };
const PUBLIC_6: LookupAddress = { address: '2606:4700:4700::1111', family: 6 };
/** A public address that IANA has not assigned, so a test may connect to it. */
const PUBLIC_UNUSED: LookupAddress = { address: '2d00::1', family: 6 };

const toUrl = (url: string) => ({ url, headers: { 'webhook-id': 'evt_1' }, body: '{"type":"checkout.paid"}' });

/** Returns a resolver that gives the answers in turn and then repeats the last answer. Also returns the names that the resolver was asked for. */
const createResolver = (...answers: LookupAddress[][]): { resolve: Resolve; asked: string[] } => {
  const asked: string[] = [];
  const resolve: Resolve = async (hostname) => {
    asked.push(hostname);
    return answers[Math.min(asked.length, answers.length) - 1] ?? [];
  };
  return { resolve, asked };
};

const poster = (targets: 'public' | 'any', resolve?: Resolve, timeoutMs = 3_000) =>
  webhookPoster({ timeoutMs, targets, ...(resolve ? { resolve } : {}) });

/** Starts a server on loopback and counts its connections and received bytes. */
const watch = async (server: Server) => {
  const sockets: Socket[] = [];
  const state = { connections: 0, open: 0, bytes: 0 };
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    state.connections += 1;
    state.open += 1;
    socket.on('close', () => {
      state.open -= 1;
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  const resume = (): void => {
    for (const socket of sockets) socket.resume();
  };
  return { port: (server.address() as AddressInfo).port, state, resume, stop };
};
type Watched = Awaited<ReturnType<typeof watch>>;

const until = async (isDone: () => boolean): Promise<void> => {
  const deadline = Date.now() + 60_000;
  while (!isDone() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe('a webhook never reaches an address that is not public', () => {
  let inside: Watched;

  beforeEach(async () => {
    const server = createTcp((socket) => {
      socket.on('data', (bytes) => {
        inside.state.bytes += bytes.length;
      });
    });
    inside = await watch(server);
  });
  afterEach(() => inside.stop());

  test('through a name that leads to a public address at the check and to loopback at the connection', async () => {
    const { resolve, asked } = createResolver([PUBLIC_UNUSED], [LOOPBACK]);
    const post = poster('public', resolve, 500);
    const url = `https://rebind.example:${inside.port}/`;
    expect(await post(toUrl(url))).toMatchObject({ statusCode: null, error: expect.any(String) });
    // One look-up served the check and the connection, so the second answer was never used.
    expect(asked).toEqual(['rebind.example']);
    expect(await post(toUrl(url))).toEqual({ statusCode: null, error: NOT_PUBLIC, response: null, retryAfter: null });
    expect(asked).toHaveLength(2);
    expect(inside.state.connections).toBe(0);
  });

  test.each<[string, LookupAddress[]]>([
    ['loopback', [LOOPBACK]],
    ['IPv6 loopback', [LOOPBACK_6]],
    ['a public and a loopback address', [PUBLIC, LOOPBACK]],
    ['a loopback and a public address', [LOOPBACK, PUBLIC]],
    ['a public IPv4 and a loopback IPv6 address', [PUBLIC, LOOPBACK_6]],
    ['a public IPv6 and a private IPv4 address', [PUBLIC_6, { address: '10.0.0.1', family: 4 }]],
    ['a mapped loopback address', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['metadata', [{ address: '169.254.169.254', family: 4 }]],
    ['link-local with a zone', [{ address: 'fe80::1%lo', family: 6 }]],
    ['an unspecified address', [{ address: '0.0.0.0', family: 4 }]],
    ['text that is not an address', [{ address: 'localhost', family: 4 }]],
  ])('through a name that leads to %s', async (_, addresses) => {
    const { resolve } = createResolver(addresses);
    const result = await poster('public', resolve)(toUrl(`https://hooks.example:${inside.port}/`));
    expect(result).toEqual({ statusCode: null, error: NOT_PUBLIC, response: null, retryAfter: null });
    expect(inside.state.connections).toBe(0);
  });

  test.each([
    ...['127.0.0.1', '2130706433', '0177.0.0.1', '017700000001', '0x7f.1', '0x7f000001', '127.1', '127.0.0.1.'],
    ...['１２７.0.0.1', '0', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
    ...['localhost', 'localhost.', 'a.localhost', 'ada@127.0.0.1', 'hooks.example@127.0.0.1'],
  ])('through the host %p', async (host) => {
    const { resolve, asked } = createResolver([LOOPBACK]);
    const post = poster('public', resolve);
    for (const scheme of ['https', 'http']) {
      const result = await post(toUrl(`${scheme}://${host}:${inside.port}/`));
      expect(result).toMatchObject({ statusCode: null, response: null });
      expect(result.error).toMatch(/^The request was not sent: the URL must .*\.$/);
    }
    expect(asked).toEqual([]);
    expect(inside.state.connections).toBe(0);
  });

  test.each(['http:', 'https:'] as const)('through %s even if the check of the name is bypassed', async (scheme) => {
    const unchecked: LookupFunction = (_, { all }, callback) =>
      all ? callback(null, [LOOPBACK]) : callback(null, LOOPBACK.address, LOOPBACK.family);
    const agents = connections('public', () => unchecked)(Date.now());
    const send = scheme === 'https:' ? requestHttps : request;
    const code = await new Promise((resolve) => {
      const url = `${scheme}//hooks.example:${inside.port}/`;
      const outgoing = send(url, { method: 'POST', agent: agents[scheme] });
      outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      outgoing.end('{}');
    });
    expect(code).toBe('ERR_TARGET_NOT_PUBLIC');
    await until(() => inside.state.open === 0);
    expect(inside.state.bytes).toBe(0);
  });

  test.each([301, 302, 303, 307, 308])('through a redirect with %d', async (statusCode) => {
    const outside = await startReceiver();
    const location = `http://127.0.0.1:${inside.port}/2018-06-01/runtime/invocation/next`;
    outside.answer((response) => response.writeHead(statusCode, { location }).end('moved'));
    const result = await poster('any')(toUrl(outside.url));
    await outside.stop();
    expect(result).toEqual({ statusCode, error: null, response: 'moved', retryAfter: null });
    expect(inside.state.connections).toBe(0);
  });
});

describe('the look-up of a connection', () => {
  const REJECTED = [expect.objectContaining({ code: 'ERR_TARGET_NOT_PUBLIC' }), []];
  const look = (resolve: Resolve, options: LookupOptions, targets: 'public' | 'any' = 'public') =>
    new Promise<unknown[]>((done) => {
      pinnedLookup(targets, resolve, new AbortController().signal)('hooks.example', options, (...answer) =>
        done(answer),
      );
    });

  test.each<[LookupOptions, unknown[]]>([
    [{ all: true }, [null, [PUBLIC_6, PUBLIC]]],
    [{ all: true, family: 0 }, [null, [PUBLIC_6, PUBLIC]]],
    [{ all: true, family: 4 }, [null, [PUBLIC]]],
    [{}, [null, PUBLIC_6.address, 6]],
    [{ all: false, family: 4 }, [null, PUBLIC.address, 4]],
    [{ family: 'IPv4' }, [null, PUBLIC.address, 4]],
    [{ family: 6 }, [null, PUBLIC_6.address, 6]],
  ])('answers in the requested form for the options %p', async (options, answer) => {
    const { resolve, asked } = createResolver([PUBLIC_6, PUBLIC]);
    expect(await look(resolve, options)).toEqual(answer);
    expect(asked).toEqual(['hooks.example']);
  });

  test.each<LookupOptions>([{ all: true }, {}, { family: 4 }, { all: true, family: 6 }])(
    'rejects a name with one address that is not public, even for the options %p',
    async (options) => {
      const { resolve } = createResolver([PUBLIC, PUBLIC_6, LOOPBACK]);
      expect(await look(resolve, options)).toEqual(REJECTED);
    },
  );

  test('returns the first two addresses of each family, however many a name has', async () => {
    const addresses = Array.from({ length: 4_000 }, (_, i) => ({ address: `93.184.${i >> 8}.${i & 255}`, family: 4 }));
    const { resolve } = createResolver([...addresses, PUBLIC_6]);
    expect(await look(resolve, { all: true })).toEqual([null, [...addresses.slice(0, 2), PUBLIC_6]]);
    const last = createResolver([...addresses, LOOPBACK]);
    expect(await look(last.resolve, { all: true })).toEqual(REJECTED);
  });

  test('rejects nothing if any target is allowed', async () => {
    expect(await look(createResolver([LOOPBACK]).resolve, { all: true }, 'any')).toEqual([null, [LOOPBACK]]);
  });

  test('fails if there is no address, or none of the requested family', async () => {
    const notFound = [expect.objectContaining({ code: 'ENOTFOUND' }), []];
    expect(await look(createResolver([]).resolve, { all: true })).toEqual(notFound);
    expect(await look(createResolver([PUBLIC]).resolve, { family: 6 })).toEqual(notFound);
  });

  test('passes on the error of a failed resolution', async () => {
    const failure = Object.assign(new Error('queryA ESERVFAIL'), { code: 'ESERVFAIL' });
    expect(await look(() => Promise.reject(failure), {})).toEqual([failure, []]);
  });
});

describe('the webhook poster', () => {
  let receiver: Receiver;
  const opened: Watched[] = [];
  const listen = async (server: Server): Promise<Watched> => {
    const watched = await watch(server);
    opened.push(watched);
    return watched;
  };

  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await receiver.stop();
    await Promise.all(opened.splice(0).map((watched) => watched.stop()));
  });

  test('reaches loopback by address and by name if any target is allowed', async () => {
    const ok = { statusCode: 200, error: null, response: 'ok', retryAfter: null };
    expect(await poster('any')(toUrl(receiver.url))).toEqual(ok);
    const { resolve } = createResolver([LOOPBACK_6, LOOPBACK]);
    expect(await poster('any', resolve)(toUrl(receiver.url.replace('127.0.0.1', 'hooks.example')))).toEqual(ok);
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[0]).toMatchObject({
      body: '{"type":"checkout.paid"}',
      headers: { 'webhook-id': 'evt_1', 'user-agent': 'payments-webhooks/1', 'content-type': 'application/json' },
    });
  });

  longTest(
    'waits for a connection after its first packet was lost, instead of changing to an address that leads nowhere',
    async () => {
      const listening = `require('node:http').createServer((_, response) => response.end('late'))
      .listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port); });`;
      const child = spawn(process.execPath, ['--eval', listening], { stdio: ['ignore', 'pipe', 'inherit'] });
      const waiting: Socket[] = [];
      try {
        const [printed] = await once(child.stdout, 'data');
        const port = Number(printed);
        // The stopped process accepts no connection. If its queue is full, the system drops a SYN, which comes again after a second.
        child.kill('SIGSTOP');
        for (let i = 0; i < 4; i++) waiting.push(connect(port, '127.0.0.1').on('error', () => {}));
        await once(waiting[0] as Socket, 'connect');
        setTimeout(() => child.kill('SIGCONT'), 500);
        const { resolve } = createResolver([LOOPBACK, LOOPBACK_6]);
        const result = await poster('any', resolve, 15_000)(toUrl(`http://hooks.example:${port}/`));
        expect(result).toMatchObject({ statusCode: 200, error: null, response: 'late' });
      } finally {
        for (const socket of waiting) socket.destroy();
        child.kill('SIGKILL');
      }
    },
  );

  test('returns Retry-After unchanged', async () => {
    const retryAfter = 'Fri, 20 Nov 2026 13:00:00 GMT';
    receiver.answer((response) => response.writeHead(429, { 'retry-after': retryAfter }).end());
    const result = await poster('any')(toUrl(receiver.url));
    expect(result).toEqual({ statusCode: 429, error: null, response: '', retryAfter });
  });

  test('reads 1 KiB of an endless answer, whole characters only, and then closes the connection', async () => {
    let isClosed = false;
    receiver.answer((response) => {
      const more = setInterval(() => response.write('₦'.repeat(100)), 1);
      response.on('close', () => {
        clearInterval(more);
        isClosed = true;
      });
    });
    const result = await poster('any')(toUrl(receiver.url));
    // 341 characters of three bytes are 1,023 bytes.
    expect(result).toEqual({ statusCode: 200, error: null, response: '₦'.repeat(341), retryAfter: null });
    await until(() => isClosed);
    expect(isClosed).toBe(true);
  });

  testRows<[string, () => Promise<{ url: string; resolve?: Resolve }>]>([
    ['a look-up', async () => ({ url: 'http://hooks.example/?token=s3cret', resolve: () => new Promise(() => {}) })],
    ['a TLS handshake', async () => ({ url: `https://127.0.0.1:${(await listen(createTcp())).port}/?token=s3cret` })],
    ['an answer', async () => ({ url: `http://127.0.0.1:${(await listen(createTcp())).port}/?token=s3cret` })],
  ])('gives up waiting for %s that never comes', async (_, openTarget) => {
    const { url, resolve } = await openTarget();
    const startedAt = Date.now();
    const result = await poster('any', resolve, 300)(toUrl(url));
    expect(result.error).toBe('No answer within 0.3 s.');
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(295);
  });

  test.each<[string, string, string]>([
    ['closes at once', '', 'ECONNRESET'],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'HPE_INVALID_CONSTANT'],
    ['closes within its head', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n', 'ECONNRESET'],
  ])('names the error code, but never the URL, for a server that %s', async (_, text, code) => {
    const server = createTcp((socket) => socket.once('data', () => socket.end(text)));
    const { port } = await listen(server);
    const result = await poster('any')(toUrl(`http://127.0.0.1:${port}/?token=s3cret`));
    expect(result.error).toBe(`The request failed (${code}).`);
  });

  test('counts a switch of protocols as a failure', async () => {
    const text = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n';
    const { port } = await listen(createTcp((socket) => socket.once('data', () => socket.write(text))));
    const result = await poster('any')(toUrl(`http://127.0.0.1:${port}/`));
    expect(result).toMatchObject({ statusCode: null, error: expect.stringMatching(/\.$/) });
  });

  test('does not throw for an invalid request', async () => {
    const result = await poster('any')({ url: receiver.url, headers: { 'webhook-id': 'a\nb' }, body: '' });
    expect(result).toMatchObject({ statusCode: null, error: 'The request failed (ERR_INVALID_CHAR).' });
  });

  describe('keeping connections', () => {
    let server: Watched;
    let answer: (attempt: number) => { after: number; body: string };
    let attempts: number;

    beforeEach(async () => {
      attempts = 0;
      answer = () => ({ after: 0, body: 'ok' });
      const { createServer } = await import('node:http');
      const listening = createServer((incoming, response) => {
        attempts += 1;
        const { after, body } = answer(attempts);
        incoming.resume().on('end', () => setTimeout(() => response.end(body), after));
      });
      listening.keepAliveTimeout = 60_000;
      server = await listen(listening);
    });

    longTest(
      'needs no look-up for the next request to a host, and closes idle connections after a second',
      async () => {
        const { resolve, asked } = createResolver([LOOPBACK], [PUBLIC_UNUSED]);
        const post = poster('any', resolve);
        for (let i = 0; i < 5; i += 1) {
          expect(await post(toUrl(`http://hooks.example:${server.port}/`))).toMatchObject({ statusCode: 200 });
        }
        expect(asked).toHaveLength(1);
        expect(server.state).toMatchObject({ connections: 1, open: 1 });
        await until(() => server.state.open === 0);
        expect(server.state.open).toBe(0);
      },
    );

    test('reuses no connection with an unfinished answer, and no connection that was idle for a second', async () => {
      answer = (attempt) => ({ after: 0, body: attempt === 1 ? 'x'.repeat(100_000) : 'ok' });
      let now = Date.now();
      const post = webhookPoster({ timeoutMs: 3_000, targets: 'any', now: () => now });
      const url = `http://127.0.0.1:${server.port}/`;
      expect(await post(toUrl(url))).toMatchObject({ statusCode: 200, response: 'x'.repeat(1_024) });
      expect(await post(toUrl(url))).toMatchObject({ statusCode: 200, response: 'ok' });
      expect(server.state.connections).toBe(2);
      // After a freeze of the Lambda a second has passed, but no timer has fired.
      now += 1_001;
      expect(await post(toUrl(url))).toMatchObject({ statusCode: 200, response: 'ok' });
      expect(server.state.connections).toBe(3);
    });

    test('closes a connection that gets an answer before the request is sent completely', async () => {
      const text = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
      let bytesRead = (): number => 0;
      const server = createTcp((socket) => {
        bytesRead = () => socket.bytesRead;
        socket.once('data', () => socket.pause().write(text));
      });
      const hasty = await listen(server);
      const body = 'x'.repeat(20_000_000);
      const result = await poster('any')({ ...toUrl(`http://127.0.0.1:${hasty.port}/`), body });
      expect(result).toMatchObject({ statusCode: 200, error: null, response: 'ok' });
      // The server's socket must read on to notice the end of the connection.
      hasty.resume();
      await until(() => hasty.state.open === 0);
      expect(hasty.state).toMatchObject({ connections: 1, open: 0 });
      expect(bytesRead()).toBeLessThan(body.length);
    });

    longTest('waits longer for a slow answer than it keeps an idle connection', async () => {
      answer = () => ({ after: 1_400, body: 'late' });
      expect(await poster('any')(toUrl(`http://127.0.0.1:${server.port}/`))).toMatchObject({ response: 'late' });
    });
  });

  describe('through TLS', () => {
    let identity: ReturnType<typeof makeSelfSigned>;
    let url: string;
    let port: number;
    const byName = (): Resolve => createResolver([LOOPBACK]).resolve;

    beforeAll(() => {
      identity = makeSelfSigned();
    });
    beforeEach(async () => {
      const server = createHttps(identity, (incoming, response) => {
        incoming.resume().on('end', () => response.end('ok'));
      });
      ({ port } = await listen(server));
      url = `https://hooks.example:${port}/?token=s3cret`;
    });
    test('delivers if the certificate is valid for the host', async () => {
      const distrust = trust(identity.cert);
      const result = await poster('any', byName())(toUrl(url));
      distrust();
      expect(result).toMatchObject({ statusCode: 200, error: null, response: 'ok' });
    });

    test('rejects a self-signed certificate, and says so without the URL', async () => {
      expect(await poster('any', byName())(toUrl(url))).toEqual({
        statusCode: null,
        error: 'The certificate of the host was refused: it is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT).',
        response: null,
        retryAfter: null,
      });
    });

    test('rejects a certificate for another host', async () => {
      const distrust = trust(identity.cert);
      const result = await poster('any', byName())(toUrl(`https://other.example:${port}/`));
      distrust();
      expect(result.error).toBe(
        'The certificate of the host was refused: it is for another host name (ERR_TLS_CERT_ALTNAME_INVALID).',
      );
    });

    test('exchanges no keys in a group of the host’s choice, because a large group would cost much time', async () => {
      const ciphers = 'DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES256-GCM-SHA384';
      const offer: ServerOptions = { ciphers, dhparam: 'auto', maxVersion: 'TLSv1.2', ...makeSelfSigned(['rsa:2048']) };
      const choosing = await listen(createHttps(offer, (_incoming, response) => response.end('ok')));
      const result = await poster('any', byName())(toUrl(`https://hooks.example:${choosing.port}/`));
      expect(result.error).toBe('A secure connection could not be made (EPROTO).');
    });

    test('says that a secure connection is impossible if the host speaks plain HTTP', async () => {
      const result = await poster('any')(toUrl(receiver.url.replace('http:', 'https:')));
      expect(result.error).toMatch(/^A secure connection could not be made \([A-Z_]+\)\.$/);
    });

    test('ignores proxy variables and NODE_TLS_REJECT_UNAUTHORIZED', async () => {
      const proxy = await startReceiver();
      const at = new URL(proxy.url).origin;
      const script = `
        import { request } from 'node:http';
        import { webhookPoster } from '#shared/webhooks/http-out/webhook-poster.ts';
        const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
        const post = webhookPoster({ timeoutMs: 3000, targets: 'any', resolve });
        const send = (url) => post({ url, headers: {}, body: '{}' });
        // A request without our own agents goes to the proxy, which shows that the variables work.
        const proxied = request(${JSON.stringify(receiver.url)}, { method: 'POST' });
        await new Promise((done) => proxied.on('response', (got) => got.resume().on('end', done)).end('by the proxy'));
        const result = [await send(${JSON.stringify(receiver.url)}), await send(${JSON.stringify(url)})];
        console.log(JSON.stringify(result));
        process.exit();`;
      const variables = { HTTP_PROXY: at, http_proxy: at, HTTPS_PROXY: at, https_proxy: at };
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
        env: { ...variables, NODE_USE_ENV_PROXY: '1', NODE_TLS_REJECT_UNAUTHORIZED: '0' },
        timeout: 10_000,
      });
      const [plain, secure] = JSON.parse(stdout);
      const proxied = proxy.received.map(({ body }) => body);
      await proxy.stop();
      expect(plain).toMatchObject({ statusCode: 200, response: 'ok' });
      expect(secure.error).toMatch(/self-signed/);
      expect(receiver.received.map(({ body }) => body)).toEqual(['{}']);
      expect(proxied).toEqual(['by the proxy']);
    });
  });
});
