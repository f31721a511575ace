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
    // Only one consumer, so that the time of one answer does not add to the lag of another delivery.
    await openMerchant({ mode, simulated: { deps: { metrics, ...deps }, consumers: 1 } });
    answerWith(200);
  };
  afterEach(() => receiver.stop());

  const answerWith = (status: number): void =>
    receiver.answer((response, { body }) => {
      world.clock.advance(ANSWER_TIME);
      response.writeHead(status).end(body);
    });
  const advance = (milliseconds: number) => time.runUntil(world.clock.now() + milliseconds);
  const land = (count: number) => landEvents(time.deps, business.id, count);
  const sweep = () => sweepDueWork(time.deps, Number.POSITIVE_INFINITY);
  const readStates = async (): Promise<Delivery['state'][]> => (await world.deliveries()).map(({ state }) => state);
  /** Reads the values of a metric like CloudWatch, each with its unit. */
  const readMetric = (name: MetricName): string[] =>
    lines.flatMap((line) => {
      const { _aws, ...values } = JSON.parse(line);
      const [{ Metrics }] = _aws.CloudWatchMetrics;
      return Metrics[0].Name === name ? [`${values[name]} ${Metrics[0].Unit}`] : [];
    });
  const sumMetric = (name: MetricName): number =>
    readMetric(name).reduce((sum, value) => sum + Number.parseInt(value, 10), 0);

  describe('lag', () => {
    test('counts from the landing to the first attempt, and to the successful answer', async () => {
      await start();
      await land(1);
      world.clock.advance(700);
      await advance(0);
      expect(readMetric('first_attempt_lag')).toEqual(['700 Milliseconds']);
      expect(readMetric('delivery_lag')).toEqual([`${700 + ANSWER_TIME} Milliseconds`]);
    });

    test('counts once to the first attempt, even if that attempt fails, and once to the answer that accepts the webhook', async () => {
      await start();
      answerWith(500);
      await land(1);
      world.clock.advance(400);
      await advance(0);
      expect(readMetric('first_attempt_lag')).toEqual(['400 Milliseconds']);
      expect(readMetric('delivery_lag')).toEqual([]);
      await advance(5 * SECOND);
      answerWith(200);
      await advance(40 * SECOND);
      expect(receiver.received).toHaveLength(3);
      expect(readMetric('first_attempt_lag')).toEqual(['400 Milliseconds']);
      // Three answers, and the gaps of 5 s and 30 s after the first two.
      expect(readMetric('delivery_lag')).toEqual([`${400 + 3 * ANSWER_TIME + 35_000} Milliseconds`]);
    });

    test('does not count to the first attempt in test mode, where anybody may cause it', async () => {
      await start({}, 'test');
      await land(1);
      await advance(0);
      expect(receiver.received).toHaveLength(1);
      expect(readMetric('first_attempt_lag')).toEqual([]);
    });

    test('does not count to the first attempt of a redelivery by hand', async () => {
      await start();
      const [landed] = await land(1);
      await advance(0);
      await advance(HOUR);
      expect((await api.redeliver(landed?.event.id ?? '')).status).toBe(202);
      await advance(0);
      expect(receiver.received).toHaveLength(2);
      expect(readMetric('first_attempt_lag')).toEqual(['0 Milliseconds']);
    });
  });

  describe('the age of the oldest due work', () => {
    test('counts from its due time, and is zero after a sweep has taken it', async () => {
      const lost = { send: async () => {} };
      await start({ queue: lost });
      await sweep();
      expect(readMetric('oldest_due')).toEqual(['0 Milliseconds']);
      await land(2);
      world.clock.advance(20 * SECOND);
      await land(1);
      world.clock.advance(41_500);
      // The first two were due 10 s after they landed.
      await sweep();
      await sweep();
      expect(readMetric('oldest_due').slice(1)).toEqual(['51500 Milliseconds', '0 Milliseconds']);
      // The queue loses the messages again, so the work is due again five minutes later.
      world.clock.advance(5 * MINUTE + 250);
      await sweep();
      expect(readMetric('oldest_due').at(-1)).toBe('250 Milliseconds');
    });
  });

  describe('behind a failing endpoint', () => {
    beforeEach(async () => {
      await start();
      answerWith(503);
      // Each delivery fails once, and the fifth failure opens the breaker. Then each delivery in turn is the canary.
      await land(5);
      await advance(0);
      expect(readMetric('deliveries_parked')).toEqual([]);
      lines = [];
      await advance(MINUTE);
      expect(sumMetric('deliveries_parked')).toBeGreaterThanOrEqual(4);
      lines = [];
    });

    test('parked deliveries count as parked, and not as attempts, lag or overdue work', async () => {
      await land(3);
      world.clock.advance(90);
      await advance(0);
      expect(readMetric('deliveries_parked')).toEqual(['1 Count', '1 Count', '1 Count']);
      // All eight deliveries are parked, except the canary.
      expect((await readStates()).filter((state) => state === 'parked')).toHaveLength(7);
      await sweep();
      expect(readMetric('oldest_due')).toEqual(['0 Milliseconds']);
      for (const name of ['first_attempt_lag', 'delivery_lag', 'deliveries_exhausted'] as const) {
        expect(readMetric(name)).toEqual([]);
      }
    });

    test('each drained delivery counts once, and its first attempt adds no lag', async () => {
      await land(3);
      await advance(0);
      answerWith(200);
      expect(sumMetric('deliveries_drained')).toBe(0);
      await advance(30 * MINUTE);
      expect(new Set(await readStates())).toEqual(new Set(['succeeded']));
      expect(sumMetric('deliveries_drained')).toBe(7);
      expect(new Set(readMetric('deliveries_drained').map((one) => one.split(' ')[1]))).toEqual(new Set(['Count']));
      expect(readMetric('first_attempt_lag')).toEqual([]);
    });

    test('a redelivery of a parked delivery by hand adds no lag', async () => {
      const [landed] = await land(1);
      await advance(0);
      await advance(5 * MINUTE);
      answerWith(200);
      expect((await api.redeliver(landed?.event.id ?? '')).status).toBe(202);
      const before = receiver.received.length;
      await advance(0);
      expect(receiver.received).toHaveLength(before + 1);
      expect(readMetric('first_attempt_lag')).toEqual([]);
    });
  });

  describe('behind a disabled endpoint', () => {
    beforeEach(async () => {
      await start();
      await api.updateEndpoint(endpointId, { enabled: false });
    });

    test('parked deliveries count once, and not as lag or overdue work', async () => {
      await land(3);
      await advance(0);
      expect(await readStates()).toEqual(['parked', 'parked', 'parked']);
      expect(readMetric('deliveries_parked')).toEqual(['1 Count', '1 Count', '1 Count']);
      await advance(29 * DAY);
      await sweep();
      expect(sumMetric('deliveries_parked')).toBe(3);
      expect(readMetric('oldest_due').at(-1)).toBe('0 Milliseconds');
      expect([...readMetric('first_attempt_lag'), ...readMetric('delivery_lag')]).toEqual([]);
    });

    test('deliveries by hand or by a drain add no lag after the endpoint is switched on again', async () => {
      const [landed] = await land(4);
      await advance(0);
      answerWith(200);
      await api.updateEndpoint(endpointId, { enabled: true });
      expect((await api.redeliver(landed?.event.id ?? '')).status).toBe(202);
      await advance(2 * DAY);
      await api.recoverEndpoint(endpointId, { since: new Date(0).toISOString() });
      await advance(DAY);
      expect(await readStates()).toContain('succeeded');
      expect(readMetric('first_attempt_lag')).toEqual([]);
    });

    test('each delivery that is exhausted after 30 days is logged but not counted, so that nobody is alerted', async () => {
      const landed = await land(2);
      await advance(31 * DAY);
      expect(await readStates()).toEqual(['exhausted', 'exhausted']);
      const given = { event: 'delivery_given_up', endpoint_id: endpointId };
      const expected = landed.map(({ event }) => ({ ...given, event_id: event.id }));
      expect(world.loggedLines('delivery_given_up')).toEqual(expect.arrayContaining(expected));
      expect(readMetric('deliveries_exhausted')).toEqual([]);
    });
  });

  test('an exhausted delivery is counted once', async () => {
    await start({ schedule: { gaps: [1_000, 1_000], afterwards: HOUR, until: MINUTE } });
    answerWith(500);
    await land(1);
    await advance(1_500);
    expect(readMetric('deliveries_exhausted')).toEqual([]);
    await advance(2 * HOUR);
    expect(await readStates()).toEqual(['exhausted']);
    expect(readMetric('deliveries_exhausted')).toEqual(['1 Count']);
    expect(readMetric('endpoints_disabled')).toEqual([]);
  });

  test('an exhausted delivery of an unpaid checkout is not counted, because anybody can cause it', async () => {
    await start({ schedule: { gaps: [1_000, 1_000], afterwards: HOUR, until: MINUTE } });
    answerWith(500);
    await landEvents(time.deps, business.id, 1, 'checkout.expired');
    await advance(3 * HOUR);
    expect(await readStates()).toEqual(['exhausted']);
    expect(readMetric('deliveries_exhausted')).toEqual([]);
  });

  test('an exhausted test event is not counted, even in live mode', async () => {
    await start({ schedule: { gaps: [1_000, 1_000], afterwards: HOUR, until: MINUTE } });
    answerWith(500);
    expect((await api.testEndpoint(endpointId)).status).toBe(201);
    await advance(3 * HOUR);
    expect(await readStates()).toEqual(['exhausted']);
    expect(readMetric('deliveries_exhausted')).toEqual([]);
  });

  longTest('an endpoint that is disabled after five days of failures is counted once', async () => {
    await start({ schedule: { gaps: [1_000], afterwards: 12 * HOUR, until: 30 * DAY } });
    answerWith(500);
    await land(1);
    for (let day = 0; day < 5; day += 1) await advance(DAY - HOUR);
    expect(readMetric('endpoints_disabled')).toEqual([]);
    await advance(DAY);
    expect((await world.deps.endpoints.find(business.tenant, endpointId))?.enabled).toBe(false);
    expect(readMetric('endpoints_disabled')).toEqual(['1 Count']);
  });

  longTest(
    'an endpoint that is disabled because it is gone is logged but not counted, because its merchant can cause that at will',
    async () => {
      await start();
      answerWith(410);
      await land(2);
      await advance(30 * MINUTE);
      expect((await world.deps.endpoints.find(business.tenant, endpointId))?.enabled).toBe(true);
      await advance(3 * HOUR);
      expect((await world.deps.endpoints.find(business.tenant, endpointId))?.enabled).toBe(false);
      const disabled = { event: 'endpoint_disabled', mode: 'live', reason: 'It answered 410 Gone twice.' };
      expect(world.logged).toContainEqual(expect.objectContaining(disabled));
      expect(readMetric('endpoints_disabled')).toEqual([]);
    },
  );

  test('exhausted deliveries and disabled endpoints of test mode are logged but not counted', async () => {
    await start({ schedule: { gaps: [1_000, 1_000], afterwards: HOUR, until: 2 * HOUR } }, 'test');
    answerWith(410);
    await land(2);
    await advance(5 * HOUR);
    expect(await readStates()).toContain('exhausted');
    const disabled = { event: 'endpoint_disabled', mode: 'test', business_id: business.id };
    expect(world.logged).toContainEqual(expect.objectContaining(disabled));
    for (const name of ['deliveries_exhausted', 'endpoints_disabled', 'first_attempt_lag'] as const) {
      expect(readMetric(name)).toEqual([]);
    }
  });

  test.each([
    ['that is answered', 200, true],
    ['that fails', 500, false],
  ])(
    'an attempt %s is one log line with only event, endpoint, attempt, code and milliseconds',
    async (_, status, succeeded) => {
      await start();
      answerWith(500);
      const [landed] = await land(1);
      await advance(0);
      answerWith(status);
      await advance(5 * SECOND);
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
      // The endpoint echoes the body. Neither the body nor the secret may be logged.
      const secret = business.secrets[0] ?? '';
      expect(receiver.received[0]?.body).toMatch(/PAY-\w.*Ọjà/);
      expect(secret).toMatch(/^whsec_./);
      const everything = JSON.stringify([world.logged, lines]);
      for (const secretText of ['PAY-', 'Ọjà', 'whsec_', secret.slice(6)]) expect(everything).not.toContain(secretText);
    },
  );

  test('an attempt without an answer is logged without a status code', async () => {
    await start();
    await receiver.stop();
    await land(1);
    await advance(0);
    expect(world.loggedLines('delivery_attempted')).toMatchObject([
      { attempt: 1, status_code: null, milliseconds: 0, succeeded: false },
    ]);
  });
});
