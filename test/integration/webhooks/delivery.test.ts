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
import { createGate } from '#test/support/worlds/live-faults.ts';
import {
  answerWith,
  business,
  openMerchantForEachTest,
  payCheckouts,
  receiver,
  world,
} from '#test/support/worlds/test-merchant.ts';

describe('the delivery of a webhook', () => {
  // The verifying libraries use the real clock.
  openMerchantForEachTest({ world: { startAt: Date.now() } });
  let job: DeliveryJob;

  const stored = () => world.delivery();
  const deliver = (message = job) => deliverWebhook(world.deps, 'first', message);
  /** Returns the job that SQS would bring after its delay. */
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

  test('makes one attempt if 20 consumers have the same message', async () => {
    await Promise.all(Array.from({ length: 20 }, () => deliver()));
    expect(receiver.received).toHaveLength(1);
    expect(await stored()).toMatchObject({ state: 'succeeded', attempt: 1 });
  });

  longTest(
    'retries a failure after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, then hourly for 72 h, and is exhausted then',
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

  longTest('sends a retry to the queue with its delay, and the queue brings it back', async () => {
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
    ['sends a retry after 4.2 s to the queue with a delay of 5 s, so that it never comes early', {}, 4_200, [5]],
    [
      'sends a retry after 15 min, the longest delay of the queue, to the queue',
      { 'retry-after': '900' },
      900_000,
      [900],
    ],
    ['leaves a retry after 15 min and 1 s to the due-work index', { 'retry-after': '901' }, 901_000, []],
  ])('%s', async (_, headers, wait, delays) => {
    answerWith(503, headers);
    const sentDelays: (number | undefined)[] = [];
    const queue: typeof world.deps.queue = { send: async (...[, , seconds]) => void sentDelays.push(seconds) };
    await deliverWebhook({ ...world.deps, queue, draw: () => 0.1 }, 'first', job);
    expect(((await stored()).nextAttemptAt ?? 0) - world.clock.now()).toBe(wait);
    expect(sentDelays).toEqual(delays);
  });

  testRows([
    ['a redirect', 302, { location: 'http://127.0.0.1:1/elsewhere' }],
    ['a client error', 404, {}],
    ['a server error', 500, {}],
    ['a redirect that keeps the method', 308, { location: '/again' }],
  ])('counts %s as a failure and follows nothing', async (_, status, headers) => {
    answerWith(status, { ...headers });
    await deliver();
    expect(receiver.received).toHaveLength(1);
    expect(await stored()).toMatchObject({ state: 'pending', lastAttempt: { statusCode: status } });
  });

  testRows([200, 201, 202, 204, 299])('counts a %i as a success', async (status) => {
    answerWith(status);
    await deliver();
    expect(await stored()).toMatchObject({ state: 'succeeded', lastAttempt: { statusCode: status } });
  });

  test('reads an endless answer up to 1 KiB', async () => {
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

  test('fails after its time limit if the receiver never answers', async () => {
    receiver.answer(() => {});
    await deliverWebhook({ ...world.deps, post: webhookPoster({ timeoutMs: 400, targets: 'any' }) }, 'first', job);
    expect(await stored()).toMatchObject({ state: 'pending', lastAttempt: { error: 'No answer within 0.4 s.' } });
  });

  test('counts a refused connection as a failure', async () => {
    await receiver.stop();
    await deliver();
    expect(await stored()).toMatchObject({
      state: 'pending',
      lastAttempt: { statusCode: null, error: 'The request failed (ECONNREFUSED).' },
    });
  });

  test('starts an attempt with a new number after the lease of a crashed consumer has lapsed', async () => {
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
    const swept = await world.takeJob();
    expect(swept).toEqual({ ...job, attempt: 1, dueAt: world.clock.now() + 5 * MINUTE });
    await deliver(swept);
    expect(receiver.received).toHaveLength(1);
    expect(await stored()).toMatchObject({ state: 'succeeded', attempt: 2, lastAttempt: { number: 2 } });
  });

  test('makes one attempt if a sweep has sent a second message, and the other message is void', async () => {
    await world.sweepAfter(11_000);
    const swept = await world.takeJob();
    expect((await stored()).dueAt).toBe(world.clock.now() + 5 * MINUTE);
    let whileLeased: Delivery | undefined;
    const post: typeof world.deps.post = async (...args) => {
      whileLeased = await stored();
      await deliver(swept);
      return world.deps.post(...args);
    };
    await deliverWebhook({ ...world.deps, post }, 'first', job);
    expect(whileLeased?.dueAt).toBe(world.clock.now() + LEASE + SECOND);
    expect(world.loggedTimes('delivery_job_void')).toBe(1);
    expect(receiver.received).toHaveLength(1);
    expect(await stored()).toMatchObject({ state: 'succeeded', attempt: 1 });
  });

  test('keeps the result of the consumer that took over from a frozen one', async () => {
    const { open: thaw, opened: thawed } = createGate();
    const { open: begin, opened: begun } = createGate();
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

  test('keeps the gap before the retry if a failure is written after its lease ended, although the sweeper has sent a job by then', async () => {
    const { open: thaw, opened: thawed } = createGate();
    const { open: begin, opened: begun } = createGate();
    const post: typeof world.deps.post = async (...args) => {
      begin();
      await thawed;
      return world.deps.post(...args);
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
    // So late an answer marks the endpoint as slow. In test mode only the test lane makes attempts at a slow endpoint.
    await deliverWebhook(world.deps, 'test', swept);
    expect(receiver.received).toHaveLength(1);
    world.clock.advance(5_000);
    await deliverWebhook(world.deps, 'test', await nextJob());
    expect(receiver.received).toHaveLength(2);
  });

  test('does not post if the consumer freezes between lease and POST', async () => {
    const { deliveries } = world.deps;
    const apply: typeof deliveries.apply = async (key, transition) => {
      const after = await deliveries.apply(key, transition);
      world.clock.advance(LEASE);
      return after;
    };
    await deliverWebhook({ ...world.deps, deliveries: { ...deliveries, apply } }, 'first', job);
    expect(receiver.received).toHaveLength(0);
  });

  test('reports only the failed messages of a batch', async () => {
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

  test('logs an attempt without its body, secret or answer', async () => {
    receiver.answer((response) => response.writeHead(500).end('internal trace of the merchant'));
    await deliver();
    const [line] = world.loggedLines('delivery_attempted');
    expect(line).toMatchObject({ event_id: job.eventId, endpoint_id: job.endpointId, attempt: 1, status_code: 500 });
    const text = JSON.stringify(world.logged);
    for (const secret of ['whsec_', 'internal trace', 'sade.balogun']) expect(text).not.toContain(secret);
  });
});
