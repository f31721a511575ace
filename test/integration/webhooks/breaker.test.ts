import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { nextBreaker } from '#shared/webhooks/domain/breaker-transitions.ts';
import { toDeliveryJob } from '#shared/webhooks/domain/delivery.ts';
import { redeliver } from '#shared/webhooks/domain/delivery-transitions.ts';
import { eventKey } from '#shared/webhooks/store/keys.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import {
  countByMinute,
  limitInMinute,
  listIds,
  type ReceivedWebhook,
} from '#test/support/emulators/simulated-merchant.ts';
import { longTest } from '#test/support/jest/long.ts';
import { setUpBreakerScene } from '#test/support/worlds/breaker-scene.ts';
import { sweepDueWork } from '#test/support/worlds/functions.ts';
import { createDeath } from '#test/support/worlds/live-faults.ts';

describe('the breaker of an endpoint', () => {
  const { scene, start, startFailing, until, pass, land, landAtOnce, endpointId, breaker, canary, states, deliveryOf } =
    setUpBreakerScene();

  longTest('limits parked deliveries that are due daily to the rate of a drain', async () => {
    // Without jitter the canary is tried 42 min 35 s past each hour. The 150 deliveries are parked two minutes after that, and are due a day
    // later: just after the drain has begun.
    await start();
    scene.merchant.answerWith(500);
    await land(5);
    await until(44 * MINUTE + 30 * SECOND);
    await landAtOnce(150);
    await until(DAY + 30 * MINUTE);
    const receivedBefore = scene.merchant.received.length;
    scene.merchant.answerWith(200);
    await until(DAY + HOUR);
    expect(scene.merchant.received).toHaveLength(receivedBefore + 155);
    const [, ...drained] = scene.merchant.listAccepted();
    countByMinute(drained, drained[0]?.at ?? 0).forEach((count, minute) => {
      expect(count).toBeLessThanOrEqual(limitInMinute(minute));
    });
  });

  test('delays deliveries by minutes, not by a day, if a sweeper crashes in the last step of a drain', async () => {
    let dies = false;
    const sweep = async (): Promise<void> => {
      if (!dies) return sweepDueWork(scene.time.deps, Number.POSITIVE_INFINITY);
      dies = false;
      // The sweeper has written the step, and crashes before it releases the first delivery.
      const { die, dead } = createDeath();
      const deliveries = { ...scene.time.deps.deliveries, apply: die };
      void sweepDueWork({ ...scene.time.deps, deliveries }, Number.POSITIVE_INFINITY);
      await dead;
    };
    await start({ sweep });
    scene.merchant.answerWith(500);
    const landed = await land(5);
    await until(MINUTE);
    landed.push(...(await land(30)));
    await until(12 * MINUTE);
    scene.merchant.answerWith(200);
    await until(12 * MINUTE + 40 * SECOND);
    expect(await breaker()).toMatchObject({ state: 'draining' });
    expect(scene.merchant.listAccepted()).toHaveLength(1);
    dies = true;
    await until(30 * MINUTE);
    expect(dies).toBe(false);
    expect(scene.merchant.acceptedIds()).toEqual(listIds(landed));
  });

  longTest(
    'takes a step of a drain with every sweep, although slow successes change the breaker during the sweep',
    async () => {
      await start();
      scene.merchant.answerWith(500);
      await land(5);
      await until(MINUTE);
      await landAtOnce(220, { parked: true });
      await until(10 * MINUTE);
      const { breakers, deliveries } = scene.time.deps;
      const nextToDrain: typeof deliveries.nextToDrain = async (...args) => {
        const parked = await deliveries.nextToDrain(...args);
        scene.world.clock.advance(200);
        const current = await breakers.find(endpointId());
        const answered = { endedAt: scene.world.clock.now(), durationMs: 6_000, statusCode: 200 };
        const slow = { eventId: first, isRetry: false, ...answered };
        const concurrent = current && nextBreaker(current, { kind: 'attempt_succeeded', attempt: slow });
        if (concurrent) await breakers.save(concurrent);
        return parked;
      };
      const [first = ''] = listIds(await land(1));
      Object.assign(scene.time.deps, { deliveries: { ...deliveries, nextToDrain } });
      scene.merchant.answerWith(200);
      await until(30 * MINUTE);
      const [, ...drained] = scene.merchant.listAccepted();
      expect(countByMinute(drained, drained[0]?.at ?? 0).slice(0, 3)).toEqual([60, 120, 45]);
    },
  );

  longTest('parks the remaining deliveries again if the endpoint fails during a drain, and loses nothing', async () => {
    await start();
    scene.merchant.answerWith(500);
    const landed = await land(5);
    await until(MINUTE);
    landed.push(...(await land(150)));
    await until(30 * MINUTE);
    scene.merchant.answerWith(200);
    while ((await breaker())?.state !== 'draining') await pass(MINUTE);
    await pass(MINUTE);
    const drainedBefore = scene.merchant.listAccepted().length;
    expect(drainedBefore).toBeGreaterThanOrEqual(50);
    scene.merchant.answerWith(500);
    const before = scene.merchant.received.length;
    await pass(10 * MINUTE);
    expect((await breaker())?.state).toBe('open');
    // These are the attempts that ran at the time, and the new canary's first tries.
    expect(scene.merchant.received.length - before).toBeLessThanOrEqual(10 + 10);
    scene.merchant.answerWith(200);
    await pass(2 * HOUR);
    expect(scene.merchant.acceptedIds()).toEqual(listIds(landed));
  });

  describe('a canary', () => {
    const distinct = (got: readonly ReceivedWebhook[]) => new Set(got.map(({ eventId }) => eventId)).size;
    /** Expects that other deliveries probe at a low rate, and that after the recovery every delivery except `lost` arrives once. */
    const expectReplaced = async (lost: readonly string[]): Promise<void> => {
      const since = scene.world.clock.now();
      expect(await canary()).toMatch(/^evt_/);
      expect(await canary()).not.toBe(scene.first);
      const from = scene.merchant.received.length;
      await scene.time.runUntil(since + 90 * MINUTE);
      const probes = scene.merchant.received.slice(from);
      expect(probes.length).toBeGreaterThan(0);
      expect(probes.length).toBeLessThan(10);
      expect(probes.map(({ eventId }) => eventId)).not.toContain(scene.first);
      scene.merchant.answerWith(200);
      await pass(3 * HOUR);
      expect(scene.merchant.acceptedIds()).toEqual(listIds(scene.landed).filter((id) => !lost.includes(id)));
    };

    longTest(
      'passes its turn to the next parked delivery after a failure, until each has had a turn; the intervals are those of the endpoint',
      async () => {
        await startFailing();
        await until(40 * HOUR);
        const probes = scene.merchant.received.slice(5);
        expect(distinct(probes)).toBe(35);
        expect(probes.length).toBeLessThan(50);
        const gaps = probes.slice(1).map(({ at }, i) => at - (probes[i]?.at ?? 0));
        // A wait that is too long for the queue ends with a sweep, up to a minute later.
        expect(Math.max(...gaps)).toBeLessThanOrEqual(1.2 * HOUR + MINUTE);
        // A gap is never longer than the outage so far. Later gaps are an hour.
        expect(Math.min(...gaps.slice(12))).toBeGreaterThanOrEqual(0.8 * HOUR);
        scene.merchant.answerWith(200);
        await until(44 * HOUR);
        expect(scene.merchant.acceptedIds()).toEqual(listIds(scene.landed));
      },
    );

    longTest('gets elected even if another delivery fails at the same moment', async () => {
      await startFailing();
      const { breakers } = scene.time.deps;
      const elected = new Set<string>();
      const save: typeof breakers.save = async (after) => {
        const current = await breakers.find(endpointId());
        // A save elects a canary if its canary is not the delivery that failed last. Right before it, the failure of another delivery is saved.
        const next = after.state === 'open' && after.canary !== after.outage?.lastEventId ? after.canary : null;
        const election = `${next} ${scene.world.clock.now()}`;
        if (current?.state === 'open' && next && next !== current.canary && !elected.has(election)) {
          elected.add(election);
          const answered = { endedAt: scene.world.clock.now(), durationMs: 120, statusCode: 500 };
          const attempt = { eventId: scene.first, isRetry: false, ...answered };
          const failed = nextBreaker(current, { kind: 'attempt_failed', attempt, nextAttemptAt: null });
          const { canary, dueAt } = current;
          if (failed?.state === 'open') await breakers.save({ ...failed, canary, dueAt });
        }
        return breakers.save(after);
      };
      Object.assign(scene.time.deps, { breakers: { ...breakers, save } });
      const from = scene.merchant.received.length;
      await until(20 * HOUR);
      expect(elected.size).toBeGreaterThan(15);
      // More than 15 deliveries had a turn: none waited for the retry of the one before.
      expect(distinct(scene.merchant.received.slice(from))).toBeGreaterThan(15);
    });

    test('does not delay other deliveries if the endpoint rejects only this one', async () => {
      await start();
      // The endpoint never accepts the first event.
      let rejectedId = '';
      scene.merchant.answerEachWith((eventId) => (eventId === rejectedId ? 404 : 200));
      [rejectedId = ''] = listIds(await land(1));
      for (let hour = 0; hour < 12; hour++) {
        await until(hour * HOUR + 15 * MINUTE);
        const [good] = listIds(await land(1));
        await until(hour * HOUR + 16 * MINUTE);
        expect(scene.merchant.listAccepted().map(({ eventId }) => eventId)).toContain(good);
      }
      expect((await breaker())?.state).toBe('closed');
    });

    longTest('gets replaced by the next parked delivery if it is cancelled because its event is gone', async () => {
      await startFailing();
      await scene.world.table.client.send(
        new DeleteCommand({ TableName: scene.world.table.name, Key: eventKey(scene.first) }),
      );
      await until(53 * MINUTE);
      expect((await deliveryOf(scene.first)).state).toBe('cancelled');
      await expectReplaced([scene.first]);
    });

    longTest('gets replaced in the next gap if it is exhausted', async () => {
      const gaps = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];
      await startFailing({ deps: { schedule: { gaps, afterwards: 10 * MINUTE, until: 20 * MINUTE } } });
      await until(8 * HOUR);
      expect((await states()).exhausted).toBeGreaterThan(0);
      const from = scene.merchant.received.length;
      await until(9.5 * HOUR);
      expect(scene.merchant.received.length - from).toBeGreaterThanOrEqual(6);
      expect(scene.merchant.received.length - from).toBeLessThanOrEqual(12);
    });

    longTest('stays the canary if it is redelivered by hand', async () => {
      await startFailing();
      const before = await deliveryOf(scene.first);
      const redelivered = await scene.world.deps.deliveries.apply(before, redeliver(before, scene.world.clock.now()));
      if (!redelivered) throw new Error('The delivery was not redelivered.');
      await scene.time.queue.queue.send('first', [{ ...toDeliveryJob(redelivered), byHand: true }]);
      const from = scene.merchant.received.length;
      await until(14 * MINUTE);
      expect(scene.merchant.received.slice(from).map(({ eventId }) => eventId)).toContain(scene.first);
      expect(await deliveryOf(scene.first)).toMatchObject({ redeliveries: 1, tries: 1 });
      scene.merchant.answerWith(200);
      await until(4 * HOUR);
      expect(scene.merchant.acceptedIds()).toEqual(listIds(scene.landed));
    });

    longTest('gets queued by the sweeper if its queue messages are lost', async () => {
      let lose = false;
      await startFailing();
      const { queue } = scene.time.deps;
      Object.assign(scene.time.deps, {
        queue: { send: async (...args: Parameters<typeof queue.send>) => void (lose || (await queue.send(...args))) },
      });
      lose = true;
      const from = scene.merchant.received.length;
      await until(30 * MINUTE);
      expect(scene.merchant.received.length - from).toBeLessThanOrEqual(1);
      lose = false;
      await until(2 * HOUR);
      expect(scene.merchant.received.length - from).toBeGreaterThan(1);
      scene.merchant.answerWith(200);
      await until(5 * HOUR);
      expect(scene.merchant.acceptedIds()).toEqual(listIds(scene.landed));
    });

    test('is the next new delivery, and only that one, if nothing was left to be the canary', async () => {
      await start({ deps: { schedule: { gaps: Array(5).fill(1_000), afterwards: MINUTE, until: MINUTE } } });
      scene.merchant.answerWith(500);
      await land(5);
      await until(HOUR + SECOND);
      expect(await states()).toEqual({ exhausted: 5 });
      expect(await breaker()).toMatchObject({ state: 'open', canary: null, dueAt: null });
      const from = scene.merchant.received.length;
      scene.merchant.answerWith(200);
      scene.landed = await land(3);
      await until(HOUR + 2 * SECOND);
      expect(scene.merchant.received.slice(from)).toHaveLength(1);
      expect(await states()).toEqual({ exhausted: 5, parked: 2, succeeded: 1 });
      await until(2 * HOUR);
      expect(scene.merchant.acceptedIds()).toEqual(listIds(scene.landed));
    });
  });

  describe('the cost in table operations', () => {
    let proxy: FaultProxy;
    let operations: Record<string, number>;
    afterEach(() => proxy.stop());
    beforeEach(async () => {
      proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
      await start({ dynamoDbEndpoint: proxy.endpoint });
      proxy.inject((operation) => {
        operations[operation] = (operations[operation] ?? 0) + 1;
        return undefined;
      });
      operations = {};
    });

    const deliverTwenty = async (): Promise<Record<string, number>> => {
      await land(20);
      operations = {};
      await pass(0);
      // The queries of the test driver do not count. All reads for one batch are made together.
      const { Query, BatchGetItem = 0, ...writes } = operations;
      expect(BatchGetItem).toBeGreaterThanOrEqual(2);
      expect(BatchGetItem).toBeLessThanOrEqual(20);
      return writes;
    };

    test('is at most one read and two writes for a success of a healthy endpoint, which writes no breaker', async () => {
      expect(await deliverTwenty()).toEqual({ UpdateItem: 40 });
      expect(scene.merchant.listAccepted()).toHaveLength(20);
      expect(await scene.world.itemsOf('BREAKER')).toEqual([]);
    });

    test('is the same for a success after a failure that is over: the breaker is not written again', async () => {
      scene.merchant.answerWith(500);
      await land(1);
      await until(SECOND);
      scene.merchant.answerWith(200);
      await until(MINUTE);
      expect(await breaker()).toMatchObject({ outage: null, version: 2 });
      expect(await deliverTwenty()).toEqual({ UpdateItem: 40 });
      expect(await breaker()).toMatchObject({ version: 2 });
    });

    test('is at most one read and one write for a delivery behind an open breaker', async () => {
      scene.merchant.answerWith(500);
      await land(5);
      await until(MINUTE);
      expect(await deliverTwenty()).toEqual({ UpdateItem: 20 });
      const { parked = 0, pending = 0 } = await states();
      expect(parked + pending).toBe(25);
      expect(pending).toBeLessThanOrEqual(2);
    });
  });
});
