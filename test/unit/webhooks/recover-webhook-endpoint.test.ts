import { encodeTime } from 'ulid';
import { SECOND } from '#shared/domain/kernel/time.ts';
import { type Breaker, healthyBreaker } from '#shared/domain/webhooks/breaker.ts';
import { type Delivery, newDelivery } from '#shared/domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import { newEvent } from '#shared/domain/webhooks/event.ts';
import { type RecoverDeps, recoverWebhookEndpoint } from '#shared/use-cases/webhooks/recover-webhook-endpoint.ts';
import { id, NOON, SHOP } from '#test/unit/http/examples.ts';

const TENANT = { businessId: SHOP, mode: 'test' } as const;
const WHE = id('whe');

const waitingAt = (n: number, state: 'parked' | 'exhausted'): Delivery => {
  const eventId = `evt_${encodeTime(NOON + n, 10)}${'0'.repeat(16)}`;
  const about = { id: eventId, type: 'checkout.paid', ...TENANT, createdAt: NOON + n } as const;
  return { ...newDelivery(id('dlv', n), WHE, newEvent(about, {})), state };
};

/** An endpoint with `count` undelivered events, every third parked, the others exhausted. `writeMs`: how long 50 writes take. */
const recoveryOf = (count: number, { writeMs = 0, rivals = 0 } = {}) => {
  let now = NOON;
  let saves = 0;
  const applied: Delivery[] = [];
  const all = Array.from({ length: count }, (_, n) => waitingAt(n, n % 3 === 0 ? 'parked' : 'exhausted'));
  const saved: Breaker[] = [];
  const deps = {
    now: () => now,
    endpoints: { find: async () => ({ id: WHE, enabled: true }) as WebhookEndpoint, list: async () => [] },
    allowances: { take: async () => true },
    deliveries: {
      waiting: async (_: string, state: string, limit: number, since = 0) =>
        all.filter((one) => one.state === state && one.createdAt >= since).slice(0, limit),
      apply: async (at: Delivery) => {
        applied.push(at);
        if (applied.length % 50 === 0) now += writeMs;
        return at;
      },
    },
    breakers: {
      find: async () => healthyBreaker(WHE),
      save: async (after: Breaker) => {
        saves += 1;
        if (saves <= rivals) return false;
        saved.push(after);
        return true;
      },
    },
  } as unknown as RecoverDeps;
  return { recover: (since: number) => recoverWebhookEndpoint(deps, TENANT, { id: WHE, since }), applied, saved };
};

describe('recovering an endpoint', () => {
  test('recovers 10,000 a call, oldest first, and returns where the next call continues', async () => {
    const { recover, applied, saved } = recoveryOf(10_005);
    expect(await recover(NOON)).toEqual({ recovered: 10_000, nextSince: NOON + 10_000 });
    expect(applied.map(({ createdAt }) => createdAt - NOON)).toEqual(Array.from({ length: 10_000 }, (_, n) => n));
    expect(await recover(NOON + 10_000)).toEqual({ recovered: 5, nextSince: null });
    expect(saved).toHaveLength(2);
  });

  test('recovers exactly 10,000 without asking for another call', async () => {
    expect(await recoveryOf(10_000).recover(NOON)).toEqual({ recovered: 10_000, nextSince: null });
  });

  test('ends in time when writing is slow', async () => {
    const { recover, saved } = recoveryOf(1_000, { writeMs: 5 * SECOND });
    expect(await recover(NOON)).toEqual({ recovered: 200, nextSince: NOON + 200 });
    expect(saved).toHaveLength(1);
  });

  test('starts a drain despite concurrent writes of the breaker; fails when every try meets one', async () => {
    const { recover, saved } = recoveryOf(1, { rivals: 4 });
    await recover(NOON);
    expect(saved).toMatchObject([{ state: 'draining', stepSize: 60, outage: null }]);
    await expect(recoveryOf(1, { rivals: 99 }).recover(NOON)).rejects.toThrow('The breaker changed at every try');
  });

  test('leaves the breaker alone when nothing is parked or exhausted', async () => {
    const { recover, saved } = recoveryOf(0);
    expect(await recover(NOON)).toEqual({ recovered: 0, nextSince: null });
    expect(saved).toEqual([]);
  });
});
