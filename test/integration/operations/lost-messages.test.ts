import { makeLostMessagesDue } from '#infra/local/emulators/lost-messages.ts';
import { DAY, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import type { Delivery } from '#shared/webhooks/domain/delivery.ts';
import { landMany } from '#test/support/emulators/landed-events.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

describe('deliveries whose queue messages were lost with the local stack', () => {
  let world: World;
  let now: number;
  beforeEach(async () => {
    world = await makeWorld();
    now = world.clock.now();
  });

  /** Returns when a delivery with the given change is due after the recovery, in milliseconds from now. */
  const dueAfterRecovery = async (change: Partial<Delivery>): Promise<number | undefined> => {
    const { id } = await world.addBusiness(['http://127.0.0.1:9/unused']);
    const [landed] = await landMany(world, world.deps, id, 1);
    const [created] = landed?.deliveries ?? [];
    if (!created) throw new Error('The event has no delivery.');
    await world.deps.deliveries.apply(created, { expect: { id: created.id }, set: change });
    await makeLostMessagesDue(world.table, now);
    const after = await world.deps.deliveries.find(created);
    return after?.dueAt == null ? undefined : after.dueAt - now;
  };

  test('become due at once if their next attempt is overdue', async () => {
    expect(await dueAfterRecovery({ state: 'pending' })).toBe(0);
    expect(await dueAfterRecovery({ nextAttemptAt: now - MINUTE, dueAt: now + 5 * MINUTE })).toBe(-MINUTE);
  });

  test('become due at their next attempt if they wait for a retry', async () => {
    const nextAttemptAt = now + 15 * MINUTE;
    expect(await dueAfterRecovery({ attempt: 1, nextAttemptAt, dueAt: nextAttemptAt + 5 * MINUTE })).toBe(15 * MINUTE);
  });

  test('do not change during a lease or while they are parked', async () => {
    const leased = { leaseToken: 'lease_1', leaseUntil: now + 30 * SECOND, nextAttemptAt: null };
    expect(await dueAfterRecovery({ ...leased, state: 'delivering', dueAt: now + 31 * SECOND })).toBe(31 * SECOND);
    expect(await dueAfterRecovery({ state: 'parked', nextAttemptAt: null, dueAt: now + MINUTE })).toBe(MINUTE);
    expect(await dueAfterRecovery({ state: 'parked', nextAttemptAt: null, dueAt: now + DAY })).toBe(DAY);
  });

  test('become due only once, and are counted', async () => {
    const { id } = await world.addBusiness(['http://127.0.0.1:9/unused']);
    await landMany(world, world.deps, id, 120);
    expect(await makeLostMessagesDue(world.table, now)).toBe(120);
    expect(await makeLostMessagesDue(world.table, now)).toBe(0);
  });
});
