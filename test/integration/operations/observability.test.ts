import type { Mode } from '#shared/platform/kernel/mode.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { type MetricName, metricsTo } from '#shared/platform/observability/metrics.ts';
import type { Delivery } from '#shared/webhooks/domain/delivery.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import type { SimulatedTimeOptions } from '#test/support/emulators/simulated-time.ts';
import { longTest } from '#test/support/jest/long.ts';
import { sweepDueWork } from '#test/support/worlds/functions.ts';
import { api, business, endpointId, openMerchant, receiver, time, world } from '#test/support/worlds/test-merchant.ts';

/** How long the merchant takes to answer, in milliseconds of simulated time. */
const ANSWER_TIME = 137;

describe('metrics and log lines of deliveries', () => {
  let lines: string[];

  const start = async (deps: SimulatedTimeOptions['deps'] = {}, mode: Mode = 'live'): Promise<void> => {
    lines = [];
    const metrics = metricsTo(
      'test',
      (line) => lines.push(line),
      () => world.clock.now(),
    );
    // One consumer at a time, so that one merchant's answer time adds to no other delivery's lag.
    await openMerchant({ mode, simulated: { deps: { metrics, ...deps }, consumers: 1 } });
    answerAfter(200);
  };
  afterEach(() => receiver.stop());

  const answerAfter = (status: number): void =>
    receiver.answer((response, { body }) => {
      world.clock.advance(ANSWER_TIME);
      response.writeHead(status).end(body);
    });
  const passTime = (milliseconds: number) => time.runUntil(world.clock.now() + milliseconds);
  const land = (count: number) => landEvents(time.deps, business.id, count);
  const sweep = () => sweepDueWork(time.deps, Number.POSITIVE_INFINITY);
  const stateOf = async (): Promise<Delivery['state'][]> => (await world.deliveries()).map(({ state }) => state);
  /** The values of a metric as CloudWatch reads them, each with its unit. */
  const seen = (name: MetricName): string[] =>
    lines.flatMap((line) => {
      const { _aws, ...values } = JSON.parse(line);
      const [{ Metrics }] = _aws.CloudWatchMetrics;
      return Metrics[0].Name === name ? [`${values[name]} ${Metrics[0].Unit}`] : [];
    });
  const sumOf = (name: MetricName): number => seen(name).reduce((sum, one) => sum + Number.parseInt(one, 10), 0);

  describe('lag', () => {
    test('is measured from the landing to the first attempt, and to the successful answer', async () => {
      await start();
      await land(1);
      world.clock.advance(700);
      await passTime(0);
      expect(seen('first_attempt_lag')).toEqual(['700 Milliseconds']);
      expect(seen('delivery_lag')).toEqual([`${700 + ANSWER_TIME} Milliseconds`]);
    });

    test('to the first attempt is measured once, also when that fails; to delivery when the endpoint accepts it', async () => {
      await start();
      answerAfter(500);
      await land(1);
      world.clock.advance(400);
      await passTime(0);
      expect(seen('first_attempt_lag')).toEqual(['400 Milliseconds']);
      expect(seen('delivery_lag')).toEqual([]);
      await passTime(5 * SECOND);
      answerAfter(200);
      await passTime(40 * SECOND);
      expect(receiver.received).toHaveLength(3);
      expect(seen('first_attempt_lag')).toEqual(['400 Milliseconds']);
      // Three answers, and the gaps of 5 s and 30 s after the first two.
      expect(seen('delivery_lag')).toEqual([`${400 + 3 * ANSWER_TIME + 35_000} Milliseconds`]);
    });

    test('to the first attempt is not measured in test mode, where anybody may cause it', async () => {
      await start({}, 'test');
      await land(1);
      await passTime(0);
      expect(receiver.received).toHaveLength(1);
      expect(seen('first_attempt_lag')).toEqual([]);
    });

    test('to the first attempt is not measured when an event is redelivered by hand', async () => {
      await start();
      const [landed] = await land(1);
      await passTime(0);
      await passTime(HOUR);
      expect((await api.redeliver(landed?.event.id ?? '')).status).toBe(202);
      await passTime(0);
      expect(receiver.received).toHaveLength(2);
      expect(seen('first_attempt_lag')).toEqual(['0 Milliseconds']);
    });
  });

  describe('the age of the oldest due work', () => {
    test('counts from its due time, and is zero once a sweep has taken it', async () => {
      const lost = { send: async () => {} };
      await start({ queue: lost });
      await sweep();
      expect(seen('oldest_due')).toEqual(['0 Milliseconds']);
      await land(2);
      world.clock.advance(20 * SECOND);
      await land(1);
      world.clock.advance(41_500);
      // The first two were due 10 s after they landed.
      await sweep();
      await sweep();
      expect(seen('oldest_due').slice(1)).toEqual(['51500 Milliseconds', '0 Milliseconds']);
      // Taken, and lost in the queue again: due again five minutes later.
      world.clock.advance(5 * MINUTE + 250);
      await sweep();
      expect(seen('oldest_due').at(-1)).toBe('250 Milliseconds');
    });
  });

  describe('behind a failing endpoint', () => {
    beforeEach(async () => {
      await start();
      answerAfter(503);
      // Each fails once, and the fifth failure opens the breaker. From then on they take turns as canary.
      await land(5);
      await passTime(0);
      expect(seen('deliveries_parked')).toEqual([]);
      lines = [];
      await passTime(MINUTE);
      expect(sumOf('deliveries_parked')).toBeGreaterThanOrEqual(4);
      lines = [];
    });

    test('parked deliveries are counted as such, and are neither attempts, lag nor overdue', async () => {
      await land(3);
      world.clock.advance(90);
      await passTime(0);
      expect(seen('deliveries_parked')).toEqual(['1 Count', '1 Count', '1 Count']);
      // All but the canary.
      expect((await stateOf()).filter((state) => state === 'parked')).toHaveLength(7);
      await sweep();
      expect(seen('oldest_due')).toEqual(['0 Milliseconds']);
      for (const name of ['first_attempt_lag', 'delivery_lag', 'deliveries_exhausted'] as const) {
        expect(seen(name)).toEqual([]);
      }
    });

    test('each drained delivery is counted once, and its first attempt adds no lag', async () => {
      await land(3);
      await passTime(0);
      answerAfter(200);
      expect(sumOf('deliveries_drained')).toBe(0);
      await passTime(30 * MINUTE);
      expect(new Set(await stateOf())).toEqual(new Set(['succeeded']));
      expect(sumOf('deliveries_drained')).toBe(7);
      expect(new Set(seen('deliveries_drained').map((one) => one.split(' ')[1]))).toEqual(new Set(['Count']));
      expect(seen('first_attempt_lag')).toEqual([]);
    });

    test('a parked delivery that is redelivered by hand adds no lag', async () => {
      const [landed] = await land(1);
      await passTime(0);
      await passTime(5 * MINUTE);
      answerAfter(200);
      expect((await api.redeliver(landed?.event.id ?? '')).status).toBe(202);
      const before = receiver.received.length;
      await passTime(0);
      expect(receiver.received).toHaveLength(before + 1);
      expect(seen('first_attempt_lag')).toEqual([]);
    });
  });

  describe('behind a disabled endpoint', () => {
    beforeEach(async () => {
      await start();
      await api.updateEndpoint(endpointId, { enabled: false });
    });

    test('parked deliveries are counted once, and are neither lag nor overdue', async () => {
      await land(3);
      await passTime(0);
      expect(await stateOf()).toEqual(['parked', 'parked', 'parked']);
      expect(seen('deliveries_parked')).toEqual(['1 Count', '1 Count', '1 Count']);
      await passTime(29 * DAY);
      await sweep();
      expect(sumOf('deliveries_parked')).toBe(3);
      expect(seen('oldest_due').at(-1)).toBe('0 Milliseconds');
      expect([...seen('first_attempt_lag'), ...seen('delivery_lag')]).toEqual([]);
    });

    test('what is sent by hand or by a drain once it is switched on again adds no lag', async () => {
      const [landed] = await land(4);
      await passTime(0);
      answerAfter(200);
      await api.updateEndpoint(endpointId, { enabled: true });
      expect((await api.redeliver(landed?.event.id ?? '')).status).toBe(202);
      await passTime(2 * DAY);
      await api.recoverEndpoint(endpointId, { since: new Date(0).toISOString() });
      await passTime(DAY);
      expect(await stateOf()).toContain('succeeded');
      expect(seen('first_attempt_lag')).toEqual([]);
    });

    test('each delivery that is given up after 30 days is logged but not counted, so that nobody is alerted', async () => {
      const landed = await land(2);
      await passTime(31 * DAY);
      expect(await stateOf()).toEqual(['exhausted', 'exhausted']);
      const given = { event: 'delivery_given_up', endpoint_id: endpointId };
      const expected = landed.map(({ event }) => ({ ...given, event_id: event.id }));
      expect(world.loggedLines('delivery_given_up')).toEqual(expect.arrayContaining(expected));
      expect(seen('deliveries_exhausted')).toEqual([]);
    });
  });

  test('a delivery that is given up is counted once', async () => {
    await start({ schedule: { gaps: [1_000, 1_000], afterwards: HOUR, until: MINUTE } });
    answerAfter(500);
    await land(1);
    await passTime(1_500);
    expect(seen('deliveries_exhausted')).toEqual([]);
    await passTime(2 * HOUR);
    expect(await stateOf()).toEqual(['exhausted']);
    expect(seen('deliveries_exhausted')).toEqual(['1 Count']);
    expect(seen('endpoints_disabled')).toEqual([]);
  });

  test('what is given up of a checkout that nobody paid is not counted: it costs nothing to cause', async () => {
    await start({ schedule: { gaps: [1_000, 1_000], afterwards: HOUR, until: MINUTE } });
    answerAfter(500);
    await landEvents(time.deps, business.id, 1, 'checkout.expired');
    await passTime(3 * HOUR);
    expect(await stateOf()).toEqual(['exhausted']);
    expect(seen('deliveries_exhausted')).toEqual([]);
  });

  test('a test event that is given up is not counted, in live mode either', async () => {
    await start({ schedule: { gaps: [1_000, 1_000], afterwards: HOUR, until: MINUTE } });
    answerAfter(500);
    expect((await api.testEndpoint(endpointId)).status).toBe(201);
    await passTime(3 * HOUR);
    expect(await stateOf()).toEqual(['exhausted']);
    expect(seen('deliveries_exhausted')).toEqual([]);
  });

  longTest('an endpoint that is disabled after five days of failures is counted once', async () => {
    await start({ schedule: { gaps: [1_000], afterwards: 12 * HOUR, until: 30 * DAY } });
    answerAfter(500);
    await land(1);
    for (let day = 0; day < 5; day += 1) await passTime(DAY - HOUR);
    expect(seen('endpoints_disabled')).toEqual([]);
    await passTime(DAY);
    expect((await world.deps.endpoints.find(business.tenant, endpointId))?.enabled).toBe(false);
    expect(seen('endpoints_disabled')).toEqual(['1 Count']);
  });

  longTest(
    'an endpoint that is disabled because it is gone is in the log and counted nowhere: its merchant can repeat that',
    async () => {
      await start();
      answerAfter(410);
      await land(2);
      await passTime(30 * MINUTE);
      expect((await world.deps.endpoints.find(business.tenant, endpointId))?.enabled).toBe(true);
      await passTime(3 * HOUR);
      expect((await world.deps.endpoints.find(business.tenant, endpointId))?.enabled).toBe(false);
      const disabled = { event: 'endpoint_disabled', mode: 'live', reason: 'It answered 410 Gone twice.' };
      expect(world.logged).toContainEqual(expect.objectContaining(disabled));
      expect(seen('endpoints_disabled')).toEqual([]);
    },
  );

  test('what is given up in test mode, and an endpoint that is disabled there, are counted nowhere: the log has them', async () => {
    await start({ schedule: { gaps: [1_000, 1_000], afterwards: HOUR, until: 2 * HOUR } }, 'test');
    answerAfter(410);
    await land(2);
    await passTime(5 * HOUR);
    expect(await stateOf()).toContain('exhausted');
    const disabled = { event: 'endpoint_disabled', mode: 'test', business_id: business.id };
    expect(world.logged).toContainEqual(expect.objectContaining(disabled));
    for (const name of ['deliveries_exhausted', 'endpoints_disabled', 'first_attempt_lag'] as const) {
      expect(seen(name)).toEqual([]);
    }
  });

  test.each([
    ['that is answered', 200, true],
    ['that fails', 500, false],
  ])(
    'an attempt %s is one log line with event, endpoint, attempt, code and milliseconds, and nothing else',
    async (_, status, succeeded) => {
      await start();
      answerAfter(500);
      const [landed] = await land(1);
      await passTime(0);
      answerAfter(status);
      await passTime(5 * SECOND);
      expect(receiver.received).toHaveLength(2);
      const attempt = {
        event: 'delivery_attempted',
        event_id: landed?.event.id,
        event_type: 'checkout.paid',
        endpoint_id: endpointId,
        milliseconds: ANSWER_TIME,
        error: null,
      };
      expect(world.loggedLines('delivery_attempted')).toStrictEqual([
        { ...attempt, attempt: 1, status_code: 500, succeeded: false },
        { ...attempt, attempt: 2, status_code: status, succeeded },
      ]);
      // The endpoint echoes the body. Neither that nor the secret may be logged.
      const secret = business.secrets[0] ?? '';
      expect(receiver.received[0]?.body).toMatch(/PAY-\w.*Ọjà/);
      expect(secret).toMatch(/^whsec_./);
      const everything = JSON.stringify([world.logged, lines]);
      for (const secretText of ['PAY-', 'Ọjà', 'whsec_', secret.slice(6)]) expect(everything).not.toContain(secretText);
    },
  );

  test('an attempt at a server that does not answer is logged with no status code', async () => {
    await start();
    await receiver.stop();
    await land(1);
    await passTime(0);
    expect(world.loggedLines('delivery_attempted')).toMatchObject([
      { attempt: 1, status_code: null, milliseconds: 0, succeeded: false },
    ]);
  });
});
