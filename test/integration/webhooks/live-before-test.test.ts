import type { DueFamily } from '#shared/platform/due-family.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { LOW_PRIORITY_SHARE } from '#shared/sweeps/use-cases/sweep.ts';
import { healthyBreaker } from '#shared/webhooks/domain/breaker.ts';
import { nextBreaker } from '#shared/webhooks/domain/breaker-transitions.ts';
import { landMany } from '#test/support/emulators/landed-events.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { sweepDueWork, sweepPayments } from '#test/support/worlds/functions.ts';
import { openMerchant } from '#test/support/worlds/live-merchant.ts';
import { makeLiveWorld } from '#test/support/worlds/live-world.ts';
import { makeWorld, UNUSED_URL, type World } from '#test/support/worlds/world.ts';

/* Tests that due work of test mode never delays due work of live mode, however much there is. */

const URL = UNUSED_URL;
const LIVE = 5;
const FLOOD = 450;

/** Returns dependencies that need `milliseconds` to write a delivery of test mode. `modes` lists the mode of each written delivery. */
const slowInTestMode = (world: World, milliseconds: number) => {
  const modes: string[] = [];
  const { deliveries } = world.deps;
  const apply: typeof deliveries.apply = (key, transition) => {
    modes.push(key.mode);
    if (key.mode === 'test') world.clock.advance(milliseconds);
    return deliveries.apply(key, transition);
  };
  return { modes, deps: { ...world.deps, deliveries: { ...deliveries, apply } } };
};

const readDuePartitions = async (world: Pick<World, 'itemsOf'>, prefix: string): Promise<ReadonlySet<string>> =>
  new Set((await world.itemsOf(prefix)).flatMap(({ gsi2pk }) => String(gsi2pk ?? '').replace(/#\d+$/, '') || []));

describe('a sweep of deliveries', () => {
  test('sends all live deliveries before it begins with those of test mode, which get ten seconds of the sweep', async () => {
    const world = await makeWorld();
    const [flooding, paying] = [await world.addBusiness([URL]), await world.addBusiness([URL], 'live')];
    await landMany(world, world.deps, flooding.id, FLOOD);
    await landMany(world, world.deps, paying.id, LIVE);
    // The messages are lost on their way to the queue. The deliveries of test mode have waited longer.
    await world.takeJobs();
    world.clock.advance(11 * SECOND);
    const { modes, deps } = slowInTestMode(world, 60);
    const began = world.clock.now();
    await sweepDueWork(deps, began + 45 * SECOND);
    expect(modes.slice(0, LIVE)).toEqual(Array(LIVE).fill('live'));
    const swept = modes.length - LIVE;
    // The sweep of test mode stops after the list page in which its share of the time ends.
    expect(swept).toBeGreaterThanOrEqual(LOW_PRIORITY_SHARE / 60);
    expect(swept).toBeLessThan(FLOOD);
    expect(world.clock.now() - began).toBeLessThanOrEqual(LOW_PRIORITY_SHARE + 100 * 60);
    expect(await world.takeJobs('first')).toHaveLength(LIVE);
    expect(await world.takeJobs('test')).toHaveLength(swept);
    // The rest is still due, and does not delay the next live deliveries either.
    await landMany(world, world.deps, paying.id, LIVE);
    await world.takeJobs();
    world.clock.advance(11 * SECOND);
    const next = slowInTestMode(world, 0);
    await sweepDueWork(next.deps, world.clock.now() + 45 * SECOND);
    expect(next.modes.slice(0, LIVE)).toEqual(Array(LIVE).fill('live'));
    expect(await world.takeJobs('test')).toHaveLength(FLOOD - swept);
  });

  test('leaves test mode for the next sweep if live mode has used up the time', async () => {
    const world = await makeWorld();
    await landMany(world, world.deps, (await world.addBusiness([URL])).id, 1);
    await world.takeJobs();
    world.clock.advance(11 * SECOND);
    const { modes, deps } = slowInTestMode(world, 0);
    await sweepDueWork(deps, world.clock.now());
    expect(modes).toEqual([]);
    await sweepDueWork(deps, world.clock.now() + SECOND);
    expect(modes).toEqual(['test']);
  });

  test('raises no alarm for overdue deliveries of test mode, and logs only their age', async () => {
    const world = await makeWorld();
    await landMany(world, world.deps, (await world.addBusiness([URL])).id, 1);
    await world.takeJobs();
    world.clock.advance(20 * MINUTE);
    await sweepDueWork(world.deps, world.clock.now() + SECOND);
    expect(world.measured.filter(({ metric }) => metric === 'oldest_due')).toMatchObject([{ value: 0 }]);
    const late = { event: 'swept', family: 'test_deliveries', count: 1, oldest: 20 * MINUTE - 10 * SECOND };
    expect(world.logged).toContainEqual(expect.objectContaining(late));
  });

  test('keeps deliveries and breakers in the partitions of their mode through every change', async () => {
    for (const mode of ['live', 'test'] as const) {
      const world = await makeWorld();
      const business = await world.addBusiness([URL], mode);
      const family: DueFamily = mode === 'live' ? 'deliveries' : 'test_deliveries';
      await landMany(world, world.deps, business.id, 3);
      await world.takeJobs();
      world.clock.advance(11 * SECOND);
      await sweepDueWork(world.deps, world.clock.now() + SECOND);
      const endpoint = { endpointId: business.endpoints[0]?.id ?? '', mode };
      const draining = nextBreaker(healthyBreaker(endpoint), { kind: 'recovery_requested', from: world.clock.now() });
      if (draining) await world.deps.breakers.save(draining);
      const partition = new Set([`DUE#${family}`]);
      expect([await readDuePartitions(world, 'DLV#'), await readDuePartitions(world, 'BREAKER')]).toEqual([
        partition,
        partition,
      ]);
      world.clock.advance(MINUTE);
      await sweepDueWork(world.deps, world.clock.now() + SECOND);
      expect(await readDuePartitions(world, 'BREAKER')).toEqual(partition);
      expect((await world.deps.breakers.find(endpoint.endpointId))?.version).toBe(2);
    }
  });
});

test('a sweep queues checkouts of live mode before those of test mode, each mode in its own queues', async () => {
  const world = await makeLiveWorld();
  try {
    const merchant = await openMerchant(world);
    const test = createApiClient(world, (await world.addBusiness([URL])).keys.secret_test);
    for (let i = 0; i < 3; i++) {
      await test.initialize({ amount: 2_500, payer_email: 'sade.balogun@example.com', expires_in: 60 });
    }
    const { expiresAt } = await merchant.checkout('paystack');
    world.clock.advance(expiresAt - world.clock.now());
    const lanes: string[] = [];
    const { moneyQueue } = world.deps;
    const send: typeof moneyQueue.send = (lane, works) => {
      lanes.push(...works.map(() => lane));
      return moneyQueue.send(lane, works);
    };
    const deps = { ...world.deps, ...world.withoutReconciliation(), moneyQueue: { send } };
    await sweepPayments(deps, world.clock.now() + 30 * SECOND);
    expect(lanes).toEqual(['paystack', 'test', 'test', 'test']);
    await world.consumeMoney(['test']);
    expect((await world.itemsOf('EVT')).map(({ type }) => type)).toEqual(Array(3).fill('checkout.expired'));
    expect(world.measured.find(({ metric }) => metric === 'oldest_due_payment')?.value).toBe(0);
  } finally {
    await world.stop();
  }
});
