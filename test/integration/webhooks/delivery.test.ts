import OpenAI from 'openai';
import { Webhook } from 'standardwebhooks';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { type Delivery, type DeliveryJob, toDeliveryJob } from '#shared/webhooks/domain/delivery.ts';
import { LEASE } from '#shared/webhooks/domain/delivery-transitions.ts';
import { deliverWebhooksEnv, queueUrls } from '#shared/webhooks/env.ts';
import { webhookPoster } from '#shared/webhooks/http-out/webhook-poster.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import { deliverWebhooks } from '#test/support/worlds/handlers.ts';
import { gate } from '#test/support/worlds/live-faults.ts';
import {
  answerWith,
  business,
  openMerchantForEachTest,
  payCheckouts,
  receiver,
  world,
} from '#test/support/worlds/test-merchant.ts';

describe('delivery', () => {
  // The verifying libraries look at the real clock.
  openMerchantForEachTest({ world: { startAt: Date.now() } });
  let job: DeliveryJob;

  const stored = () => world.delivery();
  const deliver = (given = job) => deliverWebhook(world.deps, 'first', given);
  /** What SQS would bring next, had its delay passed. */
  const nextJob = async (): Promise<DeliveryJob> => toDeliveryJob(await stored());
  const untilDelivering = async (): Promise<void> => {
    while ((await stored()).state !== 'delivering') await new Promise((resolve) => setTimeout(resolve, 5));
  };

  beforeEach(async () => {
    await payCheckouts(1);
    job = await world.takeJob();
  });

  test('posts the stored bytes, signed so that two independent libraries accept them', async () => {
    await deliver();
    const [event] = await world.itemsOf('EVT');
    const [got] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    expect(got?.body).toBe(event?.body);
    expect(got?.headers).toMatchObject({
      'webhook-id': job.eventId,
      'webhook-timestamp': String(Math.floor(world.clock.now() / 1_000)),
      'content-type': 'application/json',
    });
    expect(await stored()).toMatchObject({
      state: 'succeeded',
      attempt: 1,
      dueAt: null,
      lastAttempt: { number: 1, statusCode: 200, error: null, response: 'ok' },
    });

    const secret = business.secrets[0] ?? '';
    const headers = got?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(got?.body ?? '', headers)).toMatchObject({ type: 'checkout.paid' });
    await new OpenAI({ apiKey: 'unused' }).webhooks.verifySignature(got?.body ?? '', headers, secret);
    expect(() => new Webhook(secret).verify(`${got?.body} `, headers)).toThrow();
  });

  test('20 consumers with the same message make one attempt', async () => {
    await Promise.all(Array.from({ length: 20 }, () => deliver()));
    expect(receiver.received).toHaveLength(1);
    expect(await stored()).toMatchObject({ state: 'succeeded', attempt: 1 });
  });

  longTest(
    'a failure is tried again after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, then hourly for 72 h, and is exhausted',
    async () => {
      receiver.answer((response) => response.writeHead(500).end('database is down'));
      const gaps: number[] = [];
      const firstAt = world.clock.now();
      for (;;) {
        await deliver(await nextJob());
        const after = await stored();
        if (after.state !== 'pending') break;
        gaps.push(((after.nextAttemptAt ?? 0) - world.clock.now()) / 1_000);
        world.clock.advance((after.nextAttemptAt ?? 0) - world.clock.now());
      }
      expect(gaps.slice(0, 7)).toEqual([5, 30, 120, 600, 1_800, 3_600, 3_600]);
      expect(new Set(gaps.slice(7))).toEqual(new Set([3_600]));
      expect(world.clock.now() - firstAt).toBeGreaterThan(71 * 3_600_000);
      expect(world.clock.now() - firstAt).toBeLessThanOrEqual(72 * 3_600_000);
      expect(await stored()).toMatchObject({ state: 'exhausted', attempt: 77, dueAt: null, nextAttemptAt: null });
      expect(receiver.received).toHaveLength(77);
      expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(77);
      expect(await world.itemsOf('ATT#')).toHaveLength(77);
    },
  );

  longTest('the retry travels on the queue with its delay, and arrives by itself', async () => {
    answerWith(503);
    await deliverWebhook({ ...world.deps, draw: () => 0 }, 'first', job);
    answerWith(200);
    const deadline = Date.now() + 60_000;
    let jobs: DeliveryJob[] = [];
    while (jobs.length === 0 && Date.now() < deadline) jobs = await world.takeJobs();
    expect(jobs).toEqual([{ ...job, attempt: 1, dueAt: (await stored()).dueAt }]);
    world.clock.advance(5_000);
    await deliver(jobs[0]);
    expect(await stored()).toMatchObject({ state: 'succeeded', attempt: 2 });
  });

  test.each<[string, Record<string, string>, number, number[]]>([
    ['4.2 s goes to the queue with 5: it never comes before its time', {}, 4_200, [5]],
    ['15 min goes to the queue, which holds no more', { 'retry-after': '900' }, 900_000, [900]],
    ['a second longer waits in the due-work index alone', { 'retry-after': '901' }, 901_000, []],
  ])('a retry that waits %s', async (_, headers, wait, delays) => {
    answerWith(503, headers);
    const asked: (number | undefined)[] = [];
    const queue: typeof world.deps.queue = { send: async (...[, , seconds]) => void asked.push(seconds) };
    await deliverWebhook({ ...world.deps, queue, draw: () => 0.1 }, 'first', job);
    expect(((await stored()).nextAttemptAt ?? 0) - world.clock.now()).toBe(wait);
    expect(asked).toEqual(delays);
  });

  testRows([
    ['a redirect', 302, { location: 'http://127.0.0.1:1/elsewhere' }],
    ['a client error', 404, {}],
    ['a server error', 500, {}],
    ['a redirect that keeps the method', 308, { location: '/again' }],
  ])('%s is a failure and is not followed', async (_, status, headers) => {
    answerWith(status, { ...headers });
    await deliver();
    expect(receiver.received).toHaveLength(1);
    expect(await stored()).toMatchObject({ state: 'pending', lastAttempt: { statusCode: status } });
  });

  testRows([200, 201, 202, 204, 299])('%i is success', async (status) => {
    answerWith(status);
    await deliver();
    expect(await stored()).toMatchObject({ state: 'succeeded', lastAttempt: { statusCode: status } });
  });

  test('an endless answer is read to 1 KiB and no further', async () => {
    receiver.answer((response) => {
      response.writeHead(200);
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(4_096), () => setImmediate(more));
      };
      more();
    });
    await deliver();
    const after = await stored();
    expect(after.state).toBe('succeeded');
    expect(after.lastAttempt?.response).toBe('x'.repeat(1_024));
  });

  test('a receiver that never answers is cut off when the time is up', async () => {
    receiver.answer(() => {});
    await deliverWebhook({ ...world.deps, post: webhookPoster({ timeoutMs: 400, targets: 'any' }) }, 'first', job);
    expect(await stored()).toMatchObject({ state: 'pending', lastAttempt: { error: 'No answer within 0.4 s.' } });
  });

  test('a receiver that refuses the connection is a failure like any other', async () => {
    await receiver.stop();
    await deliver();
    expect(await stored()).toMatchObject({
      state: 'pending',
      lastAttempt: { statusCode: null, error: 'The request failed (ECONNREFUSED).' },
    });
  });

  test('a consumer that crashes after it started an attempt: the lease lapses and the next attempt has a new number', async () => {
    const dying = { ...world.deps, post: () => new Promise<never>(() => {}) };
    void deliverWebhook(dying, 'first', job);
    await untilDelivering();
    await deliver();
    expect(receiver.received).toHaveLength(0);

    const { dueAt } = await stored();
    await world.sweepAfter((dueAt ?? 0) - world.clock.now() + 1);
    expect(await world.takeJobs()).toEqual([]);
    await world.sweepAfter(((await stored()).leaseUntil ?? 0) + SECOND - world.clock.now());
    expect(await world.takeJobs()).toEqual([]);
    await world.sweepAfter(1);
    const brought = await world.takeJob();
    expect(brought).toEqual({ ...job, attempt: 1, dueAt: world.clock.now() + 5 * MINUTE });
    await deliver(brought);
    expect(receiver.received).toHaveLength(1);
    expect(await stored()).toMatchObject({ state: 'succeeded', attempt: 2, lastAttempt: { number: 2 } });
  });

  test('a message that comes after a sweep has sent another leases the delivery until the end of its attempt, and the other is void', async () => {
    await world.sweepAfter(11_000);
    const swept = await world.takeJob();
    expect((await stored()).dueAt).toBe(world.clock.now() + 5 * MINUTE);
    let whileLeased: Delivery | undefined;
    const post: typeof world.deps.post = async (...given) => {
      whileLeased = await stored();
      await deliver(swept);
      return world.deps.post(...given);
    };
    await deliverWebhook({ ...world.deps, post }, 'first', job);
    expect(whileLeased?.dueAt).toBe(world.clock.now() + LEASE + SECOND);
    expect(world.loggedTimes('delivery_job_void')).toBe(1);
    expect(receiver.received).toHaveLength(1);
    expect(await stored()).toMatchObject({ state: 'succeeded', attempt: 1 });
  });

  test('a consumer that was frozen cannot overwrite the result of the one that took over', async () => {
    const { open: thaw, opened: thawed } = gate();
    const { open: begin, opened: begun } = gate();
    const post: typeof world.deps.post = async () => {
      begin();
      await thawed;
      return { statusCode: 500, error: null, response: '', retryAfter: null };
    };
    const frozen = deliverWebhook({ ...world.deps, post }, 'first', job);
    await begun;
    world.clock.advance(LEASE + 1);
    await deliver({ ...job, attempt: 1 });
    expect(await stored()).toMatchObject({ state: 'succeeded', attempt: 2 });
    thaw();
    await frozen;
    const lastAttempt = { number: 2, statusCode: 200 };
    expect(await stored()).toMatchObject({ state: 'succeeded', attempt: 2, lastAttempt });
    expect(world.loggedTimes('delivery_result_void')).toBe(1);
  });

  test('a failure that is written after its lease lapsed: the sweeper’s job for the lapsed lease does not shorten the gap', async () => {
    const { open: thaw, opened: thawed } = gate();
    const { open: begin, opened: begun } = gate();
    const post: typeof world.deps.post = async (...given) => {
      begin();
      await thawed;
      return world.deps.post(...given);
    };
    answerWith(503);
    const frozen = deliverWebhook({ ...world.deps, post }, 'first', job);
    await begun;
    await world.sweepAfter(LEASE + 2_000);
    const swept = await world.takeJob();
    expect(swept).toEqual({ ...job, attempt: 1, dueAt: world.clock.now() + 5 * MINUTE });
    thaw();
    await frozen;
    expect(await stored()).toMatchObject({ state: 'pending', attempt: 1, nextAttemptAt: world.clock.now() + 5_000 });
    // So late an answer makes its endpoint a slow one.
    await deliverWebhook(world.deps, 'test', swept);
    expect(receiver.received).toHaveLength(1);
    world.clock.advance(5_000);
    await deliverWebhook(world.deps, 'test', await nextJob());
    expect(receiver.received).toHaveLength(2);
  });

  test('a consumer that freezes between lease and POST does not post late', async () => {
    const { deliveries } = world.deps;
    const apply: typeof deliveries.apply = async (at, transition) => {
      const after = await deliveries.apply(at, transition);
      world.clock.advance(LEASE);
      return after;
    };
    await deliverWebhook({ ...world.deps, deliveries: { ...deliveries, apply } }, 'first', job);
    expect(receiver.received).toHaveLength(0);
  });

  test('a batch reports only the messages that failed', async () => {
    const handler = deliverWebhooks(world.deps, queueUrls(deliverWebhooksEnv.parse(process.env)));
    const record = (messageId: string, body: string) =>
      ({ messageId, body, eventSourceARN: 'arn:aws:sqs:us-east-1:0:first' }) as import('aws-lambda').SQSRecord;
    const answer = await handler({
      Records: [
        record('good', JSON.stringify(job)),
        record('not-json', '{'),
        record('not-a-job', JSON.stringify({ eventId: 'x' })),
        record('outdated', JSON.stringify({ ...job, redeliveries: 7 })),
      ],
    });
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'not-json' }, { itemIdentifier: 'not-a-job' }] });
    expect(receiver.received).toHaveLength(1);
  });

  test('an attempt is logged with its facts, and without body, secret or answer', async () => {
    receiver.answer((response) => response.writeHead(500).end('internal trace of the merchant'));
    await deliver();
    const [line] = world.loggedLines('delivery_attempted');
    expect(line).toMatchObject({ event_id: job.eventId, endpoint_id: job.endpointId, attempt: 1, status_code: 500 });
    const text = JSON.stringify(world.logged);
    for (const secret of ['whsec_', 'internal trace', 'sade.balogun']) expect(text).not.toContain(secret);
  });
});
