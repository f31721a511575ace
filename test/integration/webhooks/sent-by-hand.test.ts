import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import { longTest } from '#test/support/jest/long.ts';
import { expectReplay } from '#test/support/worlds/answers.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { countStatuses } from '#test/support/worlds/status-counts.ts';
import { api, business, endpointId, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';
import { NOON } from '#test/support/worlds/world.ts';

const SENDS = 60;
const RECOVERIES = 10;

describe('the limit of sends by hand to an endpoint', () => {
  // The test starts twenty seconds after the start of a minute.
  const urls = Array.from({ length: 5 }, (_, i) => `https://hooks.example/${i}`);
  openMerchantForEachTest({ urls, world: { startAt: NOON + 20 * SECOND } });
  const neighbour = (): string => business.endpoints[1]?.id ?? '';

  test('allows sixty test events and redeliveries a minute, however many requests come at once', async () => {
    expect(await countStatuses(SENDS + 20, () => api.testEndpoint(endpointId))).toEqual({ 201: SENDS, 429: 20 });
    // On a busy machine a message with a late answer is sent again, which does not repeat its delivery.
    expect(new Set((await world.takeJobs()).map(({ eventId }) => eventId)).size).toBe(SENDS);
    // Requests over the limit store nothing.
    expect(await world.itemsOf('DLV#')).toHaveLength(SENDS);

    const [landed] = await landEvents(world.deps, business.id, 1);
    await world.takeJobs();
    const limited = await api.redeliver(landed?.event.id ?? '', { endpoint_id: endpointId });
    expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': '40' } });
    expect(limited.json).toMatchObject({
      code: 'rate_limited',
      message: 'A webhook endpoint takes at most 60 test events and redeliveries a minute. Try again in 40 s.',
      errors: [{ field: 'endpoint_id', message: `${endpointId} has reached its limit.` }],
    });
    expect(await world.takeJobs()).toEqual([]);

    // The other endpoints have limits of their own, and this endpoint may get more in the next minute.
    expect((await api.testEndpoint(neighbour())).status).toBe(201);
    world.clock.advance(40 * SECOND);
    expect((await api.redeliver(landed?.event.id ?? '', { endpoint_id: endpointId })).status).toBe(202);
  });

  longTest(
    'counts a redelivery at each of its endpoints, and nothing is sent if one of them has reached its limit',
    async () => {
      const [landed] = await landEvents(world.deps, business.id, 1);
      await world.takeJobs();
      const event = landed?.event.id ?? '';
      await countStatuses(SENDS, () => api.testEndpoint(endpointId));
      await world.takeJobs();
      expect((await api.redeliver(event)).status).toBe(429);
      expect(await world.takeJobs()).toEqual([]);
      expect((await api.redeliver(event, { endpoint_id: neighbour() })).status).toBe(202);
      expect(await world.takeJobs()).toHaveLength(1);
    },
  );

  test('allows ten recoveries a minute, counted separately', async () => {
    const since = new Date(world.clock.now() - MINUTE).toISOString();
    const recover = () => api.recoverEndpoint(endpointId, { since });
    expect(await countStatuses(RECOVERIES + 5, recover)).toEqual({ 202: RECOVERIES, 429: 5 });
    expect((await recover()).json.message).toBe(
      'A webhook endpoint takes at most 10 recoveries a minute. Try again in 40 s.',
    );
    expect((await api.testEndpoint(endpointId)).status).toBe(201);
    world.clock.advance(MINUTE);
    expect((await recover()).status).toBe(202);
  });

  test('does not count a repeated request again, and its error is not stored under an Idempotency-Key', async () => {
    const keyed = () => api.testEndpoint(endpointId, undefined, { 'idempotency-key': 'test-1' });
    const sent = await keyed();
    await countStatuses(SENDS - 1, () => api.testEndpoint(endpointId));
    expect(await keyed()).toMatchObject(expectReplay(sent));

    const overLimit = () => api.testEndpoint(endpointId, undefined, { 'idempotency-key': 'test-2' });
    expect((await overLimit()).status).toBe(429);
    world.clock.advance(40 * SECOND);
    expect((await overLimit()).status).toBe(201);
  });

  test('allows nothing while the count cannot be written', async () => {
    const { usage } = world.deps;
    Object.assign(world.deps, { usage: { take: () => Promise.reject(new Error('The table is away.')) } });
    const client = createApiClient(world, business.keys.secret_test);
    expect((await client.testEndpoint(endpointId)).status).toBe(500);
    expect(await world.takeJobs()).toEqual([]);
    Object.assign(world.deps, { usage });
  });
});
