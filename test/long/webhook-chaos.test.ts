import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { delivery } from '#shared/webhooks/domain/delivery.ts';
import { KILLS, type Kill, type Life, live } from '#test/support/chaos/consumer-crashes.ts';
import { Crashed } from '#test/support/chaos/crashes.ts';
import { createRandom } from '#test/support/chaos/random.ts';
import { createFaults, type FaultOdds } from '#test/support/chaos/table-and-queue-faults.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { type LandedEvent, landEvents } from '#test/support/emulators/landed-events.ts';
import { type Message, startSimulatedTime } from '#test/support/emulators/simulated-time.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { deliverWebhook, sweepDueWork } from '#test/support/worlds/functions.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

interface Odds extends FaultOdds {
  readonly kill: number;
  readonly kills: readonly Kill[];
  readonly duplicated: number;
  readonly merchantFails: number;
}
const CALM: Odds = {
  kill: 0,
  kills: KILLS,
  sendFails: 0,
  throttled: 0,
  conflict: 0,
  answerLost: 0,
  duplicated: 0,
  merchantFails: 0,
};

/** The number of events under every fault at once; a multiple of 15. */
const UNDER_ALL_FAULTS = 390;
/** The number of events for each step at which consumers are killed; a multiple of 15. */
const FOR_EACH_KILL = 45;
const SELDOM = ['before the queue send', 'before the queue send'] as const;
/** The minimum of each kind of fault for a meaningful run. */
const LEAST_FAULTS = 10;

/* Webhooks whose consumers, sweepers, table, queue and merchants fail at random, by the seed of the run. */

describe('webhooks under faults', () => {
  let receivers: Receiver[];
  let proxy: FaultProxy;
  beforeEach(async () => {
    receivers = await Promise.all(Array.from({ length: 5 }, startReceiver));
    proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  });
  afterEach(async () => {
    await Promise.all([...receivers, proxy].map((server) => server.stop()));
  });

  const runEvents = async (events: number, odds: Odds) => {
    const draw = createRandom(SEED);
    const chance = (probability: number): boolean => draw() < probability;
    const pick = <T>(from: readonly T[]): T => from[Math.floor(draw() * from.length)] as T;
    const world = await makeWorld({ dynamoDbEndpoint: proxy.endpoint });
    for (const receiver of receivers) {
      receiver.answer((response) => response.writeHead(chance(odds.merchantFails) ? 500 : 200).end());
    }
    const faults = createFaults(odds, draw);
    const injected = Object.assign(faults.injected, { kills: {} as Record<string, number>, copies: 0 });
    const lives: Life[] = [];

    const consumeOnce = async ({ lane, job }: Message): Promise<void> => {
      const kill = chance(odds.kill) ? pick(odds.kills) : undefined;
      const life = await live(time.deps, kill, (crashingDeps) => deliverWebhook(crashingDeps, lane, job));
      lives.push(life);
      if (life.failure instanceof Crashed) {
        injected.kills[life.failure.message] = (injected.kills[life.failure.message] ?? 0) + 1;
      }
      if (life.failure) throw life.failure;
    };
    /** Consumes a message up to three times: at once, or some time later. */
    const consume = async (message: Message): Promise<void> => {
      const copies = chance(odds.duplicated) ? 1 + Math.floor(draw() * 2) : 0;
      injected.copies += copies;
      const later = chance(0.5);
      if (later && copies > 0) {
        const jobs = Array.from({ length: copies }, () => message.job);
        await time.queue.queue.send(message.lane === 'test' ? 'first' : message.lane, jobs, Math.floor(draw() * 200));
      }
      const runs = await Promise.allSettled(Array.from({ length: later ? 1 : 1 + copies }, () => consumeOnce(message)));
      const failed = runs.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
    };
    /** Runs two sweepers at once. One may be killed before it sends its messages. */
    const sweep = async (): Promise<void> => {
      const sweeper = (kill: Kill | undefined) =>
        live(time.deps, kill, (crashingDeps) => sweepDueWork(crashingDeps, Number.POSITIVE_INFINITY));
      await Promise.all([sweeper(chance(odds.kill / 4) ? 'before the queue send' : undefined), sweeper(undefined)]);
    };
    const time = startSimulatedTime(world, { consume, sweep, deps: { draw }, grain: MINUTE, consumers: 100 });
    Object.assign(time.deps, { queue: faults.unreliable(time.deps.queue) });

    const shops = await Promise.all(receivers.map(({ url }) => world.addBusiness([url])));
    proxy.inject(faults.table);
    const landed: LandedEvent[] = [];
    for (let wave = 0; wave < 3; wave++) {
      for (const shop of shops) landed.push(...(await landEvents(time.deps, shop.id, events / 3 / shops.length)));
      await time.runUntil(time.startedAt + (wave + 1) * MINUTE);
    }
    const states = async () => (await world.itemsOf('DLV#')).map((item) => delivery.parse(item));
    // The schedule, leases and the sweeper repair everything, while the faults go on.
    let until = time.startedAt + HOUR;
    await time.runUntil(until);
    while ((await states()).some(({ state }) => state !== 'succeeded') && until < time.startedAt + 3 * DAY) {
      until += HOUR;
      await time.runUntil(until);
    }
    return { world, time, landed, lives, injected, deliveries: await states() };
  };

  const expectNothingLost = ({ landed, lives, deliveries }: Awaited<ReturnType<typeof runEvents>>): void => {
    expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['succeeded']));
    expect(deliveries).toHaveLength(landed.length);

    const posted = lives.flatMap((life) => life.posted);
    const numbers = posted.map(({ eventId, attempt }) => `${eventId} ${attempt}`);
    expect(new Set(numbers).size).toBe(numbers.length);

    const received = receivers.flatMap((receiver) => receiver.received);
    expect(received).toHaveLength(posted.length);
    const byId = Map.groupBy(received, ({ headers }) => String(headers['webhook-id']));
    const succeeded = Map.groupBy(
      posted.filter(({ statusCode }) => statusCode === 200),
      ({ eventId }) => eventId,
    );
    const unrecorded = Map.groupBy(
      lives.filter((life) => life.unrecorded).flatMap((life) => life.posted),
      ({ eventId }) => eventId,
    );
    for (const { event } of landed) {
      const requests = byId.get(event.id) ?? [];
      expect(requests.map(({ body }) => body)).toEqual(requests.map(() => event.body));
      const accepted = succeeded.get(event.id)?.length ?? 0;
      expect(accepted).toBeGreaterThanOrEqual(1);
      // A second copy may only come from a POST whose result was never written.
      expect(accepted - 1).toBeLessThanOrEqual(unrecorded.get(event.id)?.length ?? 0);
    }
    expect(byId.size).toBe(landed.length);
  };

  test(`all arrive, and arrive twice only if the result of a POST was not written: ${UNDER_ALL_FAULTS} events under every fault at once`, async () => {
    const all = await runEvents(UNDER_ALL_FAULTS, {
      kill: 0.2,
      // Only a failed attempt reaches these steps, so they are drawn more often.
      kills: [...KILLS, ...SELDOM, ...SELDOM, 'before the breaker is written'],
      sendFails: 0.1,
      throttled: 0.005,
      conflict: 0.02,
      answerLost: 0.01,
      duplicated: 0.4,
      merchantFails: 0.2,
    });
    expectNothingLost(all);
    const { injected } = all;
    expect(Object.keys(injected.kills).toSorted()).toEqual([...KILLS].toSorted());
    for (const count of [injected.throttled, injected.conflicts, injected.lost, injected.sends, injected.copies]) {
      expect(count).toBeGreaterThan(LEAST_FAULTS);
    }
    const unrecordedPosts = all.lives.filter((life) => life.unrecorded && life.posted.length > 0).length;
    process.stdout.write(
      `chaos: ${JSON.stringify({ ...injected, unrecorded: unrecordedPosts, ...all.time.counts(), hours: (all.world.clock.now() - all.time.startedAt) / HOUR })}\n`,
    );
  }, 600_000);

  test.each(KILLS)('are not lost if their consumer is killed %s', async (kill) => {
    const all = await runEvents(FOR_EACH_KILL, { ...CALM, kill: 0.5, kills: [kill], merchantFails: 0.3 });
    expectNothingLost(all);
    expect(all.injected.kills[kill]).toBeGreaterThan(0);
    const unrecordedPosts = all.lives.filter((life) => life.unrecorded && life.posted.length > 0).length;
    const isBetween = kill === 'after the POST' || kill === 'before the result is written';
    expect(unrecordedPosts > 0).toBe(isBetween);
  });

  test('never arrive twice if nothing is killed and no write fails', async () => {
    const all = await runEvents(90, { ...CALM, sendFails: 0.3, duplicated: 1, merchantFails: 0.2 });
    expectNothingLost(all);
    const accepted = all.lives.flatMap((life) => life.posted).filter(({ statusCode }) => statusCode === 200);
    expect(accepted).toHaveLength(all.landed.length);
    expect(all.injected.copies).toBeGreaterThan(90);
  });
});
