import { once } from 'node:events';
import { SECOND } from '#shared/domain/kernel/time.ts';
import { delivery } from '#shared/domain/webhooks/delivery.ts';
import { LEASE } from '#shared/domain/webhooks/delivery-transitions.ts';
import { landEvents } from '#test/support/engines/moved-queue-events.ts';
import { batchOf, startFunction } from '#test/support/worlds/function-process.ts';
import { deliverWebhook, sweepDueWork } from '#test/support/worlds/functions.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

let receiver: Receiver;
afterEach(() => receiver.stop());

test('a real process, killed by SIGKILL between POST and record: the same webhook comes again under a new number', async () => {
  receiver = await startReceiver();
  // The process keeps real time.
  const world = await makeWorld({ startAt: Date.now() });
  const shop = await world.addBusiness([receiver.url]);
  const [landed] = await landEvents(world.deps, shop.id, 1);
  const [job] = await world.takeJobs();
  if (!job) throw new Error('The landing queued nothing.');
  const child = startFunction('deliver-webhooks', batchOf([job]), { TABLE_NAME: world.table.name });
  const exited = once(child, 'exit');
  // The merchant has the webhook, and its answer never reaches a living process.
  receiver.answer(() => {
    child.kill('SIGKILL');
  });
  expect(await exited).toEqual([null, 'SIGKILL']);
  const stored = async () => delivery.parse((await world.itemsOf('DLV#'))[0]);
  expect(await stored()).toMatchObject({ state: 'delivering', attempt: 1, lastAttempt: null });
  expect(receiver.received).toHaveLength(1);

  receiver.answer((response) => response.writeHead(200).end());
  world.clock.advance(Math.max(0, Date.now() - world.clock.now()));
  await sweepDueWork(world.deps, Number.POSITIVE_INFINITY);
  expect(await world.takeJobs()).toEqual([]);
  world.clock.advance(LEASE + 2 * SECOND);
  await sweepDueWork(world.deps, Number.POSITIVE_INFINITY);
  const [brought] = await world.takeJobs();
  expect(brought).toEqual({ ...job, attempt: 1 });
  if (brought) await deliverWebhook(world.deps, 'retry', brought);

  expect(await stored()).toMatchObject({ state: 'succeeded', attempt: 2, lastAttempt: { number: 2 } });
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([landed?.event.id, landed?.event.id]);
  expect(receiver.received.map(({ body }) => body)).toEqual([landed?.event.body, landed?.event.body]);
  await sweepDueWork(world.deps, Number.POSITIVE_INFINITY);
  expect(await world.takeJobs()).toEqual([]);
});
