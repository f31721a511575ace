import { makeLostMessagesDue } from '#infra/local/emulators/lost-messages.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { doMoneyWork } from '#test/support/worlds/functions.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';

/* Tests a restart of the local stack. Its queue and its consumers ended with it, and the new stack does their money work. */

openWorldForEachTest();

const PROVIDER = 'monnify';

/** Makes a payment whose notification is stored and queued. Returns its ticket. */
const queueNotification = async () => {
  world.holdMoneyWork(true);
  await merchant.paidAccount(PROVIDER, 1_250_000);
  world.holdMoneyWork(false);
  return (await world.takeTickets(PROVIDER))[0];
};
const sweepAlone = () => world.dispatch(world.withoutReconciliation());
/** Starts the stack again, sweeps once, and consumes the messages. Returns how much work became due. */
const startAgain = async (): Promise<number> => {
  const count = await makeLostMessagesDue(world.table, world.clock.now());
  await sweepAlone();
  await world.consumeMoney();
  return count;
};

test('after a restart of the local stack a notification lands at once, even if its message was lost within its first minute', async () => {
  await queueNotification();
  expect(await startAgain()).toBe(1);
  expect(await world.recordedAmounts()).toEqual([1_250_000]);
});

test('after a restart of the local stack work that a sweeper had sent lands at once, not after five minutes', async () => {
  await queueNotification();
  world.clock.advance(MINUTE);
  await sweepAlone();
  expect(await world.takeTickets(PROVIDER)).toHaveLength(1);
  expect(await startAgain()).toBe(1);
  expect(await world.recordedAmounts()).toEqual([1_250_000]);
});

test('after a restart of the local stack work does not wait for the lease of a consumer that has ended', async () => {
  const ticket = await queueNotification();
  if (!ticket) throw new Error('The notification was not queued.');
  const notifications = { ...world.deps.notifications, find: () => new Promise<never>(() => {}) };
  void doMoneyWork({ ...world.deps, notifications }, ticket);
  while ((await world.itemsOf('NTF'))[0]?.leaseUntil === undefined) await new Promise(setImmediate);
  world.clock.advance(MINUTE - 1);
  expect(await startAgain()).toBe(1);
  expect(await world.recordedAmounts()).toEqual([1_250_000]);
});

test('after a restart of the local stack work that waits for its next look-up keeps its time, and nothing becomes due twice', async () => {
  const ticket = await queueNotification();
  if (!ticket) throw new Error('The notification was not queued.');
  const unknown = world.scripted(PROVIDER, () => ({ lookUp: async () => 'unknown' }));
  await doMoneyWork({ ...world.deps, ...unknown }, ticket);
  expect(await startAgain()).toBe(0);
  expect(await world.recordedAmounts()).toEqual([]);
  await queueNotification();
  expect(await makeLostMessagesDue(world.table, world.clock.now())).toBe(1);
  expect(await makeLostMessagesDue(world.table, world.clock.now())).toBe(0);
});
