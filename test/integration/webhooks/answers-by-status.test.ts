import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { DeliveryJob } from '#shared/webhooks/domain/delivery.ts';
import { webhookPoster } from '#shared/webhooks/http-out/webhook-poster.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import { longTest } from '#test/support/jest/long.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import { flood, rawHosts } from '#test/support/worlds/raw-hosts.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

const PROMISED = 15_000;
const post = webhookPoster({ timeoutMs: PROMISED, targets: 'any' });
const postTo = (url: string, by = post) => by({ url, headers: { 'webhook-id': 'evt_1' }, body: '{}' });

/** A head with these lines, and the start of its body. */
const head = (status: string, lines: readonly string[], body = ''): string =>
  [`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n');
const CHUNKED = 'transfer-encoding: chunked';

const saying =
  (bytes: string | Buffer, then: (socket: Socket) => unknown = () => {}) =>
  (socket: Socket): void => {
    socket.write(bytes, () => then(socket));
  };
const leave = (socket: Socket) => socket.end();
const reset = (socket: Socket) => socket.resetAndDestroy();

const GZIP = gzipSync('received');

const AGAIN = 'a time to try again, and a body that never comes';

/** How a host answers, and the status and text that are kept. Null: the text does not matter. */
const answers: [string, (socket: Socket) => void, number, string | null][] = [
  ['a body after 204', saying(head('204 No Content', [], 'hello')), 204, null],
  ['a body after 204 with its length', saying(head('204 No Content', ['content-length: 5'], 'hello')), 204, null],
  ['chunks after 204', saying(head('204 No Content', [CHUNKED], '5\r\nhello\r\n0\r\n\r\n')), 204, null],
  ['a body after 304', saying(head('304 Not Modified', [], 'hello')), 304, null],
  ['a body that begins and never ends', saying(head('200 OK', ['content-length: 10'], 'ok')), 200, 'ok'],
  ['a body that never begins', saying(head('200 OK', [CHUNKED])), 200, ''],
  ['a body that is cut off', saying(head('200 OK', ['content-length: 10'], 'ok'), leave), 200, 'ok'],
  ['a connection that is reset after its head', saying(head('200 OK', ['content-length: 10'], 'ok'), reset), 200, null],
  ['chunks that are cut off', saying(head('200 OK', [CHUNKED], '5\r\nhel'), leave), 200, 'hel'],
  ['a chunk whose length is none', saying(head('200 OK', [CHUNKED], 'x\r\nhello')), 200, ''],
  ['a chunk that is longer than it says', saying(head('200 OK', [CHUNKED], '2\r\nhello\r\n')), 200, 'he'],
  ['more than its length', saying(head('200 OK', ['content-length: 2'], 'ok and more')), 200, 'ok'],
  [
    'more after "connection: close"',
    saying(head('200 OK', ['content-length: 2', 'connection: close'], 'ok!')),
    200,
    'ok',
  ],
  ['a second answer', saying(head('200 OK', ['content-length: 2'], `ok${head('500 Oh', [])}`)), 200, 'ok'],
  ['no length, and an end', saying(head('200 OK', [], 'ok'), leave), 200, 'ok'],
  ['a length that is none', saying(head('200 OK', ['content-length: two'], 'ok')), 200, null],
  ['an empty length', saying(head('200 OK', ['content-length:'], 'ok')), 200, null],
  ['a length below nothing', saying(head('202 OK', ['content-length: -1'], 'ok')), 202, null],
  ['a length twice', saying(head('200 OK', ['content-length: 2', 'content-length: 2'], 'ok')), 200, null],
  ['length and chunks', saying(head('201 Created', ['content-length: 2', CHUNKED], '2\r\nok\r\n0\r\n\r\n')), 201, null],
  ['chunks and length', saying(head('200 OK', [CHUNKED, 'content-length: 2'], '2\r\nok\r\n0\r\n\r\n')), 200, null],
  [
    'hints, and then a length that is none',
    saying(`${head('103 Early Hints', ['link: </a>'])}${head('200 OK', ['content-length: two'], 'ok')}`),
    200,
    null,
  ],
  [
    'a length that is none, beyond a packet',
    saying(head('200 OK', [`x-long: ${'a'.repeat(2_000)}`, 'content-length: two'], 'ok')),
    200,
    null,
  ],
  [
    'a compressed body that is none',
    saying(head('200 OK', ['content-encoding: gzip', 'content-length: 4'], 'text')),
    200,
    'text',
  ],
  [
    'a compressed body that is cut off',
    saying(
      Buffer.concat([
        Buffer.from(head('200 OK', ['content-encoding: gzip', `content-length: ${GZIP.length}`])),
        GZIP.subarray(0, 5),
      ]),
      leave,
    ),
    200,
    null,
  ],
  ['an error without end', saying(head('500 Oh', [], 'trace'), (socket) => flood(socket, 'x')), 500, null],
  ['an error whose body never comes', saying(head('410 Gone', ['content-length: 10'])), 410, ''],
  ['a redirect whose body never comes', saying(head('302 Found', ['location: /', 'content-length: 9'])), 302, ''],
  [AGAIN, saying(head('503 Busy', ['retry-after: 7', 'content-length: 9'])), 503, ''],
  ['an error with a length that is none', saying(head('503 Busy', ['content-length: two'])), 503, null],
];

describe('an answer counts by its status', () => {
  const { hostAt, allClosed, stop } = rawHosts();
  let posted: Awaited<ReturnType<typeof post>>[];
  // At once, because some wait for a body that never comes.
  beforeAll(async () => {
    posted = await Promise.all(answers.map(async ([, answer]) => postTo(await hostAt(answer))));
    await stop();
  });
  afterEach(stop);

  test.each(answers.map(([name, , ...kept], i) => [name, i, ...kept] as const))('with %s', (_, i, status, response) => {
    expect(posted[i]).toMatchObject({ statusCode: status, error: null, ...(response !== null && { response }) });
  });

  test('and the time that it may be tried again', () => {
    expect(posted[answers.findIndex(([name]) => name === AGAIN)]).toMatchObject({ statusCode: 503, retryAfter: '7' });
  });

  longTest(
    'and its connection is closed before the time of the attempt is over, however slowly its body drips',
    async () => {
      const started = performance.now();
      const url = await hostAt(
        saying(head('200 OK', []), (socket) => {
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
      expect(performance.now() - started).toBeLessThan(PROMISED);
    },
  );

  longTest('when its head comes late, and the time of the attempt ends before its body', async () => {
    // Less than a body has after its head.
    const late = webhookPoster({ timeoutMs: 1_900, targets: 'any' });
    const url = await hostAt((socket) => void setTimeout(() => socket.write(head('200 OK', [], 'o')), 100));
    expect(await postTo(url, late)).toMatchObject({ statusCode: 200, error: null, response: 'o' });
  });

  test('but not when its head drips for longer than the attempt may take, whose connection is closed then', async () => {
    const brief = webhookPoster({ timeoutMs: 300, targets: 'any' });
    const url = await hostAt(
      saying('HTTP/1.1 200 OK\r\nx-slow: ', (socket) => {
        const drip = setInterval(() => socket.write('.'), 20);
        socket.on('close', () => clearInterval(drip));
      }),
    );
    expect(await postTo(url, brief)).toMatchObject({ statusCode: null, error: expect.stringMatching(/\.$/) });
    await allClosed();
  });

  test.each<[string, (socket: Socket) => void]>([
    ['a head that is cut off', saying('HTTP/1.1 200 OK\r\nserver: a\r\n', leave)],
    ['a head that is reset', saying('HTTP/1.1 200 OK\r\nserver: a\r\n', reset)],
    ['a status that is none', saying(head('20 OK', ['content-length: two']))],
    ['a line that is no header', saying(head('200 OK', ['no header at all']))],
    ['a length that is none, of something else than HTTP', saying(head('200 OK', ['content-length: two']).slice(1))],
    ['hints with a length that is none, and nothing else', saying(head('103 Hints', ['content-length: two']), leave)],
    ['a switch of protocols', saying(head('101 Switching', ['upgrade: h2c', 'connection: upgrade']), leave)],
  ])('but not with %s, which is no answer', async (_, answer) => {
    expect(await postTo(await hostAt(answer))).toMatchObject({ statusCode: null, error: expect.stringMatching(/\.$/) });
  });

  test('and delivers the event, or has it tried again', async () => {
    const world = await makeWorld({ startAt: Date.now() });
    const accepted = await hostAt(saying(head('204 No Content', [], 'hello')));
    const refused = await hostAt(saying(head('500 Oh', ['content-length: 9'], 'o'), reset));
    const business = await world.addBusiness([accepted, refused], 'live');
    await landEvents(world.deps, business.id, 1);
    const jobs: DeliveryJob[] = await world.takeJobs();
    for (const job of jobs) await deliverWebhook(world.deps, 'first', job);
    const kept = (await world.itemsOf('DLV#')).map(({ state, lastAttempt }) => ({ state, lastAttempt }));
    expect(kept).toEqual(
      expect.arrayContaining([
        { state: 'succeeded', lastAttempt: expect.objectContaining({ statusCode: 204, error: null }) },
        { state: 'pending', lastAttempt: expect.objectContaining({ statusCode: 500, error: null }) },
      ]),
    );
    expect(kept).toHaveLength(2);
  });
});
