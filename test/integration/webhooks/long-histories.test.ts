import { findExampleEvent } from '#infra/openapi/examples/events.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { type Attempt, lateDelivery } from '#shared/webhooks/domain/delivery.ts';
import { newEvent } from '#shared/webhooks/domain/event.ts';
import { expectReplay } from '#test/support/worlds/answers.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { api, business, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

const MEGABYTE = 1_000_000;
/** More attempts than the API shows of each of five deliveries. */
const ATTEMPTS = 25;
/** More attempts than the API shows of each of twenty deliveries. */
const FEW_ATTEMPTS = 7;
/** A failed attempt. Its response of 1 KiB is six times as long in JSON. */
const FAILED: Omit<Attempt, 'number'> = {
  at: 1_795_000_000_000,
  statusCode: 500,
  durationMs: 40,
  error: null,
  response: '\u0001'.repeat(1_024),
};
const KEY = { 'idempotency-key': 'again-1' };

interface ShownDelivery {
  readonly endpoint_id: string;
  readonly attempts: readonly { readonly number: number }[];
}

describe('an event with very many attempts', () => {
  openMerchantForEachTest({ urls: Array.from({ length: 5 }, (_, i) => `https://hooks.example/${i}`) });
  let eventId: string;
  beforeEach(() => {
    eventId = world.deps.newId('evt');
  });

  /** Records the event with a delivery to each of these endpoints, each with `attempts` failed attempts. */
  const recordFailures = async (endpointIds: readonly string[], attempts = ATTEMPTS): Promise<void> => {
    const about = { id: eventId, type: 'checkout.paid', ...business.tenant, createdAt: world.clock.now() } as const;
    const event = newEvent(about, findExampleEvent('checkout.paid').data);
    const deliveries = endpointIds.map((id) => ({
      ...lateDelivery(world.deps.newId('dlv'), id, event, world.clock.now()),
      attempt: attempts,
      tries: attempts,
      lastAttempt: { ...FAILED, number: attempts },
    }));
    await world.deps.ledger.record({ announced: [{ event, deliveries }] });
    const failures = Array.from({ length: attempts }, (_, i) => ({ ...FAILED, number: i + 1 }));
    for (const { endpointId } of deliveries) {
      await Promise.all(failures.map((attempt) => world.deps.deliveries.saveAttempt({ eventId, endpointId }, attempt)));
    }
  };
  const ids = (): string[] => business.endpoints.map(({ id }) => id);
  const numbers = (deliveries: readonly ShownDelivery[]) =>
    deliveries.map(({ attempts }) => attempts.map(({ number }) => number));
  const lastNumbers = (count: number, total = ATTEMPTS) =>
    Array.from({ length: count }, (_, i) => total - count + 1 + i);

  test('shows the newest twenty attempts of each of five deliveries', async () => {
    await recordFailures(ids());
    const { json, text } = await api.getEvent(eventId);
    expect(json.data.deliveries.map((delivery: ShownDelivery) => delivery.endpoint_id)).toEqual([...ids()].sort());
    expect(numbers(json.data.deliveries)).toEqual(ids().map(() => lastNumbers(20)));
    expect(text.length).toBeLessThan(MEGABYTE);
  });

  test('shows the newest twenty deliveries, and a hundred attempts over all of them', async () => {
    const many = Array.from({ length: 30 }, () => world.deps.newId('whe')).sort();
    await recordFailures(many, FEW_ATTEMPTS);
    const { json, text } = await api.getEvent(eventId);
    expect(json.data.deliveries.map((delivery: ShownDelivery) => delivery.endpoint_id)).toEqual(many.slice(-20));
    expect(numbers(json.data.deliveries)).toEqual(many.slice(-20).map(() => lastNumbers(5, FEW_ATTEMPTS)));
    expect(text.length).toBeLessThan(MEGABYTE);
  });

  test('gets redelivered once for one Idempotency-Key, and the answer has the last attempt of each delivery', async () => {
    await recordFailures(ids());
    const sent = await api.redeliver(eventId, {}, KEY);
    expect([sent.status, numbers(sent.json.data.deliveries)]).toEqual([202, ids().map(() => [ATTEMPTS])]);
    expect(await world.takeJobs()).toHaveLength(ids().length);
    world.clock.advance(MINUTE);
    expect(await api.redeliver(eventId, {}, KEY)).toMatchObject(expectReplay(sent));
    expect(await world.takeJobs()).toEqual([]);
  });

  test('gets redelivered once by ten requests at once with one Idempotency-Key', async () => {
    await recordFailures(ids());
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.redeliver(eventId, {}, KEY)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await world.takeJobs()).toHaveLength(ids().length);
    expect((await world.deliveries()).map(({ redeliveries }) => redeliveries)).toEqual(ids().map(() => 1));
  });

  test('cannot be redelivered to any endpoint while the delivery to one of them is in progress', async () => {
    await recordFailures(ids());
    const busy = { eventId, endpointId: ids()[2] ?? '', mode: 'test' } as const;
    const read = world.deps.events.findForEndpoints;
    const racing = async (...args: Parameters<typeof read>) => {
      const seen = await read(...args);
      await world.deps.deliveries.apply(busy, { expect: {}, set: { state: 'delivering', attempt: ATTEMPTS + 1 } });
      return seen;
    };
    Object.assign(world.deps.events, { findForEndpoints: racing });
    const conflict = await createApiClient(world, business.keys.secret_test).redeliver(eventId, {}, KEY);
    expect([conflict.status, conflict.json.code]).toEqual([409, 'delivery_in_progress']);
    expect(await world.takeJobs()).toEqual([]);
    expect((await world.itemsOf('DLV#')).map(({ redeliveries }) => redeliveries)).toEqual(ids().map(() => 0));

    Object.assign(world.deps.events, { findForEndpoints: read });
    await world.deps.deliveries.apply(busy, { expect: {}, set: { state: 'exhausted' } });
    expect((await createApiClient(world, business.keys.secret_test).redeliver(eventId, {}, KEY)).status).toBe(202);
  });
});
