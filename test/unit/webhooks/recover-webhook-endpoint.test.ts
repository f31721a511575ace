import { encodeTime } from 'ulid';
import { SECOND } from '#shared/platform/kernel/time.ts';
import { type Breaker, healthyBreaker } from '#shared/webhooks/domain/breaker.ts';
import { type Delivery, newDelivery } from '#shared/webhooks/domain/delivery.ts';
import type { WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import { newEvent } from '#shared/webhooks/domain/event.ts';
import { type RecoverDeps, recoverWebhookEndpoint } from '#shared/webhooks/use-cases/recover-webhook-endpoint.ts';
import { id, NOON, SHOP } from '#test/unit/api/examples.ts';

const TENANT = { businessId: SHOP, mode: 'test' } as const;
const WHE = id('whe');

const buildUndelivered = (n: number, state: 'parked' | 'exhausted'): Delivery => {
  const eventId = `evt_${encodeTime(NOON + n, 10)}${'0'.repeat(16)}`;
  const about = { id: eventId, type: 'checkout.paid', ...TENANT, createdAt: NOON + n } as const;
  // The delivery has been tried. A recovery changes nothing of a parked delivery that was never tried.
  return { ...newDelivery(id('dlv', n), WHE, newEvent(about, {})), state, tries: 1, firstAttemptAt: NOON + n };
};

/**
 * Prepares an endpoint with `count` undelivered events: every third is parked, the others are exhausted. `writeMs`: the time that 50
 * writes take. `rivals`: the number of writes of the breaker that meet a concurrent write.
 */
const prepareRecovery = (count: number, { writeMs = 0, rivals = 0 } = {}) => {
  let now = NOON;
  let saves = 0;
  const applied: Delivery[] = [];
  const charges: [string, number][] = [];
  let [running, most, done] = [0, 0, 0];
  const all = Array.from({ length: count }, (_, n) => buildUndelivered(n, n % 3 === 0 ? 'parked' : 'exhausted'));
  const saved: Breaker[] = [];
  const deps = {
    now: () => now,
    endpoints: { find: async () => ({ id: WHE, enabled: true }) as WebhookEndpoint, list: async () => [] },
    usage: { take: async (_: string, kind: string, __: number, amount: number) => charges.push([kind, amount]) > 0 },
    recoveryLeases: { begin: async () => true, end: async () => {} },
    deliveries: {
      listUndeliveredKeys: async (_: string, state: string, limit: number, since: number) =>
        all.filter((delivery) => delivery.state === state && delivery.createdAt >= since).slice(0, limit),
      findAll: async (deliveries: readonly Delivery[]) => deliveries,
      apply: async (delivery: Delivery) => {
        applied.push(delivery);
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        done += 1;
        if (done % 50 === 0) now += writeMs;
        return delivery;
      },
    },
    breakers: {
      find: async () => healthyBreaker({ endpointId: WHE, mode: 'test' }),
      save: async (after: Breaker) => {
        saves += 1;
        if (saves <= rivals) return false;
        saved.push(after);
        return true;
      },
    },
  } as unknown as RecoverDeps;
  return {
    recover: (since: number) => recoverWebhookEndpoint(deps, TENANT, { id: WHE, since }),
    applied,
    saved,
    charges,
    mostRunning: () => most,
  };
};

describe('recovering an endpoint', () => {
  test('recovers 10,000 deliveries a call, oldest first, and returns where the next call continues', async () => {
    const { recover, applied, saved } = prepareRecovery(10_005);
    expect(await recover(NOON)).toEqual({ recovered: 10_000, nextSince: NOON + 10_000 });
    expect(applied.map(({ createdAt }) => createdAt - NOON)).toEqual(Array.from({ length: 10_000 }, (_, n) => n));
    expect(await recover(NOON + 10_000)).toEqual({ recovered: 5, nextSince: null });
    expect(saved).toHaveLength(2);
  });

  test('asks for no other call after exactly 10,000 deliveries', async () => {
    expect(await prepareRecovery(10_000).recover(NOON)).toEqual({ recovered: 10_000, nextSince: null });
  });

  test('ends in time if writes are slow', async () => {
    const { recover, saved } = prepareRecovery(1_000, { writeMs: 5 * SECOND });
    expect(await recover(NOON)).toEqual({ recovered: 200, nextSince: NOON + 200 });
    expect(saved).toHaveLength(1);
  });

  test('starts a drain despite concurrent writes of the breaker, and fails if every try meets one', async () => {
    const { recover, saved } = prepareRecovery(1, { rivals: 4 });
    await recover(NOON);
    expect(saved).toMatchObject([{ state: 'draining', stepSize: 60, outage: null }]);
    await expect(prepareRecovery(1, { rivals: 99 }).recover(NOON)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });

  test('leaves the breaker alone if nothing is parked or exhausted', async () => {
    const { recover, saved } = prepareRecovery(0);
    expect(await recover(NOON)).toEqual({ recovered: 0, nextSince: null });
    expect(saved).toEqual([]);
  });

  test('charges the limit before it reads the deliveries, and runs at most twenty writes at once', async () => {
    const { recover, charges, mostRunning } = prepareRecovery(10_005);
    await recover(NOON);
    expect(charges).toEqual([
      ['recovery', 1],
      ['recovered_delivery', 10_000],
    ]);
    expect(mostRunning()).toBe(20);
  });
});
