import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { createRandom } from '#test/support/chaos/random.ts';
import { type LandedEvent, landEvents, landMany } from '#test/support/emulators/landed-events.ts';
import {
  countByMinute,
  limitInMinute,
  listIds,
  startSimulatedMerchant,
} from '#test/support/emulators/simulated-merchant.ts';
import { startSimulatedTime } from '#test/support/emulators/simulated-time.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

/** Lists how many deliveries a drain releases in each of its minutes. */
const planDrain = (count: number): number[] => {
  const minutes: number[] = [];
  for (let left = count; left > 0; ) {
    const released = Math.min(left, limitInMinute(minutes.length));
    minutes.push(released);
    left -= released;
  }
  return minutes;
};

/** The number of parked events. It is enough to reach the sixth step of the drain (1,920). breaker.test.ts tests the largest step (6,000). */
const SIZE = 2_000;
/** Milliseconds after which the test fails. It only stops an endless run, so the test does not depend on the machine's speed. */
const LIMIT_MS = 1_800_000;

test(
  `an endpoint with ${SIZE} events parked for 71 h gets under 100 requests, then each event once at a rising rate, while another endpoint’s events are never delayed`,
  async () => {
    const world = await makeWorld();
    const { now } = world.clock;
    const [shop, neighbour] = [await startSimulatedMerchant(now), await startSimulatedMerchant(now)];
    try {
      const business = await world.addBusiness([shop.url]);
      const other = await world.addBusiness([neighbour.url]);
      const time = startSimulatedTime(world, { deps: { draw: createRandom(71) }, consumers: 2, batch: 10 });
      const until = (milliseconds: number) => time.runUntil(time.startedAt + milliseconds);
      const states = async (): Promise<Record<string, number>> => {
        const counts: Record<string, number> = {};
        for (const item of await world.itemsOf('DLV#')) {
          if (item.endpointId !== business.endpoints[0]?.id) continue;
          counts[String(item.state)] = (counts[String(item.state)] ?? 0) + 1;
        }
        return counts;
      };
      const othersLanded: LandedEvent[] = [];

      shop.answerWith(503);
      const landed = await landEvents(time.deps, business.id, 5);
      // Some events are parked for days, so that their daily recheck is counted, too. Most events land on the last day: a consumer
      // parks some of these, and the rest are stored as a consumer would leave them.
      const [old, hourly, hourlyParked] = [0.06 * SIZE, 0.007 * SIZE, 0.04 * SIZE];
      for (let hour = 3; hour <= 70; hour++) {
        await until(hour * HOUR);
        othersLanded.push(...(await landEvents(time.deps, other.id, 1)));
        if (hour === 3) landed.push(...(await landMany(world, time.deps, business.id, old)));
        if (hour <= 50) continue;
        landed.push(...(await landMany(world, time.deps, business.id, hourly)));
        const parked = hour === 70 ? SIZE - landed.length : hourlyParked;
        landed.push(...(await landMany(world, time.deps, business.id, parked, { parked: true })));
      }
      await until(71 * HOUR);
      expect(landed).toHaveLength(SIZE);
      expect(await states()).toEqual({ parked: SIZE - 1, pending: 1 });
      expect(shop.listAccepted()).toHaveLength(0);
      const requestsBefore = shop.received.length;
      expect(requestsBefore).toBeLessThan(100);
      expect(requestsBefore).toBeGreaterThan(70);

      shop.answerWith(200);
      for (let minute = 1; minute <= 120; minute += 3) {
        await until(71 * HOUR + minute * MINUTE);
        othersLanded.push(...(await landEvents(time.deps, other.id, 1)));
      }
      await until(73 * HOUR + MINUTE);

      const taken = shop.listAccepted();
      expect(shop.received).toHaveLength(requestsBefore + SIZE);
      expect(taken.map(({ eventId }) => eventId).toSorted()).toEqual(listIds(landed));
      expect(await states()).toEqual({ succeeded: SIZE });

      // The canary comes first and alone. From the next sweep on, the drain doubles each minute.
      const [first, ...drained] = taken;
      const drainedFrom = drained[0]?.at ?? 0;
      expect(drainedFrom - (first?.at ?? 0)).toBeLessThanOrEqual(MINUTE);
      expect(countByMinute(drained, drainedFrom)).toEqual(planDrain(SIZE - 1));
      // Within a minute the deliveries are spread: at most 1.6 times the even rate, which is a sixtieth of the minute's number each second.
      const fullest = limitInMinute(planDrain(SIZE - 1).length - 1);
      const bySecond = Map.groupBy(drained, ({ at }) => Math.floor(at / SECOND));
      expect(Math.max(...[...bySecond.values()].map((posts) => posts.length))).toBeLessThanOrEqual(
        Math.max(50, fullest / 38),
      );
      // The oldest leave first, except for the spread within a step: events of the third hour leave in the first steps.
      const places = new Map(taken.map(({ eventId }, place) => [eventId, place]));
      const lastOfOld = Math.max(...landed.slice(5, 5 + old).map(({ event }) => places.get(event.id) ?? Infinity));
      const steps = planDrain(5 + old);
      expect(lastOfOld).toBeLessThanOrEqual(steps.reduce((sum, _, minute) => sum + limitInMinute(minute), 0));
      const breaker = await world.deps.breakers.find(business.endpoints[0]?.id ?? '');
      expect(breaker).toMatchObject({ state: 'closed', outage: null });

      // The neighbour was not delayed by a single sweep, and got no additional attempt.
      const createdAt = new Map(othersLanded.map(({ event }) => [event.id, event.createdAt]));
      expect(neighbour.received).toHaveLength(othersLanded.length);
      const delays = neighbour.received.map(({ eventId, at }) => at - (createdAt.get(eventId) ?? 0));
      expect(new Set(delays)).toEqual(new Set([0]));
    } finally {
      await Promise.all([shop.stop(), neighbour.stop()]);
    }
  },
  LIMIT_MS,
);
