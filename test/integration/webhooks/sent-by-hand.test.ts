import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import { longTest } from '#test/support/jest/long.ts';
import { replayOf } from '#test/support/worlds/answers.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import { statusCounts } from '#test/support/worlds/status-counts.ts';
import { api, business, endpointId, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';
import { NOON } from '#test/support/worlds/world.ts';

const SENDS = 60;
const RECOVERIES = 10;

describe('what an endpoint is sent by hand', () => {
  // Twenty seconds into a minute.
  const urls = Array.from({ length: 5 }, (_, i) => `https://hooks.example/${i}`);
  openMerchantForEachTest({ urls, world: { startAt: NOON + 20 * SECOND } });
  const neighbour = (): string => business.endpoints[1]?.id ?? '';

  test('is at most sixty test events and redeliveries a minute, however many are asked for at once', async () => {
    expect(await statusCounts(SENDS + 20, () => api.testEndpoint(endpointId))).toEqual({ 201: SENDS, 429: 20 });
    // A message whose answer is late on a busy machine is sent again, which repeats no delivery.
    expect(new Set((await world.takeJobs()).map(({ eventId }) => eventId)).size).toBe(SENDS);
    // What was refused left nothing behind.
    expect(await world.itemsOf('DLV#')).toHaveLength(SENDS);

    const [landed] = await landEvents(world.deps, business.id, 1);
    await world.takeJobs();
    const refused = await api.redeliver(landed?.event.id ?? '', { endpoint_id: endpointId });
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '40' } });
    expect(refused.json).toMatchObject({
      code: 'rate_limited',
      message: 'A webhook endpoint takes at most 60 test events and redeliveries a minute. Try again in 40 s.',
      errors: [{ field: 'endpoint_id', message: `${endpointId} has reached its limit.` }],
    });
    expect(await world.takeJobs()).toEqual([]);

    // Its neighbours have their own, and it has a new one with the next minute.
    expect((await api.testEndpoint(neighbour())).status).toBe(201);
    world.clock.advance(40 * SECOND);
    expect((await api.redeliver(landed?.event.id ?? '', { endpoint_id: endpointId })).status).toBe(202);
  });

  longTest(
    'is counted for each endpoint that a redelivery reaches, and nothing is sent when one of them has had enough',
    async () => {
      const [landed] = await landEvents(world.deps, business.id, 1);
      await world.takeJobs();
      const event = landed?.event.id ?? '';
      await statusCounts(SENDS, () => api.testEndpoint(endpointId));
      await world.takeJobs();
      expect((await api.redeliver(event)).status).toBe(429);
      expect(await world.takeJobs()).toEqual([]);
      expect((await api.redeliver(event, { endpoint_id: neighbour() })).status).toBe(202);
      expect(await world.takeJobs()).toHaveLength(1);
    },
  );

  test('is at most ten recoveries a minute, apart from the rest', async () => {
    const since = new Date(world.clock.now() - MINUTE).toISOString();
    const recover = () => api.recoverEndpoint(endpointId, { since });
    expect(await statusCounts(RECOVERIES + 5, recover)).toEqual({ 202: RECOVERIES, 429: 5 });
    expect((await recover()).json.message).toBe(
      'A webhook endpoint takes at most 10 recoveries a minute. Try again in 40 s.',
    );
    expect((await api.testEndpoint(endpointId)).status).toBe(201);
    world.clock.advance(MINUTE);
    expect((await recover()).status).toBe(202);
  });

  test('is not counted again for a repeated request, and a refusal is not kept under its Idempotency-Key', async () => {
    const keyed = () => api.testEndpoint(endpointId, undefined, { 'idempotency-key': 'test-1' });
    const sent = await keyed();
    await statusCounts(SENDS - 1, () => api.testEndpoint(endpointId));
    expect(await keyed()).toMatchObject(replayOf(sent));

    const again = () => api.testEndpoint(endpointId, undefined, { 'idempotency-key': 'test-2' });
    expect((await again()).status).toBe(429);
    world.clock.advance(40 * SECOND);
    expect((await again()).status).toBe(201);
  });

  test('is nothing at all while the table does not take the count', async () => {
    const { usage } = world.deps;
    Object.assign(world.deps, { usage: { take: () => Promise.reject(new Error('The table is away.')) } });
    const without = apiClient(world, business.keys.secret_test);
    expect((await without.testEndpoint(endpointId)).status).toBe(500);
    expect(await world.takeJobs()).toEqual([]);
    Object.assign(world.deps, { usage });
  });
});
