import { findExampleEvent } from '#infra/openapi/examples/events.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { type Attempt, lateDelivery } from '#shared/webhooks/domain/delivery.ts';
import { newEvent } from '#shared/webhooks/domain/event.ts';
import { replayOf } from '#test/support/worlds/answers.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import { api, business, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

const MEGABYTE = 1_000_000;
/** More than are shown of each of five deliveries. */
const ATTEMPTS = 25;
/** More than are shown of each of twenty. */
const FEW_ATTEMPTS = 7;
/** The first KiB of an answer, as JSON six times as long. */
const FAILED: Omit<Attempt, 'number'> = {
  at: 1_795_000_000_000,
  statusCode: 500,
  durationMs: 40,
  error: null,
  response: '\u0001'.repeat(1_024),
};
const KEY = { 'idempotency-key': 'again-1' };

interface Shown {
  readonly endpoint_id: string;
  readonly attempts: readonly { readonly number: number }[];
}

describe('an event that was tried very often', () => {
  openMerchantForEachTest({ urls: Array.from({ length: 5 }, (_, i) => `https://hooks.example/${i}`) });
  let eventId: string;
  beforeEach(() => {
    eventId = world.deps.newId('evt');
  });

  /** The event with a delivery to each of these endpoints, each with `attempts` failed attempts. */
  const failedAt = async (endpointIds: readonly string[], attempts = ATTEMPTS): Promise<void> => {
    const about = { id: eventId, type: 'checkout.paid', ...business.tenant, createdAt: world.clock.now() } as const;
    const event = newEvent(about, findExampleEvent('checkout.paid').data);
    const deliveries = endpointIds.map((id) => ({
      ...lateDelivery(world.deps.newId('dlv'), id, event, world.clock.now()),
      attempt: attempts,
      tries: attempts,
      lastAttempt: { ...FAILED, number: attempts },
    }));
    await world.deps.ledger.record({ announced: [{ event, deliveries }] });
    const made = Array.from({ length: attempts }, (_, i) => ({ ...FAILED, number: i + 1 }));
    for (const { endpointId } of deliveries) {
      await Promise.all(made.map((one) => world.deps.deliveries.saveAttempt({ eventId, endpointId }, one)));
    }
  };
  const ids = (): string[] => business.endpoints.map(({ id }) => id);
  const numbers = (shown: readonly Shown[]) => shown.map(({ attempts }) => attempts.map(({ number }) => number));
  const lastOf = (count: number, of = ATTEMPTS) => Array.from({ length: count }, (_, i) => of - count + 1 + i);

  test('shows the newest twenty attempts of each of five deliveries', async () => {
    await failedAt(ids());
    const { json, text } = await api.getEvent(eventId);
    expect(json.data.deliveries.map((one: Shown) => one.endpoint_id)).toEqual([...ids()].sort());
    expect(numbers(json.data.deliveries)).toEqual(ids().map(() => lastOf(20)));
    expect(text.length).toBeLessThan(MEGABYTE);
  });

  test('shows the newest twenty deliveries, and a hundred attempts over all of them', async () => {
    const many = Array.from({ length: 30 }, () => world.deps.newId('whe')).sort();
    await failedAt(many, FEW_ATTEMPTS);
    const { json, text } = await api.getEvent(eventId);
    expect(json.data.deliveries.map((one: Shown) => one.endpoint_id)).toEqual(many.slice(-20));
    expect(numbers(json.data.deliveries)).toEqual(many.slice(-20).map(() => lastOf(5, FEW_ATTEMPTS)));
    expect(text.length).toBeLessThan(MEGABYTE);
  });

  test('is sent again once for one Idempotency-Key, with the last attempt of each delivery', async () => {
    await failedAt(ids());
    const sent = await api.redeliver(eventId, {}, KEY);
    expect([sent.status, numbers(sent.json.data.deliveries)]).toEqual([202, ids().map(() => [ATTEMPTS])]);
    expect(await world.takeJobs()).toHaveLength(ids().length);
    world.clock.advance(MINUTE);
    expect(await api.redeliver(eventId, {}, KEY)).toMatchObject(replayOf(sent));
    expect(await world.takeJobs()).toEqual([]);
  });

  test('is sent again once by ten requests at once under one Idempotency-Key', async () => {
    await failedAt(ids());
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.redeliver(eventId, {}, KEY)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await world.takeJobs()).toHaveLength(ids().length);
    expect((await world.deliveries()).map(({ redeliveries }) => redeliveries)).toEqual(ids().map(() => 1));
  });

  test('is sent to no endpoint while the delivery to one of them is in progress', async () => {
    await failedAt(ids());
    const busy = { eventId, endpointId: ids()[2] ?? '', mode: 'test' } as const;
    const read = world.deps.events.at;
    const racing = async (...args: Parameters<typeof read>) => {
      const seen = await read(...args);
      await world.deps.deliveries.apply(busy, { expect: {}, set: { state: 'delivering', attempt: ATTEMPTS + 1 } });
      return seen;
    };
    Object.assign(world.deps.events, { at: racing });
    const refused = await apiClient(world, business.keys.secret_test).redeliver(eventId, {}, KEY);
    expect([refused.status, refused.json.code]).toEqual([409, 'delivery_in_progress']);
    expect(await world.takeJobs()).toEqual([]);
    expect((await world.itemsOf('DLV#')).map(({ redeliveries }) => redeliveries)).toEqual(ids().map(() => 0));

    Object.assign(world.deps.events, { at: read });
    await world.deps.deliveries.apply(busy, { expect: {}, set: { state: 'exhausted' } });
    expect((await apiClient(world, business.keys.secret_test).redeliver(eventId, {}, KEY)).status).toBe(202);
  });
});
