import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import type { Delivery } from '#shared/webhooks/domain/delivery.ts';
import { longTest } from '#test/support/jest/long.ts';
import { expectReplay } from '#test/support/worlds/answers.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import {
  answerWith,
  api,
  business,
  endpointId,
  meter,
  openMerchantForEachTest,
  payCheckouts,
  receiver,
  world,
} from '#test/support/worlds/test-merchant.ts';

const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'];

describe('a recovery', () => {
  openMerchantForEachTest({ metered: true });
  let since: string;
  beforeEach(() => {
    answerWith(500);
    since = new Date(world.clock.now()).toISOString();
  });

  const countDeliveries = async (state: Delivery['state']): Promise<number> =>
    (await world.deliveries()).filter((delivery) => delivery.state === state).length;
  /** Lets time pass, with a sweep after every step. SQS uses real time, so delayed messages come through the due-work index. */
  const pass = async (time: number, step: number): Promise<void> => {
    for (let passed = 0; passed < time; passed += step) {
      await world.sweepAfter(step);
      for (const job of await world.takeJobs()) await deliverWebhook(world.deps, 'first', job);
    }
  };
  const recover = (from = since) => api.recoverEndpoint(endpointId, { since: from });
  /** Counts the writes to the table since the last call of this function. */
  const takeWrites = (): number => {
    const metered = meter.take();
    return WRITES.reduce((sum, operation) => sum + (metered[operation]?.calls ?? 0), 0);
  };
  /** Pays `count` checkouts, and parks their deliveries as a consumer does behind an open breaker. */
  const parkMany = async (count: number): Promise<void> => {
    await payCheckouts(count);
    for (const { eventId } of await world.deliveries()) {
      const key = { eventId, endpointId, mode: 'test' } as const;
      const set = { state: 'parked', nextAttemptAt: null, dueAt: world.clock.now() + DAY } as const;
      await world.deps.deliveries.apply(key, { expect: {}, set });
    }
    await world.takeJobs();
  };

  longTest('delivers exhausted and parked deliveries once each, with the same id and bytes', async () => {
    await payCheckouts(8);
    // Five deliveries first fail in the second hour, so their 72 hours end in the 74th. From then on four deliveries probe the endpoint. At least
    // one of the four is one of the five, and is exhausted.
    await pass(80 * HOUR, 2 * HOUR);
    const [exhausted, parked] = [await countDeliveries('exhausted'), await countDeliveries('parked')];
    expect(exhausted).toBeGreaterThan(0);
    expect(parked).toBeGreaterThan(0);
    const failures = receiver.received.length;
    receiver.answer((response) => response.writeHead(200).end('ok'));

    const answer = await recover();
    const data = { recovered: exhausted + parked, more: false, next_since: null };
    const message = 'The missed events are being sent again.';
    expect([answer.status, answer.json]).toEqual([202, { status: true, message, data }]);
    expect(await countDeliveries('exhausted')).toBe(0);
    await pass(20 * MINUTE, MINUTE);

    const arrived = receiver.received.slice(failures);
    expect(arrived).toHaveLength(8);
    expect(new Set(arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(8);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(8);
    for (const delivery of await world.deliveries()) {
      expect(delivery.state).toBe('succeeded');
      const { deliveries } = (await api.getEvent(delivery.eventId)).json.data;
      const numbers = deliveries[0].attempts.map(({ number }: { number: number }) => number);
      expect(numbers).toEqual(Array.from({ length: delivery.attempt }, (_, i) => i + 1));
      expect(deliveries[0].attempts.at(-1)).toMatchObject({ status_code: 200, response: 'ok' });
    }
    expect((await recover()).json.data).toEqual({ recovered: 0, more: false, next_since: null });
  });

  test('includes only events since the requested time', async () => {
    await payCheckouts(6);
    await pass(30 * MINUTE, 5 * MINUTE);
    const later = new Date(world.clock.now() + 1).toISOString();
    world.clock.advance(MINUTE);
    await payCheckouts(3);
    await pass(5 * MINUTE, MINUTE);
    expect((await recover(later)).json.data).toMatchObject({ recovered: 3 });
  });

  longTest(
    'fails while the endpoint is off after five days of failures; switching the endpoint on releases parked deliveries, but no exhausted ones',
    async () => {
      await payCheckouts(6);
      // Attempts go on all the time, and the first events are exhausted after three days.
      await pass(70 * HOUR, 2 * HOUR);
      await payCheckouts(1);
      await pass(56 * HOUR, 2 * HOUR);
      const failed = await recover();
      expect([failed.status, failed.json.code, failed.json.errors]).toEqual([
        422,
        'validation_failed',
        [{ field: 'id', message: 'id names a webhook endpoint that is switched off. Enable it first.' }],
      ]);

      answerWith(200);
      const before = receiver.received.length;
      const on = await api.updateEndpoint(endpointId, { enabled: true });
      expect(on.json.data).toMatchObject({ enabled: true, disabled_reason: null });
      const expected = (await countDeliveries('parked')) > 0 ? 'draining' : 'closed';
      expect(await world.deps.breakers.find(endpointId)).toMatchObject({ state: expected, outage: null });
      await payCheckouts(1);
      await pass(2 * HOUR, 10 * MINUTE);
      expect(await countDeliveries('parked')).toBe(0);
      const waiting = await countDeliveries('exhausted');
      expect(receiver.received.length - before).toBe(8 - waiting);
      expect(waiting).toBeGreaterThan(0);

      expect((await recover()).json.data).toEqual({ recovered: waiting, more: false, next_since: null });
      await pass(10 * MINUTE, MINUTE);
      expect(receiver.received).toHaveLength(before + 8);
      expect(await countDeliveries('succeeded')).toBe(8);
    },
  );

  longTest('delivers nothing twice if it is requested twice at once, or repeated with an Idempotency-Key', async () => {
    await payCheckouts(7);
    await pass(30 * MINUTE, 5 * MINUTE);
    answerWith(200);
    const before = receiver.received.length;
    await Promise.all([recover(), recover()]);
    const keyed = () => api.recoverEndpoint(endpointId, { since }, { 'idempotency-key': 'recovery' });
    const first = await keyed();
    expect(await keyed()).toMatchObject(expectReplay(first));
    await pass(60 * MINUTE, MINUTE);
    expect(receiver.received.length - before).toBe(7);
    expect(await countDeliveries('succeeded')).toBe(7);
  });

  longTest(
    'does not write deliveries that were parked before their first attempt, however often it is requested',
    async () => {
      await parkMany(30);
      const before = await world.deliveries();
      takeWrites();
      for (let call = 0; call < 5; call++) {
        const answer = await recover();
        expect(answer.json.data).toEqual({ recovered: 30, more: false, next_since: null });
        // The writes are the two limits, the lease and its end, and the start of the drain.
        expect(takeWrites()).toBe(5);
      }
      expect(await world.deliveries()).toEqual(before);
      expect(await world.deps.breakers.find(endpointId)).toMatchObject({ state: 'draining' });
      answerWith(200);
      await pass(5 * MINUTE, MINUTE);
      expect(await countDeliveries('succeeded')).toBe(30);
    },
  );

  test('runs once for calls at the same time; the other calls get a 429 and write no delivery', async () => {
    await payCheckouts(8);
    await pass(30 * MINUTE, 5 * MINUTE);
    takeWrites();
    const answers = await Promise.all(Array.from({ length: 6 }, () => recover()));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 429, 429, 429, 429, 429]);
    expect(answers.find(({ status }) => status === 429)).toMatchObject({
      headers: { 'retry-after': '30' },
      json: {
        code: 'rate_limited',
        message: 'A recovery of this webhook endpoint is under way. Try again in 30 s.',
        errors: [{ field: 'id', message: `${endpointId} is being recovered.` }],
      },
    });
    expect(takeWrites()).toBeLessThan(8 + 6 * 3);
  });

  test('includes at most ten thousand deliveries a minute', async () => {
    await parkMany(4);
    const { usage, now } = world.deps;
    expect(await usage.take(endpointId, 'recovered_delivery', now(), 9_997)).toBe(true);
    expect(await recover()).toMatchObject({
      status: 429,
      headers: { 'retry-after': '60' },
      json: {
        message: 'A webhook endpoint takes at most 10,000 deliveries in recoveries a minute. Try again in 60 s.',
      },
    });
    expect(await usage.take(endpointId, 'recovered_delivery', now(), 4)).toBe(false);
    expect(await usage.take(endpointId, 'recovered_delivery', now(), 3)).toBe(true);
    world.clock.advance(MINUTE);
    expect((await recover()).json.data).toMatchObject({ recovered: 4 });
  });

  longTest('can be repeated half a minute after a crash, and completes then', async () => {
    await payCheckouts(8);
    await pass(30 * MINUTE, 5 * MINUTE);
    const parked = await countDeliveries('parked');
    const { deliveries, recoveryLeases, breakers } = world.deps;
    const fail = () => Promise.reject(new Error('The process ended.'));
    let left = 2;
    const apply: typeof deliveries.apply = (...args) => (left-- <= 0 ? fail() : deliveries.apply(...args));
    const crashingDeps = {
      ...world.deps,
      deliveries: { ...deliveries, apply },
      breakers: { ...breakers, save: fail },
      recoveryLeases: { ...recoveryLeases, end: fail },
    };
    const crashing = createApiClient({ ...world, deps: crashingDeps }, business.keys.secret_test);
    const crashed = await crashing.recoverEndpoint(endpointId, { since });
    expect(crashed.status).toBe(500);
    expect((await recover()).status).toBe(429);
    world.clock.advance(30 * SECOND + 1);
    expect((await recover()).json.data).toEqual({ recovered: parked, more: false, next_since: null });
    answerWith(200);
    await pass(60 * MINUTE, MINUTE);
    expect(await countDeliveries('succeeded')).toBe(8);
  });
});
