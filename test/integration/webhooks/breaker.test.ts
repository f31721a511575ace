import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { nextBreaker } from '#shared/webhooks/domain/breaker-transitions.ts';
import { toDeliveryJob } from '#shared/webhooks/domain/delivery.ts';
import { redeliver } from '#shared/webhooks/domain/delivery-transitions.ts';
import { eventKey } from '#shared/webhooks/store/keys.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { allowedInMinute, byMinute, type Got, idsOf } from '#test/support/emulators/simulated-merchant.ts';
import { longTest } from '#test/support/jest/long.ts';
import { breakerScene } from '#test/support/worlds/breaker-scene.ts';
import { sweepDueWork } from '#test/support/worlds/functions.ts';
import { death } from '#test/support/worlds/live-faults.ts';

describe('the breaker of an endpoint', () => {
  const { scene, start, startFailing, until, pass, land, landAtOnce, endpointId, breaker, canary, states, deliveryOf } =
    breakerScene();

  longTest('parked deliveries that are due daily do not exceed the rate of a drain', async () => {
    // Without jitter the canary is tried 42 min 35 s past each hour. What is parked at 44:30 is due a day later.
    await start();
    scene.merchant.answers(500);
    await land(5);
    await until(44 * MINUTE + 30 * SECOND);
    await landAtOnce(150);
    await until(DAY + 30 * MINUTE);
    const cost = scene.merchant.got.length;
    scene.merchant.answers(200);
    await until(DAY + HOUR);
    expect(scene.merchant.got).toHaveLength(cost + 155);
    const [, ...drained] = scene.merchant.taken();
    byMinute(drained, drained[0]?.at ?? 0).forEach((count, minute) => {
      expect(count).toBeLessThanOrEqual(allowedInMinute(minute));
    });
  });

  test('a sweeper that crashes in the last step of a drain delays its deliveries by minutes, not by a day', async () => {
    let dies = false;
    const sweep = async (): Promise<void> => {
      if (!dies) return sweepDueWork(scene.time.deps, Number.POSITIVE_INFINITY);
      dies = false;
      // It has written the step, and crashes before it releases the first delivery.
      const { die, dead } = death();
      const deliveries = { ...scene.time.deps.deliveries, apply: die };
      void sweepDueWork({ ...scene.time.deps, deliveries }, Number.POSITIVE_INFINITY);
      await dead;
    };
    await start({ sweep });
    scene.merchant.answers(500);
    const landed = await land(5);
    await until(MINUTE);
    landed.push(...(await land(30)));
    await until(12 * MINUTE);
    scene.merchant.answers(200);
    await until(12 * MINUTE + 40 * SECOND);
    expect(await breaker()).toMatchObject({ state: 'draining' });
    expect(scene.merchant.taken()).toHaveLength(1);
    dies = true;
    await until(30 * MINUTE);
    expect(dies).toBe(false);
    expect(scene.merchant.takenIds()).toEqual(idsOf(landed));
  });

  longTest(
    'a drain takes a step with every sweep, although a sweep takes time and slow successes write the breaker meanwhile',
    async () => {
      await start();
      scene.merchant.answers(500);
      await land(5);
      await until(MINUTE);
      await landAtOnce(220, { parked: true });
      await until(10 * MINUTE);
      const { breakers, deliveries } = scene.time.deps;
      const nextToDrain: typeof deliveries.nextToDrain = async (...args) => {
        const found = await deliveries.nextToDrain(...args);
        scene.world.clock.advance(200);
        const current = await breakers.find(endpointId());
        const answered = { endedAt: scene.world.clock.now(), durationMs: 6_000, statusCode: 200 };
        const slow = { eventId: first, isRetry: false, ...answered };
        const beside = current && nextBreaker(current, { kind: 'attempt_succeeded', attempt: slow });
        if (beside) await breakers.save(beside);
        return found;
      };
      const [first = ''] = idsOf(await land(1));
      Object.assign(scene.time.deps, { deliveries: { ...deliveries, nextToDrain } });
      scene.merchant.answers(200);
      await until(30 * MINUTE);
      const [, ...drained] = scene.merchant.taken();
      expect(byMinute(drained, drained[0]?.at ?? 0).slice(0, 3)).toEqual([60, 120, 45]);
    },
  );

  longTest(
    'an endpoint that fails again during its drain gets the rest parked again, and nothing is lost',
    async () => {
      await start();
      scene.merchant.answers(500);
      const landed = await land(5);
      await until(MINUTE);
      landed.push(...(await land(150)));
      await until(30 * MINUTE);
      scene.merchant.answers(200);
      while ((await breaker())?.state !== 'draining') await pass(MINUTE);
      await pass(MINUTE);
      const drainedBefore = scene.merchant.taken().length;
      expect(drainedBefore).toBeGreaterThanOrEqual(50);
      scene.merchant.answers(500);
      const before = scene.merchant.got.length;
      await pass(10 * MINUTE);
      expect((await breaker())?.state).toBe('open');
      // Those under way at once, and the new canary's first tries.
      expect(scene.merchant.got.length - before).toBeLessThanOrEqual(10 + 10);
      scene.merchant.answers(200);
      await pass(2 * HOUR);
      expect(scene.merchant.takenIds()).toEqual(idsOf(landed));
    },
  );

  describe('a canary', () => {
    const distinct = (got: readonly Got[]) => new Set(got.map(({ eventId }) => eventId)).size;
    /** Other deliveries probe, at low rate; when the endpoint recovers, everything but what was lost arrives once. */
    const expectReplaced = async (lost: readonly string[]): Promise<void> => {
      const since = scene.world.clock.now();
      expect(await canary()).toMatch(/^evt_/);
      expect(await canary()).not.toBe(scene.first);
      const from = scene.merchant.got.length;
      await scene.time.runUntil(since + 90 * MINUTE);
      const probes = scene.merchant.got.slice(from);
      expect(probes.length).toBeGreaterThan(0);
      expect(probes.length).toBeLessThan(10);
      expect(probes.map(({ eventId }) => eventId)).not.toContain(scene.first);
      scene.merchant.answers(200);
      await pass(3 * HOUR);
      expect(scene.merchant.takenIds()).toEqual(idsOf(scene.landed).filter((id) => !lost.includes(id)));
    };

    longTest(
      'that failed gives its turn to the next parked delivery, until each has had one, in the gaps of the endpoint',
      async () => {
        await startFailing();
        await until(40 * HOUR);
        const probes = scene.merchant.got.slice(5);
        expect(distinct(probes)).toBe(35);
        expect(probes.length).toBeLessThan(50);
        const gaps = probes.slice(1).map(({ at }, i) => at - (probes[i]?.at ?? 0));
        // A wait that the queue cannot hold ends with a sweep, up to a minute later.
        expect(Math.max(...gaps)).toBeLessThanOrEqual(1.2 * HOUR + MINUTE);
        // None is longer than the outage has lasted; an hour from then on.
        expect(Math.min(...gaps.slice(12))).toBeGreaterThanOrEqual(0.8 * HOUR);
        scene.merchant.answers(200);
        await until(44 * HOUR);
        expect(scene.merchant.takenIds()).toEqual(idsOf(scene.landed));
      },
    );

    longTest('is elected although another delivery fails at the same moment', async () => {
      await startFailing();
      const { breakers } = scene.time.deps;
      const elected = new Set<string>();
      const save: typeof breakers.save = async (after) => {
        const current = await breakers.find(endpointId());
        // An election, as the rival that fails beside it finds it: the canary is another one, and has not failed.
        const next = after.state === 'open' && after.canary !== after.outage?.lastEventId ? after.canary : null;
        const election = `${next} ${scene.world.clock.now()}`;
        if (current?.state === 'open' && next && next !== current.canary && !elected.has(election)) {
          elected.add(election);
          const answered = { endedAt: scene.world.clock.now(), durationMs: 120, statusCode: 500 };
          const attempt = { eventId: scene.first, isRetry: false, ...answered };
          const failed = nextBreaker(current, { kind: 'attempt_failed', attempt, nextAttemptAt: null });
          const { canary: kept, dueAt } = current;
          if (failed?.state === 'open') await breakers.save({ ...failed, canary: kept, dueAt });
        }
        return breakers.save(after);
      };
      Object.assign(scene.time.deps, { breakers: { ...breakers, save } });
      const from = scene.merchant.got.length;
      await until(20 * HOUR);
      expect(elected.size).toBeGreaterThan(15);
      // Each had its turn, and none had to wait for the retry of the one before.
      expect(distinct(scene.merchant.got.slice(from))).toBeGreaterThan(15);
    });

    test('that the endpoint refuses while it takes all others does not delay them', async () => {
      await start();
      // What it never takes: the first event, whenever it comes.
      let refused = '';
      scene.merchant.answersTo((eventId) => (eventId === refused ? 404 : 200));
      [refused = ''] = idsOf(await land(1));
      for (let hour = 0; hour < 12; hour++) {
        await until(hour * HOUR + 15 * MINUTE);
        const [good] = idsOf(await land(1));
        await until(hour * HOUR + 16 * MINUTE);
        expect(scene.merchant.taken().map(({ eventId }) => eventId)).toContain(good);
      }
      expect((await breaker())?.state).toBe('closed');
    });

    longTest('that is cancelled, because its event is gone, is replaced by the next parked delivery', async () => {
      await startFailing();
      await scene.world.table.client.send(
        new DeleteCommand({ TableName: scene.world.table.name, Key: eventKey(scene.first) }),
      );
      await until(53 * MINUTE);
      expect((await deliveryOf(scene.first)).state).toBe('cancelled');
      await expectReplaced([scene.first]);
    });

    longTest('that is exhausted is replaced in the next gap', async () => {
      const gaps = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];
      await startFailing({ deps: { schedule: { gaps, afterwards: 10 * MINUTE, until: 20 * MINUTE } } });
      await until(8 * HOUR);
      expect((await states()).exhausted).toBeGreaterThan(0);
      const from = scene.merchant.got.length;
      await until(9.5 * HOUR);
      expect(scene.merchant.got.length - from).toBeGreaterThanOrEqual(6);
      expect(scene.merchant.got.length - from).toBeLessThanOrEqual(12);
    });

    longTest('that is sent again by hand stays the canary, in its new redeliveries', async () => {
      await startFailing();
      const before = await deliveryOf(scene.first);
      const again = await scene.world.deps.deliveries.apply(before, redeliver(before, scene.world.clock.now()));
      if (!again) throw new Error('It was not sent again.');
      await scene.time.queue.queue.send('first', [{ ...toDeliveryJob(again), byHand: true }]);
      const from = scene.merchant.got.length;
      await until(14 * MINUTE);
      expect(scene.merchant.got.slice(from).map(({ eventId }) => eventId)).toContain(scene.first);
      expect(await deliveryOf(scene.first)).toMatchObject({ redeliveries: 1, tries: 1 });
      scene.merchant.answers(200);
      await until(4 * HOUR);
      expect(scene.merchant.takenIds()).toEqual(idsOf(scene.landed));
    });

    longTest('whose queue messages are lost is found by the sweeper', async () => {
      let lose = false;
      await startFailing();
      const { queue } = scene.time.deps;
      Object.assign(scene.time.deps, {
        queue: { send: async (...args: Parameters<typeof queue.send>) => void (lose || (await queue.send(...args))) },
      });
      lose = true;
      const from = scene.merchant.got.length;
      await until(30 * MINUTE);
      expect(scene.merchant.got.length - from).toBeLessThanOrEqual(1);
      lose = false;
      await until(2 * HOUR);
      expect(scene.merchant.got.length - from).toBeGreaterThan(1);
      scene.merchant.answers(200);
      await until(5 * HOUR);
      expect(scene.merchant.takenIds()).toEqual(idsOf(scene.landed));
    });

    test('that does not exist, with nothing parked, is replaced by the next new delivery, and only by that one', async () => {
      await start({ deps: { schedule: { gaps: Array(5).fill(1_000), afterwards: MINUTE, until: MINUTE } } });
      scene.merchant.answers(500);
      await land(5);
      await until(HOUR + SECOND);
      expect(await states()).toEqual({ exhausted: 5 });
      expect(await breaker()).toMatchObject({ state: 'open', canary: null, dueAt: null });
      const from = scene.merchant.got.length;
      scene.merchant.answers(200);
      scene.landed = await land(3);
      await until(HOUR + 2 * SECOND);
      expect(scene.merchant.got.slice(from)).toHaveLength(1);
      expect(await states()).toEqual({ exhausted: 5, parked: 2, succeeded: 1 });
      await until(2 * HOUR);
      expect(scene.merchant.takenIds()).toEqual(idsOf(scene.landed));
    });
  });

  describe('at what cost', () => {
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
      // What the driver asks of the index is its own business. What one batch needs is read at once.
      const { Query, BatchGetItem = 0, ...writes } = operations;
      expect(BatchGetItem).toBeGreaterThanOrEqual(2);
      expect(BatchGetItem).toBeLessThanOrEqual(20);
      return writes;
    };

    test('a success of a healthy endpoint reads once at most and writes start and result, and no breaker', async () => {
      expect(await deliverTwenty()).toEqual({ UpdateItem: 40 });
      expect(scene.merchant.taken()).toHaveLength(20);
      expect(await scene.world.itemsOf('BREAKER')).toEqual([]);
    });

    test('nor does a success after a recovered failure write the breaker', async () => {
      scene.merchant.answers(500);
      await land(1);
      await until(SECOND);
      scene.merchant.answers(200);
      await until(MINUTE);
      expect(await breaker()).toMatchObject({ outage: null, version: 2 });
      expect(await deliverTwenty()).toEqual({ UpdateItem: 40 });
      expect(await breaker()).toMatchObject({ version: 2 });
    });

    test('a delivery behind an open breaker costs at most one read, and one write', async () => {
      scene.merchant.answers(500);
      await land(5);
      await until(MINUTE);
      expect(await deliverTwenty()).toEqual({ UpdateItem: 20 });
      const { parked = 0, pending = 0 } = await states();
      expect(parked + pending).toBe(25);
      expect(pending).toBeLessThanOrEqual(2);
    });
  });
});
