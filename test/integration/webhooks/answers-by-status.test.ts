import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { DeliveryJob } from '#shared/webhooks/domain/delivery.ts';
import { webhookPoster } from '#shared/webhooks/http-out/webhook-poster.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import { longTest } from '#test/support/jest/long.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import { flood, openRawHosts } from '#test/support/worlds/raw-hosts.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

/** How long an attempt may take, in milliseconds. */
const ATTEMPT_MS = 15_000;
const post = webhookPoster({ timeoutMs: ATTEMPT_MS, targets: 'any' });
const postTo = (url: string, poster = post) => poster({ url, headers: { 'webhook-id': 'evt_1' }, body: '{}' });

/** Returns the head of an answer with these lines, and the start of its body. */
const head = (status: string, lines: readonly string[], body = ''): string =>
  [`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n');
const CHUNKED = 'transfer-encoding: chunked';

/** Returns the behaviour of a host that sends bytes and then does something. */
const send =
  (bytes: string | Buffer, then: (socket: Socket) => unknown = () => {}) =>
  (socket: Socket): void => {
    socket.write(bytes, () => then(socket));
  };
const close = (socket: Socket) => socket.end();
const reset = (socket: Socket) => socket.resetAndDestroy();

const GZIP = gzipSync('received');

const RETRY_AFTER = 'a time to try again, and a body that never comes';

/** The answers of hosts, and the status and text that are stored. Null: the text does not matter. */
const answers: [string, (socket: Socket) => void, number, string | null][] = [
  ['a body after 204', send(head('204 No Content', [], 'hello')), 204, null],
  ['a body after 204 with its length', send(head('204 No Content', ['content-length: 5'], 'hello')), 204, null],
  ['chunks after 204', send(head('204 No Content', [CHUNKED], '5\r\nhello\r\n0\r\n\r\n')), 204, null],
  ['a body after 304', send(head('304 Not Modified', [], 'hello')), 304, null],
  ['a body that begins and never ends', send(head('200 OK', ['content-length: 10'], 'ok')), 200, 'ok'],
  ['a body that never begins', send(head('200 OK', [CHUNKED])), 200, ''],
  ['a body that is cut off', send(head('200 OK', ['content-length: 10'], 'ok'), close), 200, 'ok'],
  ['a connection that is reset after its head', send(head('200 OK', ['content-length: 10'], 'ok'), reset), 200, null],
  ['chunks that are cut off', send(head('200 OK', [CHUNKED], '5\r\nhel'), close), 200, 'hel'],
  ['a chunk with an invalid length', send(head('200 OK', [CHUNKED], 'x\r\nhello')), 200, ''],
  ['a chunk that is longer than its length', send(head('200 OK', [CHUNKED], '2\r\nhello\r\n')), 200, 'he'],
  ['a body that is longer than its length', send(head('200 OK', ['content-length: 2'], 'ok and more')), 200, 'ok'],
  [
    'a longer body after "connection: close"',
    send(head('200 OK', ['content-length: 2', 'connection: close'], 'ok!')),
    200,
    'ok',
  ],
  ['a second answer', send(head('200 OK', ['content-length: 2'], `ok${head('500 Oh', [])}`)), 200, 'ok'],
  ['no length, and a closed connection', send(head('200 OK', [], 'ok'), close), 200, 'ok'],
  ['an invalid length', send(head('200 OK', ['content-length: two'], 'ok')), 200, null],
  ['an empty length', send(head('200 OK', ['content-length:'], 'ok')), 200, null],
  ['a negative length', send(head('202 OK', ['content-length: -1'], 'ok')), 202, null],
  ['the same length twice', send(head('200 OK', ['content-length: 2', 'content-length: 2'], 'ok')), 200, null],
  ['length and chunks', send(head('201 Created', ['content-length: 2', CHUNKED], '2\r\nok\r\n0\r\n\r\n')), 201, null],
  ['chunks and length', send(head('200 OK', [CHUNKED, 'content-length: 2'], '2\r\nok\r\n0\r\n\r\n')), 200, null],
  [
    'early hints, and then an invalid length',
    send(`${head('103 Early Hints', ['link: </a>'])}${head('200 OK', ['content-length: two'], 'ok')}`),
    200,
    null,
  ],
  [
    'an invalid length after a long header',
    send(head('200 OK', [`x-long: ${'a'.repeat(2_000)}`, 'content-length: two'], 'ok')),
    200,
    null,
  ],
  [
    'a plain body that claims to be compressed',
    send(head('200 OK', ['content-encoding: gzip', 'content-length: 4'], 'text')),
    200,
    'text',
  ],
  [
    'a compressed body that is cut off',
    send(
      Buffer.concat([
        Buffer.from(head('200 OK', ['content-encoding: gzip', `content-length: ${GZIP.length}`])),
        GZIP.subarray(0, 5),
      ]),
      close,
    ),
    200,
    null,
  ],
  ['an error without end', send(head('500 Oh', [], 'trace'), (socket) => flood(socket, 'x')), 500, null],
  ['an error whose body never comes', send(head('410 Gone', ['content-length: 10'])), 410, ''],
  ['a redirect whose body never comes', send(head('302 Found', ['location: /', 'content-length: 9'])), 302, ''],
  [RETRY_AFTER, send(head('503 Busy', ['retry-after: 7', 'content-length: 9'])), 503, ''],
  ['an error with an invalid length', send(head('503 Busy', ['content-length: two'])), 503, null],
];

describe('the status of an answer', () => {
  const { hostAt, allClosed, stop } = openRawHosts();
  let posted: Awaited<ReturnType<typeof post>>[];
  // All are posted at once, because some wait for a body that never comes.
  beforeAll(async () => {
    posted = await Promise.all(answers.map(async ([, answer]) => postTo(await hostAt(answer))));
    await stop();
  });
  afterEach(stop);

  const rows = answers.map(([name, , ...stored], i) => [name, i, ...stored] as const);
  test.each(rows)('counts if the answer has %s', (_, i, status, response) => {
    expect(posted[i]).toMatchObject({ statusCode: status, error: null, ...(response !== null && { response }) });
  });

  test('counts together with Retry-After even if the body never comes', () => {
    expect(posted[answers.findIndex(([name]) => name === RETRY_AFTER)]).toMatchObject({
      statusCode: 503,
      retryAfter: '7',
    });
  });

  longTest(
    'counts while the body drips, and the connection is closed before the time of the attempt is over',
    async () => {
      const started = performance.now();
      const url = await hostAt(
        send(head('200 OK', []), (socket) => {
          const drip = setInterval(() => socket.write('.'), 20);
          socket.on('close', () => clearInterval(drip));
        }),
      );
      expect(await postTo(url)).toMatchObject({
        statusCode: 200,
        error: null,
        response: expect.stringMatching(/^\.+$/),
      });
      await allClosed();
      expect(performance.now() - started).toBeLessThan(ATTEMPT_MS);
    },
  );

  longTest('counts if the head comes late and the time of the attempt ends before the body', async () => {
    // This time limit is shorter than the time that a body gets after its head.
    const late = webhookPoster({ timeoutMs: 1_900, targets: 'any' });
    const url = await hostAt((socket) => void setTimeout(() => socket.write(head('200 OK', [], 'o')), 100));
    expect(await postTo(url, late)).toMatchObject({ statusCode: 200, error: null, response: 'o' });
  });

  test('does not count if the head drips for longer than the attempt may take, and the connection is closed', async () => {
    const brief = webhookPoster({ timeoutMs: 300, targets: 'any' });
    const url = await hostAt(
      send('HTTP/1.1 200 OK\r\nx-slow: ', (socket) => {
        const drip = setInterval(() => socket.write('.'), 20);
        socket.on('close', () => clearInterval(drip));
      }),
    );
    expect(await postTo(url, brief)).toMatchObject({ statusCode: null, error: expect.stringMatching(/\.$/) });
    await allClosed();
  });

  test.each<[string, (socket: Socket) => void]>([
    ['a head that is cut off', send('HTTP/1.1 200 OK\r\nserver: a\r\n', close)],
    ['a head that is reset', send('HTTP/1.1 200 OK\r\nserver: a\r\n', reset)],
    ['an invalid status', send(head('20 OK', ['content-length: two']))],
    ['an invalid header line', send(head('200 OK', ['no header at all']))],
    ['an invalid length in text that is not HTTP', send(head('200 OK', ['content-length: two']).slice(1))],
    ['only early hints with an invalid length', send(head('103 Hints', ['content-length: two']), close)],
    ['a switch of protocols', send(head('101 Switching', ['upgrade: h2c', 'connection: upgrade']), close)],
  ])('does not count if there is no valid answer: %s', async (_, answer) => {
    expect(await postTo(await hostAt(answer))).toMatchObject({ statusCode: null, error: expect.stringMatching(/\.$/) });
  });

  test('decides whether the delivery succeeds or is tried again', async () => {
    const world = await makeWorld({ startAt: Date.now() });
    const accepting = await hostAt(send(head('204 No Content', [], 'hello')));
    const failing = await hostAt(send(head('500 Oh', ['content-length: 9'], 'o'), reset));
    const business = await world.addBusiness([accepting, failing], 'live');
    await landEvents(world.deps, business.id, 1);
    const jobs: DeliveryJob[] = await world.takeJobs();
    for (const job of jobs) await deliverWebhook(world.deps, 'first', job);
    const stored = (await world.itemsOf('DLV#')).map(({ state, lastAttempt }) => ({ state, lastAttempt }));
    expect(stored).toEqual(
      expect.arrayContaining([
        { state: 'succeeded', lastAttempt: expect.objectContaining({ statusCode: 204, error: null }) },
        { state: 'pending', lastAttempt: expect.objectContaining({ statusCode: 500, error: null }) },
      ]),
    );
    expect(stored).toHaveLength(2);
  });
});
