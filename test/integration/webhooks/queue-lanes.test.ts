import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { type DeliveryJob, deliveryJob, type Lane } from '#shared/webhooks/domain/delivery.ts';
import type { PostWebhook } from '#shared/webhooks/ports.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import { startSimulatedTime } from '#test/support/emulators/simulated-time.ts';
import { longTest } from '#test/support/jest/long.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import { deliverWebhooks } from '#test/support/worlds/handlers.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const LANES = ['first', 'retry', 'slow', 'test'] as const;

let receivers: Receiver[];
beforeEach(async () => {
  receivers = [await startReceiver(), await startReceiver()];
});
afterEach(() => Promise.all(receivers.map((receiver) => receiver.stop())));
const receiverUrl = (index: number): string => receivers[index]?.url ?? '';

describe('a slow endpoint in simulated time', () => {
  const start = async () => {
    const world = await makeWorld();
    const slow = await world.addBusiness([receiverUrl(0)], 'live');
    const quick = await world.addBusiness([receiverUrl(1)], 'live');
    /** The time that the first merchant takes to answer, in simulated time. */
    let answerTime = 0;
    const posts: { lane: Lane; slow: boolean; eventId: string }[] = [];
    const consumed: { lane: Lane; slow: boolean }[] = [];
    const isSlow = ({ endpointId }: DeliveryJob): boolean => endpointId === slow.endpoints[0]?.id;
    const time = startSimulatedTime(world, {
      consumers: 1,
      consume: ({ lane, job }) => {
        consumed.push({ lane, slow: isSlow(job) });
        const post: PostWebhook = async (request) => {
          posts.push({ lane, slow: isSlow(job), eventId: job.eventId });
          if (isSlow(job)) world.clock.advance(answerTime);
          return world.deps.post(request);
        };
        return deliverWebhook({ ...time.deps, post }, lane, job);
      },
    });
    const listLanes = ({ slow }: { slow: boolean }): Lane[] =>
      posts.filter((post) => post.slow === slow).map(({ lane }) => lane);
    return {
      world,
      time,
      posts,
      consumed,
      listLanes,
      setAnswerTime: (milliseconds: number): void => {
        answerTime = milliseconds;
      },
      land: async (count: number) => {
        await landEvents(time.deps, slow.id, count);
        await landEvents(time.deps, quick.id, count);
        await time.runUntil(world.clock.now() + SECOND);
      },
      wait: (milliseconds: number) => time.runUntil(world.clock.now() + milliseconds),
      breaker: () => world.deps.breakers.find(slow.endpoints[0]?.id ?? ''),
    };
  };

  test('gets its next deliveries through the slow queue after an attempt of more than five seconds', async () => {
    const { world, setAnswerTime, land, listLanes, consumed, wait, breaker } = await start();
    setAnswerTime(5 * SECOND);
    await land(1);
    expect(await breaker()).toBeUndefined();
    setAnswerTime(5 * SECOND + 1);
    await land(1);
    expect(await breaker()).toMatchObject({ state: 'closed', outage: null, slowUntil: expect.any(Number) });
    expect(listLanes({ slow: true })).toEqual(['first', 'first']);

    setAnswerTime(SECOND);
    await land(3);
    expect(listLanes({ slow: true })).toEqual(['first', 'first', 'slow', 'slow', 'slow']);
    // Each message passed the first queue once without an attempt, and the slow queue once.
    expect(consumed.filter(({ slow }) => slow).map(({ lane }) => lane)).toEqual([
      ...['first', 'first'],
      ...['first', 'first', 'first'],
      ...['slow', 'slow', 'slow'],
    ]);
    expect(listLanes({ slow: false })).toEqual(Array.from({ length: 5 }, () => 'first'));
    expect(new Set((await world.itemsOf('DLV#')).map(({ attempt, state }) => `${state} ${attempt}`))).toEqual(
      new Set(['succeeded 1']),
    );

    // The endpoint stays slow for ten minutes after its last slow attempt.
    await wait(11 * MINUTE);
    await land(2);
    expect(listLanes({ slow: true }).slice(5)).toEqual(['first', 'first']);
    expect(receivers[0]?.received).toHaveLength(7);
  });

  test('gets its retries and the jobs of the sweeper through the slow queue too', async () => {
    const { setAnswerTime, land, listLanes, wait, posts, world } = await start();
    receivers[0]?.answer((response) => response.writeHead(500).end());
    setAnswerTime(6 * SECOND);
    await land(1);
    await wait(4 * MINUTE);
    const lanes = listLanes({ slow: true });
    expect(lanes.length).toBeGreaterThanOrEqual(3);
    expect(lanes).toEqual(['first', ...lanes.slice(1).map(() => 'slow')]);
    receivers[0]?.answer((response) => response.writeHead(200).end());
    await wait(3 * HOUR);
    expect(new Set((await world.itemsOf('DLV#')).map(({ state }) => state))).toEqual(new Set(['succeeded']));
    expect(new Set(posts.filter((post) => post.slow).map(({ eventId }) => eventId)).size).toBe(1);
  });

  test('gets its message again later if the slow queue does not accept it', async () => {
    const { setAnswerTime, land, listLanes, wait, time } = await start();
    setAnswerTime(6 * SECOND);
    await land(1);
    const { queue } = time.deps;
    let isAway = true;
    const send: typeof queue.send = async (lane, ...rest) => {
      if (isAway && lane === 'slow') throw new Error('The queue is away.');
      await queue.send(lane, ...rest);
    };
    Object.assign(time.deps, { queue: { send } });
    await land(1);
    expect(listLanes({ slow: true })).toEqual(['first']);
    isAway = false;
    await wait(6 * MINUTE);
    expect(listLanes({ slow: true })).toEqual(['first', 'slow']);
    expect(receivers[0]?.received).toHaveLength(2);
  });
});

describe('the delivery queues in the emulator', () => {
  let world: World;
  let business: Awaited<ReturnType<World['addBusiness']>>;
  let proxy: FaultProxy;
  /** The group of each message. The test records it, because the emulator stores groups of FIFO queues only. */
  let groups: Map<string, string>;
  const sqs = new SQSClient();

  /** Takes the messages of one queue, with the group of each. */
  const receive = async (lane: Lane, waitSeconds = 0): Promise<{ job: DeliveryJob; group: string | undefined }[]> => {
    const QueueUrl = world.queueUrls[lane];
    const input = { QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: waitSeconds };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(input));
    await Promise.all(
      Messages.map(({ ReceiptHandle }) => sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))),
    );
    return Messages.map(({ Body = '' }) => ({
      job: deliveryJob.parse(JSON.parse(Body)),
      group: groups.get(`${lane} ${Body}`),
    }));
  };
  /** Lands an event. Its first endpoint answers 500. Returns the message for that endpoint. */
  const landAtFailing = async (): Promise<DeliveryJob> => {
    receivers[0]?.answer((response) => response.writeHead(500).end());
    await landEvents(world.deps, business.id, 1);
    const message = (await receive('first')).find(({ job }) => job.endpointId === business.endpoints[0]?.id);
    if (!message) throw new Error('The landing queued nothing for the first endpoint.');
    return message.job;
  };
  const lanesWithWork = async (): Promise<string[]> => {
    const lanes = await Promise.all(LANES.map(async (lane) => ((await receive(lane)).length > 0 ? [lane] : [])));
    return lanes.flat();
  };

  beforeEach(async () => {
    proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_SQS ?? '');
    groups = new Map();
    proxy.inject((operation, input) => {
      const { QueueUrl, Entries } = input as { QueueUrl: string; Entries: Record<string, string>[] };
      const lane = QueueUrl.slice(QueueUrl.lastIndexOf('-') + 1);
      expect(operation).toBe('SendMessageBatch');
      for (const { MessageBody, MessageGroupId = '' } of Entries) groups.set(`${lane} ${MessageBody}`, MessageGroupId);
      return undefined;
    });
    world = await makeWorld({ sqsEndpoint: proxy.endpoint });
    business = await world.addBusiness([receiverUrl(0), receiverUrl(1)], 'live');
  });
  afterEach(() => proxy.stop());

  test('hold first attempts in the first queue, grouped by endpoint', async () => {
    const [landed] = await landEvents(world.deps, business.id, 1);
    const got = await receive('first');
    expect(got.map(({ group }) => group).toSorted()).toEqual(business.endpoints.map(({ id }) => id).toSorted());
    for (const { job, group } of got) {
      expect(group).toBe(job.endpointId);
      expect(job).toMatchObject({ eventId: landed?.event.id, attempt: 0, redeliveries: 0 });
    }
    expect(await lanesWithWork()).toEqual([]);
  });

  longTest('hold retries in the retry queue, with their delay', async () => {
    const job = await landAtFailing();
    const sentAt = Date.now();
    await deliverWebhook({ ...world.deps, draw: () => 0 }, 'first', job);
    expect(await lanesWithWork()).toEqual([]);
    const dueAt = (await world.deps.deliveries.find(job))?.dueAt;
    expect(await receive('retry', 8)).toEqual([{ job: { ...job, attempt: 1, dueAt }, group: job.endpointId }]);
    expect(Date.now() - sentAt).toBeGreaterThanOrEqual(3_500);
    expect(await lanesWithWork()).toEqual([]);
  });

  test('get from the sweeper deliveries without an attempt in the first queue, and all other deliveries in the retry queue', async () => {
    const job = await landAtFailing();
    const silent = { send: async () => {} };
    await deliverWebhook({ ...world.deps, queue: silent }, 'first', job);
    await world.sweepAfter(MINUTE);
    const other = business.endpoints[1]?.id;
    const dueAt = world.clock.now() + 5 * MINUTE;
    expect(await receive('first')).toEqual([{ job: { ...job, endpointId: other, dueAt }, group: other }]);
    expect(await receive('retry')).toEqual([{ job: { ...job, attempt: 1, dueAt }, group: job.endpointId }]);
    expect(await receive('slow')).toEqual([]);
  });

  test('pass a slow endpoint’s message on to the slow queue, and the delivery is attempted only there', async () => {
    await landEvents(world.deps, business.id, 1);
    const lagging: PostWebhook = async (request) => {
      world.clock.advance(6 * SECOND);
      return world.deps.post(request);
    };
    const handler = deliverWebhooks({ ...world.deps, post: lagging }, world.queueUrls);
    const batch = async (lane: Lane, jobs: readonly DeliveryJob[]) =>
      handler({
        Records: jobs.map((job, i) => ({
          messageId: `${lane}-${i}`,
          body: JSON.stringify(job),
          eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${world.table.name}-${lane}`,
        })) as import('aws-lambda').SQSRecord[],
      });
    const isForFirst = ({ job }: { job: DeliveryJob }): boolean => job.endpointId === business.endpoints[0]?.id;
    const work = async (lane: Lane) => {
      const jobs = (await receive(lane)).filter(isForFirst).map(({ job }) => job);
      expect(jobs).toHaveLength(1);
      expect(await batch(lane, jobs)).toEqual({ batchItemFailures: [] });
      return jobs;
    };
    await work('first');
    expect(receivers[0]?.received).toHaveLength(1);

    await landEvents(world.deps, business.id, 1);
    const [second] = await work('first');
    expect(receivers[0]?.received).toHaveLength(1);
    const waiting = await receive('slow');
    expect(waiting).toEqual([{ job: second, group: business.endpoints[0]?.id }]);
    expect(await batch('retry', second ? [second] : [])).toEqual({ batchItemFailures: [] });
    expect(receivers[0]?.received).toHaveLength(1);
    await work('slow');
    expect(receivers[0]?.received).toHaveLength(2);
    expect(await lanesWithWork()).toEqual([]);
  });
});
