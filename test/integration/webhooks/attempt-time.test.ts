import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import type { DeliveryJob } from '#shared/webhooks/domain/delivery.ts';
import { LEASE } from '#shared/webhooks/domain/delivery-transitions.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import { business, openMerchantForEachTest, receiver, world } from '#test/support/worlds/test-merchant.ts';

/** What api-decisions.md section 5 promises a merchant for his answer: not read from the code that is held to it. */
const PROMISED = 15_000;

describe('the time of an attempt, under a simulated clock,', () => {
  openMerchantForEachTest();
  let job: DeliveryJob;
  beforeEach(async () => {
    await landEvents(world.deps, business.id, 1);
    job = await world.takeJob();
  });
  /** What sweeper and queue would bring until then. */
  const bring = async (): Promise<readonly DeliveryJob[]> => {
    await world.sweep();
    return world.takeJobs();
  };

  test('is covered by the lease: nobody else posts before it is over and its result has had 5 s to be written', async () => {
    let rivals: Promise<unknown> = Promise.resolve();
    receiver.answer((response) => {
      world.clock.advance(PROMISED + 5_000);
      const brought = bring();
      rivals = brought
        .then((jobs) =>
          Promise.all([...jobs, job, { ...job, attempt: 1 }].map((one) => deliverWebhook(world.deps, 'retry', one))),
        )
        .then(() => response.writeHead(200).end());
    });
    await deliverWebhook(world.deps, 'first', job);
    await rivals;
    expect(receiver.received).toHaveLength(1);
    expect(await world.delivery()).toMatchObject({ state: 'succeeded', attempt: 1, lastAttempt: { statusCode: 200 } });
    expect(world.logged.map(({ event }) => event)).not.toContain('delivery_result_void');
  });

  /** A consumer that is frozen between taking its lease and its POST, until `left` of the lease is left. */
  const wakeWith = (left: number): Promise<void> => {
    const { deliveries } = world.deps;
    const apply: typeof deliveries.apply = async (at, transition) => {
      const after = await deliveries.apply(at, transition);
      if (after?.state === 'delivering') world.clock.advance(after.leaseUntil - left - world.clock.now());
      return after;
    };
    return deliverWebhook({ ...world.deps, deliveries: { ...deliveries, apply } }, 'first', job);
  };

  test.each([
    ['an attempt', PROMISED],
    ['a second less than an attempt', PROMISED - SECOND],
    ['a millisecond', 1],
    ['nothing', 0],
  ])('a consumer that wakes with %s left of its lease does not post; whoever takes over does', async (_, left) => {
    await wakeWith(left);
    expect(receiver.received).toHaveLength(0);
    expect(await world.delivery()).toMatchObject({ state: 'delivering', attempt: 1, lastAttempt: null });
    expect(world.logged.map(({ event }) => event)).toEqual(['attempt_not_started']);
    expect(await bring()).toEqual([]);

    world.clock.advance(LEASE + MINUTE);
    const brought = await bring();
    expect(brought).toEqual([{ ...job, attempt: 1, dueAt: world.clock.now() + 5 * MINUTE }]);
    for (const one of brought) await deliverWebhook(world.deps, 'retry', one);
    expect(receiver.received).toHaveLength(1);
    expect(await world.delivery()).toMatchObject({ state: 'succeeded', attempt: 2, lastAttempt: { number: 2 } });
  });

  test('a consumer that wakes with more than an attempt left posts', async () => {
    await wakeWith(PROMISED + 1);
    expect(receiver.received).toHaveLength(1);
    expect(await world.delivery()).toMatchObject({ state: 'succeeded', attempt: 1 });
  });
});
