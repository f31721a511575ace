import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { createServer as createTls } from 'node:tls';
import { webhookPoster } from '#shared/webhooks/http-out/webhook-poster.ts';
import { makeSelfSigned, trust } from '#test/support/emulators/certificate.ts';
import { flood, MANY, openRawHosts } from '#test/support/worlds/raw-hosts.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';

const TOO_MANY = 'The request failed: more than 5 informational answers (1xx) came before an answer.';
const TOO_LONG = 'The request failed: the answer did not begin within 128 KiB.';
const LONG_HEADERS = 'The headers of the answer are longer than 16 KiB (HPE_HEADER_OVERFLOW).';
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const PROCESSING = 'HTTP/1.1 102 \r\n\r\n';

const post = webhookPoster({
  timeoutMs: 15_000,
  targets: 'any',
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});
const postTo = (url: string) => post({ url, headers: { 'webhook-id': 'evt_1' }, body: '{}' });

describe('an endpoint that answers with too much', () => {
  const { open, listen, misbehaving, hostAt, allClosed, stop } = openRawHosts();

  afterEach(stop);

  test('may send five informational answers of any kind', async () => {
    const five = ['100 Continue', '102 Processing', '103 Early Hints', '103 Early Hints', '199 Whatever'];
    const url = await hostAt((socket) =>
      socket.write(`${five.map((line) => `HTTP/1.1 ${line}\r\n\r\n`).join('')}${OK}`),
    );
    expect(await postTo(url)).toMatchObject({ statusCode: 200, error: null, response: 'ok' });
  });

  test('fails with the sixth informational answer, whatever follows', async () => {
    const url = await hostAt((socket) => socket.write(`${PROCESSING.repeat(6)}${OK}`));
    expect(await postTo(url)).toEqual({ statusCode: null, error: TOO_MANY, response: null, retryAfter: null });
  });

  const hints = `HTTP/1.1 103 \r\nlink: ${'a'.repeat(15_000)}\r\n\r\n`;
  /** The first bytes of a host, the bytes that it repeats without end, and the outcome. */
  const endless: [string, string, string, object][] = [
    ['informational answers', '', PROCESSING, { statusCode: null, error: TOO_MANY }],
    ['long informational answers', '', hints, { statusCode: null, error: TOO_MANY }],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n', { statusCode: null, error: LONG_HEADERS }],
    ['empty lines in place of an answer', '', '\r\n', { statusCode: null, error: TOO_LONG }],
    ['chunks of one byte', CHUNKED, '1\r\na\r\n', { statusCode: 200, error: null, response: 'a'.repeat(1_024) }],
    ['chunk extensions', `${CHUNKED}1`, ';a=b', { statusCode: 200, error: null }],
    ['trailers', `${CHUNKED}2\r\nok\r\n0\r\n`, 'a: b\r\n', { statusCode: 200, error: null, response: 'ok' }],
  ];
  test.each(endless)('has its connection closed while it sends endless %s', async (_, first, piece, outcome) => {
    const url = await hostAt((socket) => {
      socket.write(first);
      flood(socket, piece);
    });
    expect(await postTo(url)).toMatchObject(outcome);
    // The attempt is over, and nothing more is read from that connection.
    await allClosed();
  });

  test('does not delay other endpoints', async () => {
    // The neighbour answers only after every flood is over.
    const neighbour: Receiver = await startReceiver();
    const kinds = [PROCESSING, '\r\n', `HTTP/1.1 103 \r\nlink: a\r\n\r\n`];
    const floods = await Promise.all(kinds.map((piece) => hostAt((socket) => flood(socket, piece))));
    neighbour.answer((response) => {
      const check = setInterval(() => {
        if (open.size > 0) return;
        clearInterval(check);
        response.end('ok');
      }, 5);
    });
    try {
      const attempts = Promise.all(floods.flatMap((url) => [postTo(url), postTo(url), postTo(url)]));
      expect(await postTo(neighbour.url)).toMatchObject({ statusCode: 200, error: null, response: 'ok' });
      for (const { error } of await attempts) expect([TOO_MANY, TOO_LONG]).toContain(error);
    } finally {
      await neighbour.stop();
    }
  });

  describe('through one packet of informational answers', () => {
    let identity: ReturnType<typeof makeSelfSigned>;
    let distrust: () => void;
    let parsed = 0;
    const count = (message: unknown): void => {
      (message as { request: ClientRequest }).request.on('information', () => {
        parsed += 1;
      });
    };

    beforeAll(() => {
      identity = makeSelfSigned();
      distrust = trust(identity.cert);
    });
    afterAll(() => distrust());
    beforeEach(() => {
      parsed = 0;
      subscribe('http.client.request.created', count);
    });
    afterEach(() => {
      unsubscribe('http.client.request.created', count);
    });

    test.each<[string, () => Promise<string>]>([
      ['plain', () => hostAt((socket) => socket.write(PROCESSING.repeat(MANY)))],
      [
        'TLS',
        async () => {
          const answer = misbehaving((socket) => socket.write(PROCESSING.repeat(MANY)));
          return `https://hooks.example:${await listen(createTls(identity, answer))}/`;
        },
      ],
    ])('has only a few of its thousands of answers parsed: %s', async (_, openHost) => {
      expect(await postTo(await openHost())).toMatchObject({ statusCode: null, error: TOO_MANY });
      await allClosed();
      // A packet contains thousands of answers, but a slice of it contains fewer than forty.
      expect(parsed).toBeGreaterThan(5);
      expect(parsed).toBeLessThan(40);
    });
  });
});
