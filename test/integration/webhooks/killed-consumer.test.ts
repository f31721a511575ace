import { once } from 'node:events';
import { SECOND } from '#shared/platform/kernel/time.ts';
import { LEASE } from '#shared/webhooks/domain/delivery-transitions.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import { makeBatch, startFunction } from '#test/support/worlds/function-process.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import { answerWith, business, openMerchantForEachTest, receiver, world } from '#test/support/worlds/test-merchant.ts';

// The process uses real time.
openMerchantForEachTest({ world: { startAt: Date.now() } });

test('a webhook comes again with a new attempt number if its process is killed between POST and record', async () => {
  const [landed] = await landEvents(world.deps, business.id, 1);
  const job = await world.takeJob();
  const child = startFunction('deliver-webhooks', makeBatch([job]), { TABLE_NAME: world.table.name });
  const exited = once(child, 'exit');
  // The merchant has the webhook, but its answer comes after the end of the process.
  receiver.answer(() => {
    child.kill('SIGKILL');
  });
  expect(await exited).toEqual([null, 'SIGKILL']);

  expect(await world.delivery()).toMatchObject({ state: 'delivering', attempt: 1, lastAttempt: null });
  expect(receiver.received).toHaveLength(1);

  answerWith(200);
  await world.sweepAfter(Math.max(0, Date.now() - world.clock.now()));
  expect(await world.takeJobs()).toEqual([]);
  await world.sweepAfter(LEASE + 2 * SECOND);
  const swept = await world.takeJob();
  expect(swept).toEqual({ ...job, attempt: 1, dueAt: (await world.delivery()).dueAt });
  await deliverWebhook(world.deps, 'retry', swept);

  expect(await world.delivery()).toMatchObject({ state: 'succeeded', attempt: 2, lastAttempt: { number: 2 } });
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([landed?.event.id, landed?.event.id]);
  expect(receiver.received.map(({ body }) => body)).toEqual([landed?.event.body, landed?.event.body]);
  await world.sweep();
  expect(await world.takeJobs()).toEqual([]);
});
