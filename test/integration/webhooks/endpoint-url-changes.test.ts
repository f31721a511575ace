import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { type Breaker, healthyBreaker, type Open } from '#shared/webhooks/domain/breaker.ts';
import { type BreakerEvent, nextBreaker } from '#shared/webhooks/domain/breaker-transitions.ts';
import { toDeliveryJob } from '#shared/webhooks/domain/delivery.ts';
import { park } from '#shared/webhooks/domain/delivery-transitions.ts';
import { disableEndpoint } from '#shared/webhooks/use-cases/disable-endpoint.ts';
import { electCanary } from '#shared/webhooks/use-cases/elect-canary.ts';
import { landEvents, landMany } from '#test/support/emulators/landed-events.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { deliverWebhook, sweepBreaker } from '#test/support/worlds/functions.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import {
  answerWith,
  api,
  business,
  endpointId,
  openMerchantForEachTest,
  receiver,
  sendTestEvent,
  time,
  world,
} from '#test/support/worlds/test-merchant.ts';

/** An event without a delivery. */
const EVENT = 'evt_01KDVDNX1Q0Y8J6W6KZ0H3S5T0';

/* Tests how a merchant repairs an endpoint: by switching it off and on, by a new URL, by a test event, or by a recovery. */

describe('an endpoint that its merchant repairs', () => {
  openMerchantForEachTest({ simulated: { consumers: 10 } });
  let other: Receiver;
  beforeEach(async () => {
    other = await startReceiver();
  });
  afterEach(() => other.stop());

  const until = (at: number) => time.runUntil(time.startedAt + at);
  const land = async (count: number) => (await landEvents(time.deps, business.id, count)).map(({ event }) => event.id);
  const arrived = (at: Receiver, from = 0) =>
    at.received
      .slice(from)
      .map(({ headers }) => String(headers['webhook-id']))
      .toSorted();
  const breaker = () => world.deps.breakers.find(endpointId);
  const states = async () => new Set((await world.deliveries()).map(({ state }) => state));
  const findCanary = (current: Breaker | undefined) => (current?.state === 'open' ? current.canary : undefined);
  const isEnabled = async () => (await world.deps.endpoints.find(business.tenant, endpointId))?.enabled;
  const sweepEndpoint = (deadline = Number.POSITIVE_INFINITY) => sweepBreaker(time.deps, endpointId, deadline);
  /** Applies an event to a breaker and writes it. */
  const change = async (before: Breaker, event: BreakerEvent): Promise<Breaker> => {
    const after = nextBreaker(before, event);
    if (!after) throw new Error('The event changed nothing.');
    expect(await world.deps.breakers.save(after)).toBe(true);
    return after;
  };

  test('writes nothing for an update that changes nothing', async () => {
    const readVersion = async () => (await world.deps.businesses.find(business.id))?.version;
    const before = await readVersion();
    const same = { url: receiver.url, enabled: true, events: ['*'] };
    for (const update of [same, { enabled: true }, { events: ['*'] }]) {
      expect((await api.updateEndpoint(endpointId, update)).status).toBe(200);
    }
    expect(await readVersion()).toBe(before);
    expect((await api.updateEndpoint(endpointId, { events: ['checkout.paid'] })).status).toBe(200);
    expect(await readVersion()).not.toBe(before);
  });

  const startDrain = () =>
    change(healthyBreaker({ endpointId, mode: 'test' }), { kind: 'recovery_requested', from: world.clock.now() });
  /** Returns an open breaker that was never written and has lost its canary. */
  const withoutCanary = (): Open => ({
    ...healthyBreaker({ endpointId, mode: 'test' }),
    state: 'open',
    canary: null,
    probes: 1,
    lastReleasedId: null,
    emptyPolls: 0,
    dueAt: null,
  });
  const recover = () => api.recoverEndpoint(endpointId, { since: new Date(time.startedAt).toISOString() });

  test('gets each missed event once after it was switched off and on', async () => {
    await api.updateEndpoint(endpointId, { enabled: false });
    const missed = await land(3);
    await until(2 * DAY);
    expect(receiver.received).toHaveLength(0);
    expect(await states()).toEqual(new Set(['parked']));
    await api.updateEndpoint(endpointId, { enabled: true });
    const [fresh = ''] = await land(1);
    await until(2 * DAY + HOUR);
    expect(arrived(receiver)).toEqual([...missed, fresh].toSorted());
    expect((await recover()).json.data).toMatchObject({ recovered: 0, more: false });
    await until(2 * DAY + 2 * HOUR);
    expect(receiver.received).toHaveLength(4);
  });

  longTest('gets its parked deliveries at the rate of a drain after it was switched on', async () => {
    await api.updateEndpoint(endpointId, { enabled: false });
    const missed = (await landMany(world, time.deps, business.id, 200)).map(({ event }) => event.id);
    await until(DAY);
    await api.updateEndpoint(endpointId, { enabled: true });
    const minutes: number[] = [];
    for (let minute = 0; minute < 20; minute++) {
      const before = receiver.received.length;
      await until(DAY + minute * MINUTE);
      minutes.push(receiver.received.length - before);
    }
    expect(arrived(receiver)).toEqual(missed.toSorted());
    // The first drain step releases 60 deliveries, and the second twice as many. Each step spreads its deliveries over a minute.
    expect(minutes.filter((count) => count > 0).length).toBeGreaterThanOrEqual(3);
    expect(Math.max(...minutes)).toBeLessThanOrEqual(120);
  });

  test('gets its parked deliveries within a day if a consumer read it as off together with a draining breaker', async () => {
    await api.updateEndpoint(endpointId, { enabled: false });
    const missed = await land(3);
    await until(HOUR);
    expect(await states()).toEqual(new Set(['parked']));
    const { read } = time.deps.deliveries;
    let isRecovered = false;
    // A batch is not read at one moment, because DynamoDB may return the breaker in another round.
    const readInTwoRounds: typeof read = async (key) => {
      const first = await read(key);
      if (isRecovered) return first;
      isRecovered = true;
      await api.updateEndpoint(endpointId, { enabled: true });
      expect((await recover()).json.data).toMatchObject({ recovered: 3 });
      return { ...first, breaker: (await read(key)).breaker };
    };
    Object.assign(time.deps, { deliveries: { ...time.deps.deliveries, read: readInTwoRounds } });
    const [latest = ''] = await land(1);
    await until(HOUR + 30 * MINUTE);
    expect(await breaker()).toMatchObject({ state: 'draining', dueAt: null });
    await until(DAY + 2 * HOUR);
    expect(arrived(receiver)).toEqual([...missed, latest].toSorted());
    expect(await breaker()).toMatchObject({ state: 'closed' });
  });

  test('gets a probe within a minute of a new URL, whatever wait the old URL asked for, and then all parked deliveries', async () => {
    answerWith(503, { 'retry-after': '21600' });
    const landed = await land(30);
    await until(20 * MINUTE);
    expect(await breaker()).toMatchObject({ state: 'open' });
    await api.updateEndpoint(endpointId, { url: other.url });
    await until(22 * MINUTE);
    expect(other.received.length).toBeGreaterThan(0);
    await until(30 * MINUTE);
    // Deliveries that the old URL asked to wait keep their time. Parked deliveries are drained.
    expect(other.received.length).toBeGreaterThanOrEqual(15);
    await until(7 * HOUR);
    expect(arrived(other)).toEqual(landed.toSorted());
  });

  testRows([500, 410])(
    'stays on with a new URL that answers %i, whatever the failures of the old URL were',
    async (status) => {
      const now = world.clock.now();
      const ended = { lastEventId: EVENT, lastAt: now, goneSince: now - 2 * HOUR };
      const outage = { since: now - 5 * DAY, failures: 1, rejections: 0, ...ended };
      await world.deps.breakers.save({ ...healthyBreaker({ endpointId, mode: 'test' }), outage, version: 1 });
      answerWith(500);
      other.answer((response) => response.writeHead(status).end());
      await api.updateEndpoint(endpointId, { url: other.url });
      const landed = await land(1);
      await until(30 * MINUTE);
      expect(other.received.length).toBeGreaterThan(1);
      expect(await isEnabled()).toBe(true);
      other.answer((response) => response.writeHead(200).end());
      await until(4 * HOUR);
      expect(arrived(other).at(-1)).toBe(landed[0]);
      expect(await states()).toEqual(new Set(['succeeded']));
    },
  );

  test('stays on with a new URL if an attempt to the old URL fails later', async () => {
    const old = await world.deps.endpoints.find(business.tenant, endpointId);
    if (!old) throw new Error('There is no endpoint.');
    await api.updateEndpoint(endpointId, { url: other.url });
    await disableEndpoint(time.deps, old, 'gone', { statusCode: 410, error: null });
    expect(await isEnabled()).toBe(true);
    await disableEndpoint(time.deps, { ...old, url: other.url }, 'gone', { statusCode: 410, error: null });
    expect(await isEnabled()).toBe(false);
  });

  longTest('gets a test event at once, and its success starts a drain', async () => {
    answerWith(500);
    const landed = await land(20);
    await until(2 * HOUR);
    answerWith(200);
    const before = receiver.received.length;
    const testId = await sendTestEvent();
    await until(2 * HOUR + SECOND);
    expect(receiver.received[before]?.headers['webhook-id']).toBe(testId);
    expect(await breaker()).toMatchObject({ state: 'draining' });
    await until(2 * HOUR + 5 * MINUTE);
    expect(arrived(receiver, before)).toEqual([...landed, testId].toSorted());
  });

  const switchOffAndOn = async () => {
    await api.updateEndpoint(endpointId, { enabled: false });
    // The delivery suspends the breaker.
    await land(1);
    await until(40 * HOUR + MINUTE);
    expect((await api.updateEndpoint(endpointId, { enabled: true })).status).toBe(200);
  };
  testRows<[string, () => Promise<unknown>]>([
    ['recovers it', recover],
    ['tests it', sendTestEvent],
    ['switches it off and on', switchOffAndOn],
  ])(
    'gets the canary within minutes after its merchant %s, although the next probe is an hour away',
    async (_, repair) => {
      answerWith(500);
      const landed = await land(8);
      await until(40 * HOUR);
      const before = receiver.received.length;
      // The last probe was minutes ago, and earlier canaries wait for their next turn.
      const waiting = (await world.deliveries()).filter(({ state }) => state === 'pending');
      expect(waiting.map(({ eventId }) => eventId)).toEqual([findCanary(await breaker())]);
      expect(waiting[0]?.nextAttemptAt).toBeGreaterThan(world.clock.now() + 15 * MINUTE);
      answerWith(200);
      await repair();
      await until(40 * HOUR + 6 * MINUTE);
      expect(arrived(receiver, before)).toEqual(expect.arrayContaining(landed));
      expect(await states()).toEqual(new Set(['succeeded']));
    },
  );

  test('gets the next canary within minutes if its merchant recovers it while the canary fails', async () => {
    answerWith(500);
    const landed = await land(8);
    await until(40 * HOUR);
    const { find } = time.deps.breakers;
    let before = 0;
    const findLate: typeof find = async (id) => {
      const seen = await find(id);
      if (before > 0) return seen;
      before = receiver.received.length + 1;
      const canary = { endpointId: id, eventId: findCanary(seen) ?? '' };
      const probing = await inNoRole(() => world.deps.deliveries.find(canary));
      if (!probing) throw new Error('There is no canary.');
      await deliverWebhook(time.deps, 'test', { ...toDeliveryJob(probing), byHand: true });
      expect(findCanary(await find(id))).not.toBe(findCanary(seen));
      answerWith(200);
      return seen;
    };
    Object.assign(time.deps, { breakers: { ...time.deps.breakers, find: findLate } });
    expect((await recover()).status).toBe(202);
    await until(40 * HOUR + 5 * MINUTE);
    expect(arrived(receiver, before)).toEqual(landed.toSorted());
  });

  longTest('stays on after one more failure if it had no events for a month', async () => {
    answerWith(500);
    await land(5);
    await until(4 * DAY);
    expect(await states()).toEqual(new Set(['exhausted']));
    await until(30 * DAY);
    const [late = ''] = await land(1);
    await until(30 * DAY + MINUTE);
    answerWith(200);
    await until(30 * DAY + HOUR);
    expect(await isEnabled()).toBe(true);
    expect((await world.deliveries()).find(({ eventId }) => eventId === late)?.state).toBe('succeeded');
  });

  test('gets one drain step at a time even if two sweepers run at once', async () => {
    await landMany(world, time.deps, business.id, 130, { parked: true });
    await startDrain();
    await Promise.all([sweepEndpoint(), sweepEndpoint()]);
    expect((await world.deliveries()).filter(({ state }) => state === 'pending')).toHaveLength(60);
    expect(await breaker()).toMatchObject({ state: 'draining', stepSize: 120 });
  });

  test('gets no deliveries released after the deadline of a sweep; a later step releases the rest', async () => {
    await landMany(world, time.deps, business.id, 70, { parked: true });
    await startDrain();
    await sweepEndpoint(world.clock.now());
    expect(await states()).toEqual(new Set(['parked']));
    world.clock.advance(MINUTE);
    await sweepEndpoint();
    world.clock.advance(MINUTE);
    await sweepEndpoint();
    expect(await states()).toEqual(new Set(['pending']));
  });

  test('gets no canary and no parked delivery that is due while its breaker is draining', async () => {
    await landMany(world, time.deps, business.id, 2, { parked: true });
    const now = world.clock.now();
    const started = await startDrain();
    const [parked] = await world.deliveries();
    if (!parked) throw new Error('Nothing is parked.');
    const step = { kind: 'batch_released', lastEventId: parked.eventId, dueAt: now, now } as const;
    const draining = await change(started, step);
    await electCanary(time.deps, withoutCanary(), now);
    await deliverWebhook(time.deps, 'retry', toDeliveryJob(parked));
    expect(await breaker()).toEqual(draining);
    expect(await states()).toEqual(new Set(['parked']));
  });

  test('gets its drain continued after the last released event', async () => {
    const landed = await landMany(world, time.deps, business.id, 3, { parked: true });
    const [oldest = '', ...others] = landed.map(({ event }) => event.id).toSorted();
    const now = world.clock.now();
    await change(await startDrain(), { kind: 'batch_released', lastEventId: oldest, dueAt: now, now: now - MINUTE });
    await sweepEndpoint();
    const pending = (await world.deliveries()).filter(({ state }) => state === 'pending');
    expect(pending.map(({ eventId }) => eventId).toSorted()).toEqual(others);
  });

  test('gets no second canary from a concurrent election', async () => {
    await landMany(world, time.deps, business.id, 1, { parked: true });
    const now = world.clock.now();
    const before = withoutCanary();
    const elected = await change(before, { kind: 'canary_elected', eventId: EVENT, replaces: null, at: now });
    await electCanary(time.deps, before, now);
    expect(await breaker()).toEqual(elected);
    expect(await states()).toEqual(new Set(['parked']));
  });

  describe('if a consumer parks a delivery after an older read of the breaker', () => {
    const parkNow = async (): Promise<string> => {
      const [id = ''] = await land(1);
      const job = { eventId: id, endpointId, mode: 'test' as const, attempt: 0, redeliveries: 0, dueAt: null };
      await world.deps.deliveries.apply(job, park(job, world.clock.now()));
      return id;
    };

    test('gets the delivery after the next poll of a drain that found nothing parked', async () => {
      await startDrain();
      await until(MINUTE + SECOND);
      expect(await breaker()).toMatchObject({ state: 'draining', emptyPolls: 1 });
      const late = await parkNow();
      await until(3 * MINUTE);
      expect(arrived(receiver)).toEqual([late]);
      await until(10 * MINUTE);
      expect(await breaker()).toMatchObject({ state: 'closed' });
    });

    test('gets the delivery after the next poll of an open breaker that found no canary', async () => {
      const now = world.clock.now();
      // The canary does not exist, so the first poll finds no delivery at all.
      await change(withoutCanary(), { kind: 'canary_elected', eventId: EVENT, replaces: null, at: now - 5 * MINUTE });
      await until(MINUTE + SECOND);
      expect(await breaker()).toMatchObject({ state: 'open', canary: null, emptyPolls: 1 });
      const late = await parkNow();
      await until(3 * MINUTE);
      expect(arrived(receiver)).toEqual([late]);
    });
  });
});
