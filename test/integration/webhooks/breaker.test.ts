import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { eventKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import { nextBreaker } from '#shared/domain/webhooks/breaker-transitions.ts';
import { type Delivery, delivery, jobOf } from '#shared/domain/webhooks/delivery.ts';
import { redeliver } from '#shared/domain/webhooks/delivery-transitions.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/engines/fault-proxy.ts';
import {
  allowedInMinute,
  byMinute,
  type Got,
  idsOf,
  type MovedMerchant,
  movedMerchant,
} from '#test/support/engines/moved-merchant.ts';
import { type MovedTime, type MovedTimeOptions, movedTime } from '#test/support/engines/moved-queue.ts';
import { type Landed, landEvents, landMany } from '#test/support/engines/moved-queue-events.ts';
import { expectBacklogDelivered } from '#test/support/engines/parked-backlog.ts';
import { sweepDueWork } from '#test/support/worlds/functions.ts';
import type { Receiver } from '#test/support/worlds/receiver.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

describe('the breaker of an endpoint', () => {
  let world: World;
  let shop: MovedMerchant;
  let business: Awaited<ReturnType<World['addBusiness']>>;
  let time: MovedTime;
  const open: { stop: Receiver['stop'] }[] = [];

  const start = async (options: Parameters<typeof makeWorld>[0] & MovedTimeOptions = {}): Promise<void> => {
    world = await makeWorld(options);
    shop = await movedMerchant(world.clock.now);
    open.push(shop);
    business = await world.addBusiness([shop.url]);
    time = movedTime(world, { ...options, consumers: options.consumers ?? 10 });
  };
  afterEach(async () => {
    for (const one of open.splice(0)) await one.stop();
  });

  const until = (milliseconds: number) => time.runUntil(time.startedAt + milliseconds);
  const land = (count: number, of = business) => landEvents(time.deps, of.id, count);
  const landAtOnce = (count: number, options: { parked?: boolean } = {}) =>
    landMany(world, time.deps, business.id, count, options);
  const endpointId = () => business.endpoints[0]?.id ?? '';
  const breaker = () => world.deps.breakers.find(endpointId());
  const canary = async () => {
    const found = await breaker();
    return found?.state === 'open' ? found.canary : undefined;
  };
  const states = async (): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const item of await world.itemsOf('DLV#')) {
      if (item.endpointId === endpointId()) counts[String(item.state)] = (counts[String(item.state)] ?? 0) + 1;
    }
    return counts;
  };
  const deliveryOf = async (eventId: string): Promise<Delivery> => {
    const found = await world.deps.deliveries.find({ eventId, endpointId: endpointId() });
    return delivery.parse(found);
  };

  test('1,000 events parked for 71 h cost under 100 requests, and all arrive afterwards at the rising rate, none twice', () =>
    expectBacklogDelivered(1_000));

  test('parked deliveries that are due daily do not exceed the rate of a drain', async () => {
    // Without jitter the canary is tried 42 min 35 s past each hour. What is parked at 44:30 is due a day later.
    await start();
    shop.answers(500);
    await land(5);
    await until(44 * MINUTE + 30 * SECOND);
    await landAtOnce(150);
    await until(DAY + 30 * MINUTE);
    const cost = shop.got.length;
    shop.answers(200);
    await until(DAY + HOUR);
    expect(shop.got).toHaveLength(cost + 155);
    const [, ...drained] = shop.taken();
    byMinute(drained, drained[0]?.movedAt ?? 0).forEach((count, minute) => {
      expect(count).toBeLessThanOrEqual(allowedInMinute(minute));
    });
  });

  test('a sweeper that crashes in the last step of a drain delays its deliveries by minutes, not by a day', async () => {
    let dies = false;
    const sweep = async (): Promise<void> => {
      if (!dies) return sweepDueWork(time.deps, Number.POSITIVE_INFINITY);
      dies = false;
      // It has written the step, and crashes before it releases the first delivery.
      await new Promise<void>((died) => {
        const apply = () => {
          died();
          return new Promise<never>(() => {});
        };
        const deliveries = { ...time.deps.deliveries, apply };
        void sweepDueWork({ ...time.deps, deliveries }, Number.POSITIVE_INFINITY);
      });
    };
    await start({ sweep });
    shop.answers(500);
    const landed = await land(5);
    await until(MINUTE);
    landed.push(...(await land(30)));
    await until(12 * MINUTE);
    shop.answers(200);
    await until(12 * MINUTE + 40 * SECOND);
    expect(await breaker()).toMatchObject({ state: 'draining' });
    expect(shop.taken()).toHaveLength(1);
    dies = true;
    await until(30 * MINUTE);
    expect(dies).toBe(false);
    expect(shop.takenIds()).toEqual(idsOf(landed));
  });

  test('a drain takes a step with every sweep, although a sweep takes time and slow successes write the breaker meanwhile', async () => {
    await start();
    shop.answers(500);
    await land(5);
    await until(MINUTE);
    await landAtOnce(220, { parked: true });
    await until(10 * MINUTE);
    const { breakers, deliveries } = time.deps;
    const nextToDrain: typeof deliveries.nextToDrain = async (...args) => {
      const found = await deliveries.nextToDrain(...args);
      world.clock.advance(200);
      const current = await breakers.find(endpointId());
      const slow = { eventId: first, endedAt: world.clock.now(), durationMs: 6_000, statusCode: 200, isRetry: false };
      const beside = current && nextBreaker(current, { kind: 'attempt_succeeded', attempt: slow });
      if (beside) await breakers.save(beside);
      return found;
    };
    const [first = ''] = idsOf(await land(1));
    Object.assign(time.deps, { deliveries: { ...deliveries, nextToDrain } });
    shop.answers(200);
    await until(30 * MINUTE);
    const [, ...drained] = shop.taken();
    expect(byMinute(drained, drained[0]?.movedAt ?? 0).slice(0, 3)).toEqual([60, 120, 45]);
  });

  test('an endpoint that fails again during its drain gets the rest parked again, and nothing is lost', async () => {
    await start();
    shop.answers(500);
    const landed = await land(5);
    await until(MINUTE);
    landed.push(...(await land(150)));
    await until(30 * MINUTE);
    shop.answers(200);
    while ((await breaker())?.state !== 'draining') await until(world.clock.now() - time.startedAt + MINUTE);
    await until(world.clock.now() - time.startedAt + MINUTE);
    const drainedBefore = shop.taken().length;
    expect(drainedBefore).toBeGreaterThanOrEqual(50);
    shop.answers(500);
    const before = shop.got.length;
    await until(world.clock.now() - time.startedAt + 10 * MINUTE);
    expect((await breaker())?.state).toBe('open');
    // Those under way at once, and the new canary's first tries.
    expect(shop.got.length - before).toBeLessThanOrEqual(10 + 10);
    shop.answers(200);
    await until(world.clock.now() - time.startedAt + 2 * HOUR);
    expect(shop.takenIds()).toEqual(idsOf(landed));
  });

  describe('a canary', () => {
    let landed: Landed[];
    let first: string;

    const down = async (options: MovedTimeOptions = {}): Promise<void> => {
      await start(options);
      shop.answers(500);
      // Five failures open the breaker, so the others are parked before their first attempt.
      landed = await land(5);
      await until(0);
      landed.push(...(await land(30)));
      await until(13 * MINUTE);
      first = (await canary()) ?? '';
      expect(await deliveryOf(first)).toMatchObject({ state: 'pending' });
      expect((await states()).parked).toBeGreaterThanOrEqual(33);
    };
    const distinct = (got: readonly Got[]) => new Set(got.map(({ eventId }) => eventId)).size;
    /** Other deliveries probe, at low rate; when the endpoint recovers, everything but what was lost arrives once. */
    const expectReplaced = async (lost: readonly string[]): Promise<void> => {
      const since = world.clock.now();
      expect(await canary()).toMatch(/^evt_/);
      expect(await canary()).not.toBe(first);
      const from = shop.got.length;
      await time.runUntil(since + 90 * MINUTE);
      const probes = shop.got.slice(from);
      expect(probes.length).toBeGreaterThan(0);
      expect(probes.length).toBeLessThan(10);
      expect(probes.map(({ eventId }) => eventId)).not.toContain(first);
      shop.answers(200);
      await time.runUntil(world.clock.now() + 3 * HOUR);
      expect(shop.takenIds()).toEqual(idsOf(landed).filter((id) => !lost.includes(id)));
    };

    test('that failed gives its turn to the next parked delivery, until each has had one, in the gaps of the endpoint', async () => {
      await down();
      await until(40 * HOUR);
      const probes = shop.got.slice(5);
      expect(distinct(probes)).toBe(35);
      expect(probes.length).toBeLessThan(50);
      const gaps = probes.slice(1).map(({ movedAt }, i) => movedAt - (probes[i]?.movedAt ?? 0));
      // A wait that the queue cannot hold ends with a sweep, up to a minute later.
      expect(Math.max(...gaps)).toBeLessThanOrEqual(1.2 * HOUR + MINUTE);
      // None is longer than the outage has lasted; an hour from then on.
      expect(Math.min(...gaps.slice(12))).toBeGreaterThanOrEqual(0.8 * HOUR);
      shop.answers(200);
      await until(44 * HOUR);
      expect(shop.takenIds()).toEqual(idsOf(landed));
    });

    test('is elected although another delivery fails at the same moment', async () => {
      await down();
      const { breakers } = time.deps;
      const elected = new Set<string>();
      const save: typeof breakers.save = async (after) => {
        const current = await breakers.find(endpointId());
        // An election, as the rival that fails beside it finds it: the canary is another one, and has not failed.
        const next = after.state === 'open' && after.canary !== after.outage?.lastEventId ? after.canary : null;
        const election = `${next} ${world.clock.now()}`;
        if (current?.state === 'open' && next && next !== current.canary && !elected.has(election)) {
          elected.add(election);
          const attempt = {
            eventId: first,
            endedAt: world.clock.now(),
            durationMs: 120,
            statusCode: 500,
            isRetry: false,
          };
          const failed = nextBreaker(current, { kind: 'attempt_failed', attempt, nextAttemptAt: null });
          const { canary: kept, dueAt } = current;
          if (failed?.state === 'open') await breakers.save({ ...failed, canary: kept, dueAt });
        }
        return breakers.save(after);
      };
      Object.assign(time.deps, { breakers: { ...breakers, save } });
      const from = shop.got.length;
      await until(20 * HOUR);
      expect(elected.size).toBeGreaterThan(15);
      // Each had its turn, and none had to wait for the retry of the one before.
      expect(distinct(shop.got.slice(from))).toBeGreaterThan(15);
    });

    test('that the endpoint refuses while it takes all others does not delay them', async () => {
      await start();
      // What it never takes: the first event, whenever it comes.
      let refused = '';
      shop.answersTo((eventId) => (eventId === refused ? 404 : 200));
      [refused = ''] = idsOf(await land(1));
      for (let hour = 0; hour < 12; hour++) {
        await until(hour * HOUR + 15 * MINUTE);
        const [good] = idsOf(await land(1));
        await until(hour * HOUR + 16 * MINUTE);
        expect(shop.taken().map(({ eventId }) => eventId)).toContain(good);
      }
      expect((await breaker())?.state).toBe('closed');
    });

    test('does not delay the one event in 25 that the endpoint takes, although it refuses the others at every retry', async () => {
      await start();
      const refused = new Set<string>();
      shop.answersTo((eventId) => (refused.has(eventId) ? 404 : 200));
      const good: string[] = [];
      // All but one of 25, every four minutes, each tried again by its own schedule.
      for (let n = 0; n < 50; n++) {
        const [eventId = ''] = idsOf(await land(1));
        if (n % 25 < 24) refused.add(eventId);
        else good.push(eventId);
        await until((n + 1) * 4 * MINUTE);
        expect(shop.takenIds()).toEqual(good);
      }
      expect((await breaker())?.state).toBe('closed');
    });

    test('is needed after a hundred refusals in a row; what the endpoint takes then is delayed by two gaps at most', async () => {
      // One consumer: of refusals at the same moment some are not counted, because they write one breaker.
      await start({ consumers: 1 });
      const refused = new Set<string>();
      shop.answersTo((eventId) => (refused.has(eventId) ? 404 : 200));
      for (const id of idsOf(await land(100))) refused.add(id);
      await until(30 * MINUTE);
      expect((await breaker())?.state).toBe('open');
      const good = idsOf(await land(20));
      await until(150 * MINUTE);
      expect(shop.takenIds()).toEqual(good);
    });

    test('and a hundred other deliveries that fail do not stop the rest from being drained', async () => {
      // One at a time, because not all failures at the same moment are counted: five in a row interrupt each drain.
      await down({ consumers: 1 });
      const failing = new Set(idsOf(await landAtOnce(100, { parked: true })));
      await until(14 * MINUTE);
      const good = idsOf(await landAtOnce(100, { parked: true }));
      shop.answersTo((eventId) => (failing.has(eventId) ? 500 : 200));
      await until(40 * MINUTE);
      const taken = new Set(shop.takenIds());
      expect(good.filter((id) => !taken.has(id))).toEqual([]);
    });

    test('that is cancelled, because its event is gone, is replaced by the next parked delivery', async () => {
      await down();
      await world.table.client.send(new DeleteCommand({ TableName: world.table.name, Key: eventKey(first) }));
      await until(53 * MINUTE);
      expect((await deliveryOf(first)).state).toBe('cancelled');
      await expectReplaced([first]);
    });

    test('that is exhausted is replaced in the next gap', async () => {
      const gaps = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];
      await down({ deps: { schedule: { gaps, afterwards: 10 * MINUTE, until: 20 * MINUTE } } });
      await until(8 * HOUR);
      expect((await states()).exhausted).toBeGreaterThan(0);
      const from = shop.got.length;
      await until(9.5 * HOUR);
      expect(shop.got.length - from).toBeGreaterThanOrEqual(6);
      expect(shop.got.length - from).toBeLessThanOrEqual(12);
    });

    test('that is sent again by hand stays the canary, in its new generation', async () => {
      await down();
      const again = await world.deps.deliveries.apply(
        await deliveryOf(first),
        redeliver(await deliveryOf(first), world.clock.now()),
      );
      if (!again) throw new Error('It was not sent again.');
      await time.queue.queue.send('first', [{ ...jobOf(again), byHand: true }]);
      const from = shop.got.length;
      await until(14 * MINUTE);
      expect(shop.got.slice(from).map(({ eventId }) => eventId)).toContain(first);
      expect(await deliveryOf(first)).toMatchObject({ generation: 1, tries: 1 });
      shop.answers(200);
      await until(4 * HOUR);
      expect(shop.takenIds()).toEqual(idsOf(landed));
    });

    test('whose queue messages are lost is found by the sweeper', async () => {
      let lose = false;
      await down();
      const { queue } = time.deps;
      Object.assign(time.deps, {
        queue: { send: async (...args: Parameters<typeof queue.send>) => void (lose || (await queue.send(...args))) },
      });
      lose = true;
      const from = shop.got.length;
      await until(30 * MINUTE);
      expect(shop.got.length - from).toBeLessThanOrEqual(1);
      lose = false;
      await until(2 * HOUR);
      expect(shop.got.length - from).toBeGreaterThan(1);
      shop.answers(200);
      await until(5 * HOUR);
      expect(shop.takenIds()).toEqual(idsOf(landed));
    });

    test('that does not exist, with nothing parked, is replaced by the next new delivery, and only by that one', async () => {
      await start({
        deps: { schedule: { gaps: [1_000, 1_000, 1_000, 1_000, 1_000], afterwards: MINUTE, until: MINUTE } },
      });
      shop.answers(500);
      await land(5);
      await until(HOUR + SECOND);
      expect(await states()).toEqual({ exhausted: 5 });
      expect(await breaker()).toMatchObject({ state: 'open', canary: null, dueAt: null });
      const from = shop.got.length;
      shop.answers(200);
      landed = await land(3);
      await until(HOUR + 2 * SECOND);
      expect(shop.got.slice(from)).toHaveLength(1);
      expect(await states()).toEqual({ exhausted: 5, parked: 2, succeeded: 1 });
      await until(2 * HOUR);
      expect(shop.takenIds()).toEqual(idsOf(landed));
    });
  });

  describe('at what cost', () => {
    let proxy: FaultProxy;
    let operations: Record<string, number>;
    beforeEach(async () => {
      proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
      open.push(proxy);
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
      await time.runUntil(world.clock.now());
      // What the driver asks of the index is its own business. What one batch needs is read at once.
      const { Query, BatchGetItem = 0, ...writes } = operations;
      expect(BatchGetItem).toBeGreaterThanOrEqual(2);
      expect(BatchGetItem).toBeLessThanOrEqual(20);
      return writes;
    };

    test('a success of a healthy endpoint reads once at most and writes start and result, and no breaker', async () => {
      expect(await deliverTwenty()).toEqual({ UpdateItem: 40 });
      expect(shop.taken()).toHaveLength(20);
      expect(await world.itemsOf('BREAKER')).toEqual([]);
    });

    test('nor does a success after a recovered failure write the breaker', async () => {
      shop.answers(500);
      await land(1);
      await until(SECOND);
      shop.answers(200);
      await until(MINUTE);
      expect(await breaker()).toMatchObject({ outage: null, version: 2 });
      expect(await deliverTwenty()).toEqual({ UpdateItem: 40 });
      expect(await breaker()).toMatchObject({ version: 2 });
    });

    test('a delivery behind an open breaker costs at most one read, and one write', async () => {
      shop.answers(500);
      await land(5);
      await until(MINUTE);
      expect(await deliverTwenty()).toEqual({ UpdateItem: 20 });
      const { parked = 0, pending = 0 } = await states();
      expect(parked + pending).toBe(25);
      expect(pending).toBeLessThanOrEqual(2);
    });
  });
});
