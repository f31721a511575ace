import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import type { DeliveryJob } from '#shared/webhooks/domain/delivery.ts';
import { LEASE } from '#shared/webhooks/domain/delivery-transitions.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import { business, openMerchantForEachTest, receiver, world } from '#test/support/worlds/test-merchant.ts';

/** The time for an answer that the API promises (api-decisions.md section 5). The test does not take it from the code that it checks. */
const PROMISED = 15_000;

describe('the lease of an attempt in simulated time', () => {
  openMerchantForEachTest();
  let job: DeliveryJob;
  beforeEach(async () => {
    await landEvents(world.deps, business.id, 1);
    job = await world.takeJob();
  });
  /** Runs the sweeper, and returns all jobs in the queues. */
  const takeDueJobs = async (): Promise<readonly DeliveryJob[]> => {
    await world.sweep();
    return world.takeJobs();
  };

  test('covers the attempt and 5 s for its result, during which no other consumer posts', async () => {
    let rivals: Promise<unknown> = Promise.resolve();
    receiver.answer((response) => {
      world.clock.advance(PROMISED + 5_000);
      rivals = takeDueJobs()
        .then((jobs) =>
          Promise.all(
            [...jobs, job, { ...job, attempt: 1 }].map((rival) => deliverWebhook(world.deps, 'retry', rival)),
          ),
        )
        .then(() => response.writeHead(200).end());
    });
    await deliverWebhook(world.deps, 'first', job);
    await rivals;
    expect(receiver.received).toHaveLength(1);
    expect(await world.delivery()).toMatchObject({ state: 'succeeded', attempt: 1, lastAttempt: { statusCode: 200 } });
    expect(world.logged.map(({ event }) => event)).not.toContain('delivery_result_void');
  });

  /** Runs a consumer that is frozen between its lease and its POST until `left` milliseconds of the lease are left. */
  const deliverFrozen = (left: number): Promise<void> => {
    const { deliveries } = world.deps;
    const apply: typeof deliveries.apply = async (key, transition) => {
      const after = await deliveries.apply(key, transition);
      if (after?.state === 'delivering') world.clock.advance(after.leaseUntil - left - world.clock.now());
      return after;
    };
    return deliverWebhook({ ...world.deps, deliveries: { ...deliveries, apply } }, 'first', job);
  };

  test.each([
    ['the time of an attempt is', PROMISED],
    ['a second less than an attempt is', PROMISED - SECOND],
    ['a millisecond is', 1],
    ['no time is', 0],
  ])('stops a frozen consumer from posting if only %s left, and another consumer posts', async (_, left) => {
    await deliverFrozen(left);
    expect(receiver.received).toHaveLength(0);
    expect(await world.delivery()).toMatchObject({ state: 'delivering', attempt: 1, lastAttempt: null });
    expect(world.logged.map(({ event }) => event)).toEqual(['attempt_not_started']);
    expect(await takeDueJobs()).toEqual([]);

    world.clock.advance(LEASE + MINUTE);
    const dueJobs = await takeDueJobs();
    expect(dueJobs).toEqual([{ ...job, attempt: 1, dueAt: world.clock.now() + 5 * MINUTE }]);
    for (const dueJob of dueJobs) await deliverWebhook(world.deps, 'retry', dueJob);
    expect(receiver.received).toHaveLength(1);
    expect(await world.delivery()).toMatchObject({ state: 'succeeded', attempt: 2, lastAttempt: { number: 2 } });
  });

  test('lets a frozen consumer post if more than the time of an attempt is left', async () => {
    await deliverFrozen(PROMISED + 1);
    expect(receiver.received).toHaveLength(1);
    expect(await world.delivery()).toMatchObject({ state: 'succeeded', attempt: 1 });
  });
});
