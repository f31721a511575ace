import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from '#test/bench/statistics.ts';
import { type Attempt, ms } from './attempt.ts';
import { flood, formatStatusCounts } from './requests.ts';
import { type Business, startTarget, type Target, type TargetOptions } from './target.ts';

/** Turns rate limits off: the shops' traffic is no part of the attack. */
const RATE_LIMITS = JSON.stringify({ live: 0, test: 0, publicAddress: 0 });
const PAYMENTS = 20;
const TEST_EVENTS = 100;
/** The number of payments to a failing endpoint, and of recovery requests for them. */
const PARKED = 300;
const RECOVERIES = 20;
const SETTLES_MS = 10_000;
const INFORMATIONAL = 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n'.repeat(100);

/** Starts a receiver on loopback. The attacker chooses how it answers. */
const startReceiver = async (answer: (socket: Socket) => void) => {
  const posts: { at: number; body: string }[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (end === -1 || Buffer.byteLength(received.slice(end + 4)) < length) return;
      posts.push({ at: performance.now(), body: received.slice(end + 4) });
      received = '';
      answer(socket);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    posts,
    stop: () => void server.close(),
  };
};

const answerOk = (socket: Socket): void => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
const answerError = (socket: Socket): void =>
  void socket.write('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n');
/** Sends informational answers without end. */
const answerForever = (socket: Socket): void => {
  const more = (): void => {
    while (socket.writable && socket.write(INFORMATIONAL));
  };
  socket.on('drain', more);
  more();
};

const listenAt = async ({ ask }: Target, business: Business, url: string): Promise<string> => {
  const key = business.key('secret', 'test');
  const { status, json } = await ask({ method: 'POST', path: '/api/v1/webhook-endpoints', key, body: { url } });
  if (status !== 201) throw new Error(`The endpoint was not created: ${status}.`);
  return json.data.id;
};

/** Makes one payment. Returns its checkout's reference and the time at which it landed. */
const makePayment = async ({ ask }: Target, business: Business): Promise<{ reference: string; at: number }> => {
  const key = business.key('secret', 'test');
  const body = { amount: 8_500, payer_email: 'ngozi.eze@example.com' };
  const { json } = await ask({ method: 'POST', path: '/api/v1/checkout/initialize', key, body });
  const { reference } = json.data;
  await ask({ method: 'POST', path: '/api/v1/checkout/sandbox/simulate', key, body: { reference } });
  return { reference, at: performance.now() };
};

/** Measures how long the neighbour waits for each payment's webhook, in milliseconds. */
const measureNeighbourWaits = async (
  target: Target,
  posts: readonly { at: number; body: string }[],
): Promise<number[]> => {
  const paid: { reference: string; at: number }[] = [];
  for (let i = 0; i < PAYMENTS; i++) paid.push(await makePayment(target, target.neighbour));
  await wait(SETTLES_MS);
  return paid.map(({ reference, at }) => {
    const post = posts.find(({ body }) => body.includes(reference));
    return post === undefined ? Number.POSITIVE_INFINITY : Math.max(0, post.at - at);
  });
};

const formatWaits = (waits: readonly number[]): string => {
  const lost = waits.filter((waitMs) => !Number.isFinite(waitMs)).length;
  const arrived = waits.filter(Number.isFinite);
  return `p50 ${ms(percentile(arrived, 50))}, most ${ms(Math.max(...arrived))}${lost > 0 ? `, not within 10 s: ${lost}` : ''}`;
};

const delayNeighbour = async (target: Target): Promise<Attempt> => {
  const [good, bad] = [await startReceiver(answerOk), await startReceiver(answerForever)];
  await listenAt(target, target.neighbour, good.url);
  await listenAt(target, target.attacker, bad.url);
  const alone = await measureNeighbourWaits(target, good.posts);
  await flood(PAYMENTS, async () => {
    await makePayment(target, target.attacker);
    return { status: 200, ms: 0, json: undefined };
  });
  const beside = await measureNeighbourWaits(target, good.posts);
  for (const started of [good, bad]) started.stop();
  return {
    door: '3 webhooks',
    attempt: `an endpoint that sends informational answers without end, ${PAYMENTS} events`,
    cost: `${bad.posts.length} posts received`,
    harm: `a neighbour waits: alone ${formatWaits(alone)}; beside it ${formatWaits(beside)}`,
  };
};

const amplify = async (target: Target): Promise<Attempt> => {
  const bad = await startReceiver(answerError);
  const id = await listenAt(target, target.attacker, bad.url);
  await makePayment(target, target.attacker);
  const key = target.attacker.key('secret', 'test');
  await wait(1_000);
  const before = bad.posts.length;
  target.takeCosts();
  const answers = await flood(TEST_EVENTS, () =>
    target.ask({ method: 'POST', path: `/api/v1/webhook-endpoints/${id}/test`, key }),
  );
  await wait(SETTLES_MS);
  const { reads, writes } = target.takeCosts();
  bad.stop();
  return {
    door: '3 webhooks',
    attempt: `${TEST_EVENTS} test events to an endpoint that fails`,
    cost: formatStatusCounts(answers),
    harm: `${bad.posts.length - before} posts in 10 s; ${reads} reads and ${writes} writes of the table`,
  };
};

/** Parks deliveries: makes payments for a failing endpoint, whose breaker soon opens. */
const parkMany = async (target: Target): Promise<string> => {
  const bad = await startReceiver(answerError);
  const id = await listenAt(target, target.attacker, bad.url);
  await flood(PARKED, async () => {
    await makePayment(target, target.attacker);
    return { status: 200, ms: 0, json: undefined };
  });
  await wait(SETTLES_MS);
  bad.stop();
  return id;
};

const recoverRepeatedly = async (target: Target, id: string): Promise<Attempt> => {
  const key = target.attacker.key('secret', 'test');
  const body = { since: '2026-01-01T00:00:00Z' };
  const recover = () => target.ask({ method: 'POST', path: `/api/v1/webhook-endpoints/${id}/recover`, key, body });
  const answers: Awaited<ReturnType<typeof recover>>[] = [];
  target.takeCosts();
  for (let i = 0; i < RECOVERIES / 2; i++) answers.push(await recover());
  answers.push(...(await Promise.all(Array.from({ length: RECOVERIES / 2 }, recover))));
  const { reads, writes } = target.takeCosts();
  return {
    door: '3 webhooks',
    attempt: `${RECOVERIES} recoveries of ${PARKED} parked deliveries, half of them at once`,
    cost: formatStatusCounts(answers),
    harm: `${reads} reads and ${writes} writes of the table`,
  };
};

const listByStatus = async (target: Target): Promise<Attempt> => {
  const key = target.attacker.key('secret', 'test');
  target.takeCosts();
  const { status, ms: took } = await target.ask({ path: '/api/v1/events?delivery_status=cancelled&limit=1', key });
  const { reads, writes } = target.takeCosts();
  return {
    door: '3 webhooks',
    attempt: `one list of events by a delivery status that none has, of ${PARKED} events`,
    cost: `${status}, ${ms(took)}`,
    harm: `${reads} reads and ${writes} writes of the table`,
  };
};

/** Attacks the deliveries of others, as a business whose endpoint misbehaves. */
export const attackWebhooks = async (options: TargetOptions): Promise<Attempt[]> => {
  const target = await startTarget({ ...options, env: { RATE_LIMITS } });
  try {
    const attempts = [await delayNeighbour(target), await amplify(target)];
    const id = await parkMany(target);
    return [...attempts, await recoverRepeatedly(target, id), await listByStatus(target)];
  } finally {
    await target.stop();
  }
};
