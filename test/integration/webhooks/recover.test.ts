import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import type { Delivery } from '#shared/webhooks/domain/delivery.ts';
import { longTest } from '#test/support/jest/long.ts';
import { replayOf } from '#test/support/worlds/answers.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
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

describe('recovery', () => {
  openMerchantForEachTest({ metered: true });
  let since: string;
  beforeEach(() => {
    answerWith(500);
    since = new Date(world.clock.now()).toISOString();
  });

  const countOf = async (state: Delivery['state']): Promise<number> =>
    (await world.deliveries()).filter((one) => one.state === state).length;
  /** Lets time pass, with a sweep after every step of it. SQS keeps real time: what it delays comes by the due index. */
  const pass = async (time: number, step: number): Promise<void> => {
    for (let passed = 0; passed < time; passed += step) {
      await world.sweepAfter(step);
      for (const job of await world.takeJobs()) await deliverWebhook(world.deps, 'first', job);
    }
  };
  const recover = (from = since) => api.recoverEndpoint(endpointId, { since: from });
  /** How often the table has been written since the last look. */
  const takeWrites = (): number => {
    const metered = meter.take();
    return WRITES.reduce((sum, operation) => sum + (metered[operation]?.calls ?? 0), 0);
  };
  /** Pays `count` checkouts, and parks their deliveries as a consumer does behind an open breaker. */
  const parkMany = async (count: number): Promise<void> => {
    await payCheckouts(count);
    for (const { eventId } of await world.deliveries()) {
      const at = { eventId, endpointId, mode: 'test' } as const;
      const set = { state: 'parked', nextAttemptAt: null, dueAt: world.clock.now() + DAY } as const;
      await world.deps.deliveries.apply(at, { expect: {}, set });
    }
    await world.takeJobs();
  };

  longTest('what was exhausted and what was parked arrives, each once, with the same id and bytes', async () => {
    await payCheckouts(8);
    // Five fail first in the second hour. Of the four that probe from the 74th on, one at least is of these, and is exhausted.
    await pass(80 * HOUR, 2 * HOUR);
    const [exhausted, parked] = [await countOf('exhausted'), await countOf('parked')];
    expect(exhausted).toBeGreaterThan(0);
    expect(parked).toBeGreaterThan(0);
    const failures = receiver.received.length;
    receiver.answer((response) => response.writeHead(200).end('ok'));

    const answer = await recover();
    const data = { recovered: exhausted + parked, more: false, next_since: null };
    const message = 'What was not delivered is being sent again.';
    expect([answer.status, answer.json]).toEqual([202, { status: true, message, data }]);
    expect(await countOf('exhausted')).toBe(0);
    await pass(20 * MINUTE, MINUTE);

    const arrived = receiver.received.slice(failures);
    expect(arrived).toHaveLength(8);
    expect(new Set(arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(8);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(8);
    for (const one of await world.deliveries()) {
      expect(one.state).toBe('succeeded');
      const { deliveries } = (await api.getEvent(one.eventId)).json.data;
      const numbers = deliveries[0].attempts.map((made: { number: number }) => made.number);
      expect(numbers).toEqual(Array.from({ length: one.attempt }, (_, i) => i + 1));
      expect(deliveries[0].attempts.at(-1)).toMatchObject({ status_code: 200, response: 'ok' });
    }
    expect((await recover()).json.data).toEqual({ recovered: 0, more: false, next_since: null });
  });

  test('only what happened since then is recovered', async () => {
    await payCheckouts(6);
    await pass(30 * MINUTE, 5 * MINUTE);
    const later = new Date(world.clock.now() + 1).toISOString();
    world.clock.advance(MINUTE);
    await payCheckouts(3);
    await pass(5 * MINUTE, MINUTE);
    expect((await recover(later)).json.data).toMatchObject({ recovered: 3 });
  });

  longTest(
    'after five days of failures the endpoint is switched off and recovery refused; enabled again, what is parked follows, and what is exhausted waits for it',
    async () => {
      await payCheckouts(6);
      // Attempts go on all the time; the first events are exhausted after three days.
      await pass(70 * HOUR, 2 * HOUR);
      await payCheckouts(1);
      await pass(56 * HOUR, 2 * HOUR);
      const refused = await recover();
      expect([refused.status, refused.json.code, refused.json.errors]).toEqual([
        422,
        'validation_failed',
        [{ field: 'id', message: 'id names a webhook endpoint that is switched off. Enable it first.' }],
      ]);

      answerWith(200);
      const before = receiver.received.length;
      const on = await api.updateEndpoint(endpointId, { enabled: true });
      expect(on.json.data).toMatchObject({ enabled: true, disabled_reason: null });
      const expected = (await countOf('parked')) > 0 ? 'draining' : 'closed';
      expect(await world.deps.breakers.find(endpointId)).toMatchObject({ state: expected, outage: null });
      await payCheckouts(1);
      await pass(2 * HOUR, 10 * MINUTE);
      expect(await countOf('parked')).toBe(0);
      const waiting = await countOf('exhausted');
      expect(receiver.received.length - before).toBe(8 - waiting);
      expect(waiting).toBeGreaterThan(0);

      expect((await recover()).json.data).toEqual({ recovered: waiting, more: false, next_since: null });
      await pass(10 * MINUTE, MINUTE);
      expect(receiver.received).toHaveLength(before + 8);
      expect(await countOf('succeeded')).toBe(8);
    },
  );

  longTest('twice at once, and with an Idempotency-Key sent twice, delivers nothing twice', async () => {
    await payCheckouts(7);
    await pass(30 * MINUTE, 5 * MINUTE);
    answerWith(200);
    const before = receiver.received.length;
    await Promise.all([recover(), recover()]);
    const keyed = () => api.recoverEndpoint(endpointId, { since }, { 'idempotency-key': 'recovery' });
    const first = await keyed();
    expect(await keyed()).toMatchObject(replayOf(first));
    await pass(60 * MINUTE, MINUTE);
    expect(receiver.received.length - before).toBe(7);
    expect(await countOf('succeeded')).toBe(7);
  });

  longTest('what is parked with its whole schedule is not written again, however often it is asked for', async () => {
    await parkMany(30);
    const before = await world.deliveries();
    takeWrites();
    for (let call = 0; call < 5; call++) {
      const answer = await recover();
      expect(answer.json.data).toEqual({ recovered: 30, more: false, next_since: null });
      // The call, the lease and its end, the deliveries taken from the limit, and the drain's start.
      expect(takeWrites()).toBe(5);
    }
    expect(await world.deliveries()).toEqual(before);
    expect(await world.deps.breakers.find(endpointId)).toMatchObject({ state: 'draining' });
    answerWith(200);
    await pass(5 * MINUTE, MINUTE);
    expect(await countOf('succeeded')).toBe(30);
  });

  test('of calls at once one recovers; the others are refused for now, and write no delivery', async () => {
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

  test('is at most ten thousand deliveries a minute', async () => {
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

  longTest('that crashed midway can be asked for again half a minute later, and completes', async () => {
    await payCheckouts(8);
    await pass(30 * MINUTE, 5 * MINUTE);
    const parked = await countOf('parked');
    const { deliveries, recoveryLeases, breakers } = world.deps;
    const fail = () => Promise.reject(new Error('The process ended.'));
    let left = 2;
    const apply: typeof deliveries.apply = (...args) => (left-- <= 0 ? fail() : deliveries.apply(...args));
    const dying = {
      ...world.deps,
      deliveries: { ...deliveries, apply },
      breakers: { ...breakers, save: fail },
      recoveryLeases: { ...recoveryLeases, end: fail },
    };
    const crashing = apiClient({ ...world, deps: dying }, business.keys.secret_test);
    const crashed = await crashing.recoverEndpoint(endpointId, { since });
    expect(crashed.status).toBe(500);
    expect((await recover()).status).toBe(429);
    world.clock.advance(30 * SECOND + 1);
    expect((await recover()).json.data).toEqual({ recovered: parked, more: false, next_since: null });
    answerWith(200);
    await pass(60 * MINUTE, MINUTE);
    expect(await countOf('succeeded')).toBe(8);
  });
});
