import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import { type Delivery, type DeliveryJob, delivery } from '#shared/domain/webhooks/delivery.ts';
import { LEASE } from '#shared/domain/webhooks/delivery-transitions.ts';
import { landEvents } from '#test/support/engines/moved-queue-events.ts';
import { batchOf, runFunction } from '#test/support/worlds/function-process.ts';
import { deliverWebhook, sweepDueWork } from '#test/support/worlds/functions.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

/** What api-decisions.md section 5 promises a merchant for his answer: not read from the code that is held to it. */
const PROMISED = 15_000;

describe('the time of an attempt', () => {
  let receiver: Receiver;
  const open: { stop: () => Promise<void> }[] = [];
  beforeEach(async () => {
    receiver = await startReceiver();
    open.push(receiver);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.stop()));
  });

  /** A server that takes a connection and never says a word, not even to a TLS handshake. */
  const mute = async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.resume();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push({ stop: async () => void server.close() });
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  };

  /** Runs the composed function, as it is deployed, in a process of its own that keeps real time. */
  const deliver = (world: World, jobs: readonly DeliveryJob[]): Promise<string[]> => {
    const queueOf = (lane: string) => `${process.env.AWS_ENDPOINT_URL_SQS}/000000000000/${world.table.name}-${lane}`;
    const queues = { RETRY_QUEUE_URL: queueOf('retry'), SLOW_QUEUE_URL: queueOf('slow') };
    return runFunction('deliver-webhooks', batchOf(jobs), { ...queues, TABLE_NAME: world.table.name });
  };

  test('is 15 s in the composed function, connection included, and within its lease', async () => {
    const world = await makeWorld({ startAt: Date.now() });
    const patient = await startReceiver();
    const trickling = await startReceiver();
    open.push(patient, trickling);
    patient.answer((response) => void setTimeout(() => response.writeHead(200).end('late'), PROMISED - 1_000));
    trickling.answer((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 100);
      response.on('close', () => clearInterval(timer));
    });
    receiver.answer(() => {});
    const urls = { patient: patient.url, silent: receiver.url, trickling: trickling.url, mute: await mute() };
    const business = await world.addBusiness(Object.values(urls));
    await landEvents(world.deps, business.id, 1);
    const stored = async (): Promise<Record<string, Delivery>> => {
      const found = (await world.itemsOf('DLV#')).map((item) => delivery.parse(item));
      const names = Object.keys(urls);
      const nameOf = (id: string): string => names[business.endpoints.findIndex((one) => one.id === id)] ?? id;
      return Object.fromEntries(found.map((one) => [nameOf(one.endpointId), one]));
    };

    let ended = false;
    const ran = deliver(world, await world.takeJobs('first')).finally(() => {
      ended = true;
    });
    let claimed = await stored();
    while (!ended && Object.values(claimed).some(({ state }) => state !== 'delivering')) claimed = await stored();
    const printed = await ran;
    const after = await stored();

    expect(after.patient).toMatchObject({ state: 'succeeded', lastAttempt: { statusCode: 200, response: 'late' } });
    for (const name of ['silent', 'trickling', 'mute']) {
      const { state, lastAttempt } = after[name] as Delivery;
      expect([name, state, lastAttempt?.error]).toEqual([name, 'pending', 'No answer within 15 s.']);
      // A timer may ring a millisecond early by the clock.
      expect(lastAttempt?.durationMs).toBeGreaterThanOrEqual(PROMISED - 1);
    }
    for (const [name, { lastAttempt }] of Object.entries(after)) {
      // Time is left to write the result, even where posting began some seconds after the claim.
      const leaseUntil = claimed[name]?.leaseUntil ?? 0;
      expect(leaseUntil - (lastAttempt?.at ?? 0)).toBeGreaterThan(PROMISED);
    }
    // What operations see comes from the composed function as well: four attempts, by line and by metric.
    const lines = printed.map((line) => JSON.parse(line));
    const attempted = lines.filter(({ event }) => event === 'delivery_attempted');
    expect(attempted.map(({ milliseconds }) => milliseconds).toSorted()).toEqual(
      Object.values(after)
        .map(({ lastAttempt }) => lastAttempt?.durationMs)
        .toSorted(),
    );
    const fields =
      'time level message event event_id event_type endpoint_id attempt status_code milliseconds error succeeded';
    for (const line of attempted) expect(Object.keys(line)).toEqual(fields.split(' '));
    expect(lines.filter((line) => line.first_attempt_lag !== undefined)).toHaveLength(4);
    expect(lines.filter((line) => line.delivery_lag !== undefined)).toHaveLength(1);
  });

  describe('under the moved clock', () => {
    let world: World;
    let job: DeliveryJob;
    beforeEach(async () => {
      world = await makeWorld();
      const business = await world.addBusiness([receiver.url]);
      await landEvents(world.deps, business.id, 1);
      [job] = (await world.takeJobs('first')) as [DeliveryJob];
    });
    const stored = async (): Promise<Delivery> => delivery.parse((await world.itemsOf('DLV#'))[0]);
    /** What sweeper and queue would bring until then. */
    const bring = async (): Promise<readonly DeliveryJob[]> => {
      await sweepDueWork(world.deps, Number.POSITIVE_INFINITY);
      return world.takeJobs();
    };

    test('is covered by the lease: nobody else posts before it is over and its result has had 5 s to be written', async () => {
      let rivals: Promise<unknown> = Promise.resolve();
      receiver.answer((response) => {
        world.clock.advance(PROMISED + 5_000);
        const brought = bring();
        rivals = brought
          .then((jobs) =>
            Promise.all([...jobs, job, { ...job, attempt: 1 }].map((one) => deliverWebhook(world.deps, 'retry', one))),
          )
          .then(() => response.writeHead(200).end());
      });
      await deliverWebhook(world.deps, 'first', job);
      await rivals;
      expect(receiver.received).toHaveLength(1);
      expect(await stored()).toMatchObject({ state: 'succeeded', attempt: 1, lastAttempt: { statusCode: 200 } });
      expect(world.logged.map(({ event }) => event)).not.toContain('delivery_result_void');
    });

    /** A consumer that is frozen between its claim and its POST, until so much of its lease is left. */
    const wakeWith = (left: number): Promise<void> => {
      const { deliveries } = world.deps;
      const apply: typeof deliveries.apply = async (at, transition) => {
        const after = await deliveries.apply(at, transition);
        if (after?.state === 'delivering') world.clock.advance(after.leaseUntil - left - world.clock.now());
        return after;
      };
      return deliverWebhook({ ...world.deps, deliveries: { ...deliveries, apply } }, 'first', job);
    };

    test.each([
      ['an attempt', PROMISED],
      ['a second less than an attempt', PROMISED - SECOND],
      ['a millisecond', 1],
      ['nothing', 0],
    ])('a consumer that wakes with %s left of its lease does not post; whoever takes over does', async (_, left) => {
      await wakeWith(left);
      expect(receiver.received).toHaveLength(0);
      expect(await stored()).toMatchObject({ state: 'delivering', attempt: 1, lastAttempt: null });
      expect(world.logged.map(({ event }) => event)).toEqual(['delivery_result_void']);
      expect(await bring()).toEqual([]);

      world.clock.advance(LEASE + MINUTE);
      const brought = await bring();
      expect(brought).toEqual([{ ...job, attempt: 1 }]);
      for (const one of brought) await deliverWebhook(world.deps, 'retry', one);
      expect(receiver.received).toHaveLength(1);
      expect(await stored()).toMatchObject({ state: 'succeeded', attempt: 2, lastAttempt: { number: 2 } });
    });

    test('a consumer that wakes with more than an attempt left posts', async () => {
      await wakeWith(PROMISED + 1);
      expect(receiver.received).toHaveLength(1);
      expect(await stored()).toMatchObject({ state: 'succeeded', attempt: 1 });
    });
  });
});
