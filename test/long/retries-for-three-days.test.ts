import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { type Delivery, delivery } from '#shared/webhooks/domain/delivery.ts';
import { PARKED_RETENTION, webhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import { createRandom } from '#test/support/chaos/random.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import { type SimulatedTime, startSimulatedTime } from '#test/support/emulators/simulated-time.ts';
import { type Received, type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const GAPS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR];
/** Milliseconds by which a gap may be longer, because the queue's delays and the signatures count whole seconds. */
const ROUNDING = 2 * SECOND;

describe('three days of retries, under a simulated clock', () => {
  let world: World;
  let receiver: Receiver;
  let business: Awaited<ReturnType<World['addBusiness']>>;
  let time: SimulatedTime;
  /** The requests of the receiver, with the simulated time and the answered status. */
  let posts: (Received & { at: number; status: number })[];
  let respond: (response: ServerResponse) => void;

  const start = async (...others: string[]): Promise<void> => {
    world = await makeWorld();
    business = await world.addBusiness([receiver.url, ...others], 'live');
    time = startSimulatedTime(world, { deps: { draw: createRandom(7) } });
  };
  /** Runs until `milliseconds` after the start. */
  const runTo = (milliseconds: number) => time.runUntil(time.startedAt + milliseconds);
  const land = (count: number) => landEvents(time.deps, business.id, count);
  const endpointId = (n = 0): string => business.endpoints[n]?.id ?? '';
  const deliveries = async (n = 0): Promise<Delivery[]> =>
    (await world.itemsOf('DLV#')).map((item) => delivery.parse(item)).filter((d) => d.endpointId === endpointId(n));
  const endpoint = async (n = 0) =>
    webhookEndpoint.parse((await world.itemsOf('WHE')).find(({ id }) => id === endpointId(n)));
  const answerWith = (code: number, headers: Record<string, string> = {}) => {
    respond = (response) => response.writeHead(code, headers).end();
  };
  /** Lists the gaps between requests, in simulated time. */
  const listGaps = (): number[] => posts.slice(1).map(({ at }, i) => at - (posts[i]?.at ?? 0));

  /** Expects a planned gap within its jitter. A gap that is longer than a queue delay may be one sweep longer. */
  const expectGap = (gap: number, planned: number): void => {
    expect(gap).toBeGreaterThanOrEqual(planned * 0.8);
    expect(gap).toBeLessThanOrEqual(planned * 1.2 + (planned > 12 * MINUTE ? MINUTE : 0) + ROUNDING);
  };

  beforeEach(async () => {
    receiver = await startReceiver();
    posts = [];
    answerWith(200);
    receiver.answer((response, received) => {
      respond(response);
      posts.push({ ...received, at: world.clock.now(), status: response.statusCode });
    });
  });
  afterEach(() => receiver.stop());

  test('an endpoint that is down for 71 h gets each event exactly once when it recovers', async () => {
    await start();
    const healthy = await land(2);
    await runTo(MINUTE);
    expect(posts.map((post) => post.status)).toEqual([200, 200]);

    answerWith(503);
    const landed = await land(4);
    for (let hour = 1; hour < 71; hour++) {
      await runTo(hour * HOUR);
      landed.push(...(await land(1)));
    }
    await runTo(71 * HOUR + MINUTE);
    expect(posts.filter((post) => post.status === 200)).toHaveLength(2);
    const failedRequests = posts.length - 2;
    expect(failedRequests).toBeGreaterThanOrEqual(70);
    expect(failedRequests).toBeLessThan(100);

    answerWith(200);
    await runTo(73 * HOUR);
    const arrived = posts.filter((post) => post.status === 200).map(({ headers }) => String(headers['webhook-id']));
    expect(arrived).toHaveLength(2 + landed.length);
    expect(arrived.toSorted()).toEqual([...healthy, ...landed].map(({ event }) => event.id).toSorted());
    expect(new Set((await deliveries()).map(({ state }) => state))).toEqual(new Set(['succeeded']));
    // Nothing comes afterwards, neither from the queue nor from the due-work index.
    await runTo(80 * HOUR);
    expect(posts).toHaveLength(2 + failedRequests + landed.length);
    expect(await world.itemsOf('BREAKER')).toMatchObject([{ state: 'closed', outage: null }]);
  });

  test('attempts follow the schedule within jitter and one sweep, with the same id and bytes, each newly signed', async () => {
    await start();
    answerWith(500);
    const [landed] = await land(1);
    await runTo(71 * HOUR);
    answerWith(200);
    await runTo(72 * HOUR);

    listGaps().forEach((gap, i) => {
      expectGap(gap, GAPS[i] ?? HOUR);
    });
    expect(posts.length).toBeGreaterThan(65);
    expect(posts.filter((request) => request.status === 200)).toHaveLength(1);
    const signer = new Webhook(business.secrets[0] ?? '');
    for (const { headers, body, at } of posts) {
      expect(body).toBe(landed?.event.body);
      expect(headers['webhook-id']).toBe(landed?.event.id);
      expect(headers['webhook-timestamp']).toBe(String(Math.floor(at / SECOND)));
      expect(headers['webhook-signature']).toBe(signer.sign(landed?.event.id ?? '', new Date(at), body));
    }
    expect(new Set(posts.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(posts.length);
    // With jitter, hourly gaps differ.
    expect(new Set(listGaps().slice(6)).size).toBeGreaterThan(10);
    const attempts = await world.itemsOf('ATT#');
    expect(attempts.map(({ number }) => number).toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: posts.length - 1 }, (_, i) => i + 1),
    );
  });

  test('after 72 h the delivery is exhausted, and stays so when the endpoint recovers', async () => {
    await start();
    answerWith(500);
    await land(1);
    await runTo(90 * HOUR);
    const last = posts.at(-1)?.at ?? 0;
    expect(last - time.startedAt).toBeGreaterThan(70.7 * HOUR);
    expect(last - time.startedAt).toBeLessThanOrEqual(72 * HOUR + MINUTE);
    expect(await deliveries()).toMatchObject([
      { state: 'exhausted', attempt: posts.length, dueAt: null, nextAttemptAt: null },
    ]);
    const count = posts.length;
    answerWith(200);
    await runTo(6 * DAY);
    expect(posts).toHaveLength(count);
    expect(world.measured).toContainEqual({ metric: 'deliveries_exhausted', value: 1 });
  });

  describe('Retry-After', () => {
    const measureFirstGap = async (code: number, header: string | (() => string)): Promise<number> => {
      await start();
      answerWith(code, { 'retry-after': typeof header === 'string' ? header : header() });
      await land(1);
      await runTo(SECOND);
      answerWith(200);
      await runTo(9 * HOUR);
      expect(posts).toHaveLength(2);
      return listGaps()[0] ?? 0;
    };
    const inTwoHours = (): string => new Date(world.clock.now() + 2 * HOUR).toUTCString();

    test.each<[string, number, string | (() => string), number, number]>([
      ['503 with two hours in seconds', 503, '7200', 2 * HOUR, 2 * HOUR + MINUTE],
      ['429 with two hours in seconds', 429, '7200', 2 * HOUR, 2 * HOUR + MINUTE],
      ['503 with a date in two hours', 503, inTwoHours, 2 * HOUR, 2 * HOUR + MINUTE],
      ['503 with a day, which is limited to six hours', 503, '86400', 6 * HOUR, 6 * HOUR + MINUTE],
      ['503 with 90 s, which the queue waits', 503, '90', 90 * SECOND, 90 * SECOND + ROUNDING],
      [
        '503 with one second, which the longer gap of the schedule replaces',
        503,
        '1',
        4 * SECOND,
        6 * SECOND + ROUNDING,
      ],
      [
        '503 with a past date, which the gap of the schedule replaces',
        503,
        'Thu, 01 Jan 2026 00:00:00 GMT',
        4_000,
        8_000,
      ],
      ['500, at which the header is ignored', 500, '7200', 4 * SECOND, 6 * SECOND + ROUNDING],
    ])('decides when the first retry comes: %s', async (_, code, header, atLeast, atMost) => {
      const gap = await measureFirstGap(code, header);
      expect(gap).toBeGreaterThanOrEqual(atLeast);
      expect(gap).toBeLessThanOrEqual(atMost);
    });

    test('does not extend the schedule', async () => {
      await start();
      answerWith(503, { 'retry-after': '21600' });
      await land(1);
      await runTo(4 * DAY);
      expect(posts.length).toBeLessThanOrEqual(14);
      const last = (posts.at(-1)?.at ?? 0) - time.startedAt;
      expect(last).toBeGreaterThan(66 * HOUR);
      expect(last).toBeLessThanOrEqual(72 * HOUR + MINUTE);
      expect(await deliveries()).toMatchObject([{ state: 'exhausted' }]);
    });
  });

  describe('410 Gone', () => {
    let other: Receiver;
    beforeEach(async () => {
      other = await startReceiver();
    });
    afterEach(() => other.stop());

    test('disables the endpoint at the second time, an hour or more later, and notifies the business’s other endpoint', async () => {
      await start(other.url);
      answerWith(410);
      await land(1);
      await runTo(HOUR - MINUTE);
      expect((await endpoint()).enabled).toBe(true);
      await runTo(2 * DAY);

      expect(await endpoint()).toMatchObject({ enabled: false, disabledReason: 'It answered 410 Gone twice.' });
      const disabledAt = (await endpoint()).disabledAt ?? 0;
      expect(disabledAt - (posts[0]?.at ?? 0)).toBeGreaterThanOrEqual(HOUR);
      expect(posts.at(-1)?.at).toBe(disabledAt);
      expect((posts.at(-2)?.at ?? 0) - (posts[0]?.at ?? 0)).toBeLessThan(HOUR);

      const notified = other.received.map(({ body }) => JSON.parse(body));
      expect(notified.map(({ type }) => type)).toEqual(['checkout.paid', 'endpoint.disabled']);
      expect(notified[1]).toMatchObject({
        mode: 'live',
        business_id: business.id,
        data: { id: endpointId(), enabled: false, disabled_reason: 'It answered 410 Gone twice.' },
      });
      expect(JSON.stringify(notified)).not.toContain('whsec_');
      expect((await endpoint(1)).enabled).toBe(true);

      // Later events are parked for the disabled endpoint.
      const before = posts.length;
      const [later] = await land(1);
      expect(later?.deliveries.map((to) => to.endpointId).toSorted()).toEqual([endpointId(), endpointId(1)].toSorted());
      await runTo(3 * DAY);
      expect(posts).toHaveLength(before);
      expect(other.received).toHaveLength(3);
      expect(await deliveries()).toMatchObject([{ state: 'parked' }, { state: 'parked' }]);
    });

    test('disables the endpoint at the second time even with other failures in between', async () => {
      await start(other.url);
      let count = 0;
      respond = (response) => response.writeHead(++count % 2 === 0 ? 500 : 410).end();
      await land(1);
      await runTo(2 * DAY);
      expect(await endpoint()).toMatchObject({ enabled: false, disabledReason: 'It answered 410 Gone twice.' });
    });

    test('does not disable the endpoint if a success came in between', async () => {
      await start(other.url);
      let count = 0;
      respond = (response) => response.writeHead(++count % 2 === 0 ? 200 : 410).end();
      for (let hour = 0; hour < 12; hour++) {
        await land(1);
        await runTo((hour + 1) * HOUR);
      }
      expect((await endpoint()).enabled).toBe(true);
      expect(posts).toHaveLength(24);
    });

    test('does not disable the endpoint if it comes several times within one hour', async () => {
      await start();
      answerWith(410);
      await land(1);
      await runTo(50 * MINUTE);
      expect(posts.length).toBeGreaterThanOrEqual(5);
      answerWith(200);
      await runTo(DAY);
      expect(await endpoint()).toMatchObject({ enabled: true });
      expect(await deliveries()).toMatchObject([{ state: 'succeeded' }]);
    });
  });

  test('five days of failures disable the endpoint; waiting deliveries are parked, and exhausted after 30 days', async () => {
    const other = await startReceiver();
    try {
      await start(other.url);
      answerWith(500);
      for (let hours = 0; hours < 120; hours += 6) {
        await runTo(hours * HOUR);
        await land(1);
      }
      await runTo(5 * DAY - HOUR);
      expect((await endpoint()).enabled).toBe(true);
      await runTo(5 * DAY + 2 * HOUR);
      const off = await endpoint();
      expect(off).toMatchObject({
        enabled: false,
        disabledReason: 'Nothing was delivered to it for five days.',
      });
      const disabledAt = off.disabledAt ?? 0;
      expect(disabledAt - time.startedAt).toBeGreaterThanOrEqual(5 * DAY);
      expect(posts.at(-1)?.at).toBe(disabledAt);
      expect(
        other.received.map(({ body }) => JSON.parse(body).type).filter((type) => type !== 'checkout.paid'),
      ).toEqual(['endpoint.disabled']);
      const requests = posts.length;

      // Each parked delivery is now due only once, after 30 days.
      await runTo(7 * DAY);
      const waiting = (await deliveries()).filter(({ state }) => state !== 'exhausted');
      expect(waiting.length).toBeGreaterThan(10);
      expect(new Set(waiting.map(({ state }) => state))).toEqual(new Set(['parked']));
      expect(new Set(waiting.map(({ dueAt }) => dueAt))).toEqual(new Set([disabledAt + PARKED_RETENTION]));
      const { worked } = time.counts();
      await time.runUntil(disabledAt + PARKED_RETENTION - MINUTE);
      expect(new Set((await deliveries()).map(({ state }) => state))).toEqual(new Set(['parked', 'exhausted']));
      // Meanwhile, parked deliveries cause no messages.
      expect(time.counts().worked - worked).toBeLessThan(5);

      await time.runUntil(disabledAt + PARKED_RETENTION + 10 * MINUTE);
      expect(new Set((await deliveries()).map(({ state, dueAt }) => `${state} ${dueAt}`))).toEqual(
        new Set(['exhausted null']),
      );
      expect(posts).toHaveLength(requests);
    } finally {
      await other.stop();
    }
  });
});
