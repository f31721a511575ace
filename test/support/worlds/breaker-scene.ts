import { MINUTE } from '#shared/platform/kernel/time.ts';
import { type Delivery, delivery } from '#shared/webhooks/domain/delivery.ts';
import { type LandedEvent, landEvents, landMany } from '#test/support/emulators/landed-events.ts';
import { type SimulatedMerchant, startSimulatedMerchant } from '#test/support/emulators/simulated-merchant.ts';
import {
  type SimulatedTime,
  type SimulatedTimeOptions,
  startSimulatedTime,
} from '#test/support/emulators/simulated-time.ts';
import { makeWorld, type World } from './world.ts';

type Business = Awaited<ReturnType<World['addBusiness']>>;

/** The parts of a scene after its start. `startFailing` sets `landed` and `first` (the canary). */
interface BreakerScene {
  world: World;
  merchant: SimulatedMerchant;
  business: Business;
  time: SimulatedTime;
  landed: LandedEvent[];
  first: string;
}

/** Sets up one merchant with one endpoint in simulated time, to test its breaker. Call it in a `describe`: it stops the merchant after each test. */
export const setUpBreakerScene = () => {
  // `start` fills this. Every test calls it first.
  const scene = {} as BreakerScene;
  const running: SimulatedMerchant[] = [];
  afterEach(async () => {
    for (const merchant of running.splice(0)) await merchant.stop();
  });

  const start = async (options: Parameters<typeof makeWorld>[0] & SimulatedTimeOptions = {}): Promise<void> => {
    scene.world = await makeWorld(options);
    scene.merchant = await startSimulatedMerchant(scene.world.clock.now);
    running.push(scene.merchant);
    scene.business = await scene.world.addBusiness([scene.merchant.url]);
    scene.time = startSimulatedTime(scene.world, { ...options, consumers: options.consumers ?? 10 });
  };

  const until = (milliseconds: number) => scene.time.runUntil(scene.time.startedAt + milliseconds);
  const land = (count: number, business = scene.business) => landEvents(scene.time.deps, business.id, count);
  const landAtOnce = (count: number, options: { parked?: boolean } = {}) =>
    landMany(scene.world, scene.time.deps, scene.business.id, count, options);
  /** Lets time pass. */
  const pass = (milliseconds: number) => scene.time.runUntil(scene.world.clock.now() + milliseconds);
  const endpointId = () => scene.business.endpoints[0]?.id ?? '';
  const breaker = () => scene.world.deps.breakers.find(endpointId());
  const canary = async () => {
    const current = await breaker();
    return current?.state === 'open' ? current.canary : undefined;
  };
  /** Counts the endpoint's deliveries in each state. */
  const countStates = async (): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const { endpointId: at, state } of await scene.world.deliveries()) {
      if (at === endpointId()) counts[state] = (counts[state] ?? 0) + 1;
    }
    return counts;
  };
  const readDelivery = async (eventId: string): Promise<Delivery> =>
    delivery.parse(await scene.world.deps.deliveries.find({ eventId, endpointId: endpointId() }));

  /** Starts with an endpoint that answers 500: 35 events have landed, one delivery is the canary, and the others are parked. */
  const startFailing = async (options: SimulatedTimeOptions = {}): Promise<void> => {
    await start(options);
    scene.merchant.answerWith(500);
    // Five failures open the breaker, so the other deliveries are parked before their first attempt.
    scene.landed = await land(5);
    await until(0);
    scene.landed.push(...(await land(30)));
    await until(13 * MINUTE);
    scene.first = (await canary()) ?? '';
    expect(await readDelivery(scene.first)).toMatchObject({ state: 'pending' });
    expect((await countStates()).parked).toBeGreaterThanOrEqual(33);
  };

  return {
    scene,
    start,
    startFailing,
    until,
    pass,
    land,
    landAtOnce,
    endpointId,
    breaker,
    canary,
    states: countStates,
    deliveryOf: readDelivery,
  };
};
