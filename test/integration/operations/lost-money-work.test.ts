import { makeLostMessagesDue } from '#infra/local/emulators/lost-messages.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { doMoneyWork } from '#test/support/worlds/functions.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';

/* The local stack ends, and with it its queue and its consumers. What they had to do for money is done when it starts again. */

openWorldForEachTest();

const PROVIDER = 'monnify';

/** A payment whose notification is stored and queued. Returns its ticket. */
const queued = async () => {
  world.holdMoneyWork(true);
  await merchant.paidAccount(PROVIDER, 1_250_000);
  world.holdMoneyWork(false);
  return (await world.takeTickets(PROVIDER))[0];
};
const sweepAlone = () => world.dispatch(world.withoutReconciliation());
/** The stack starts again, sweeps once, and works on what that sends. Returns how much work became due. */
const startAgain = async (): Promise<number> => {
  const made = await makeLostMessagesDue(world.table, world.clock.now());
  await sweepAlone();
  await world.consumeMoney();
  return made;
};

test('a notification whose message is lost within its first minute lands at once', async () => {
  await queued();
  expect(await startAgain()).toBe(1);
  expect(await world.recordedAmounts()).toEqual([1_250_000]);
});

test('work that a sweeper has sent lands at once, not after five minutes', async () => {
  await queued();
  world.clock.advance(MINUTE);
  await sweepAlone();
  expect(await world.takeTickets(PROVIDER)).toHaveLength(1);
  expect(await startAgain()).toBe(1);
  expect(await world.recordedAmounts()).toEqual([1_250_000]);
});

test('work whose consumer has ended waits for no lease', async () => {
  const ticket = await queued();
  if (!ticket) throw new Error('The notification was not queued.');
  const notifications = { ...world.deps.notifications, find: () => new Promise<never>(() => {}) };
  void doMoneyWork({ ...world.deps, notifications }, ticket);
  while ((await world.itemsOf('NTF'))[0]?.leaseUntil === undefined) await new Promise(setImmediate);
  world.clock.advance(MINUTE - 1);
  expect(await startAgain()).toBe(1);
  expect(await world.recordedAmounts()).toEqual([1_250_000]);
});

test('work that waits for its next look-up waits on, and nothing becomes due twice', async () => {
  const ticket = await queued();
  if (!ticket) throw new Error('The notification was not queued.');
  const unknown = world.scripted(PROVIDER, () => ({ lookUp: async () => 'unknown' }));
  await doMoneyWork({ ...world.deps, ...unknown }, ticket);
  expect(await startAgain()).toBe(0);
  expect(await world.recordedAmounts()).toEqual([]);
  await queued();
  expect(await makeLostMessagesDue(world.table, world.clock.now())).toBe(1);
  expect(await makeLostMessagesDue(world.table, world.clock.now())).toBe(0);
});
