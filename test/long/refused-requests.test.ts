import { HOUR } from '#shared/platform/kernel/time.ts';
import { ProviderError } from '#shared/providers/domain/errors.ts';
import { breakOpening, type Changes, changeProviders } from '#test/support/worlds/live-faults.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { reconcileAt } from '#test/support/worlds/scene-provider.ts';

/* A provider refuses every look-up for days. It is called at growing delays, and everything is settled when it answers again. */

const PROVIDER = 'monnify';

reconcileAt(PROVIDER);
openWorldForEachTest();

const passHours = async (hours: number, changes: Changes = {}): Promise<void> => {
  for (let hour = 0; hour < hours; hour += 1) await world.sweepAfter(HOUR, changes);
};
/** Passes hours in which every look-up is refused. Returns the hours at which a look-up was sent. */
const refuseLookUps = async (hours = 40): Promise<readonly number[]> => {
  const startedAt = world.clock.now();
  const lookUpHours: number[] = [];
  const refuse = async (): Promise<never> => {
    lookUpHours.push((world.clock.now() - startedAt) / HOUR);
    throw new ProviderError('The provider refused the request.');
  };
  const { liveProviders } = world.scripted(PROVIDER, () => ({ lookUp: refuse }));
  const { providers } = changeProviders(world, () => ({ findAccount: refuse }));
  await passHours(hours, { liveProviders, providers });
  return lookUpHours;
};
/** The hours of the retries. Each delay is as long as the time from the first call until then, but at most a day. */
const RETRY_HOURS = [1, 2, 4, 8, 16, 32, 56, 80];
const FIRST_40_HOURS = RETRY_HOURS.filter((hour) => hour <= 40);

test('a pending account becomes active when a provider that refused every look-up for days answers again', async () => {
  breakOpening(world, PROVIDER, 'accounts', { kind: 'lost_answer' });
  expect((await merchant.askForAccount(PROVIDER)).status).toBe(422);
  expect(await refuseLookUps(96)).toEqual(RETRY_HOURS);
  expect(world.measuredSum('provider_failures')).toBeGreaterThanOrEqual(RETRY_HOURS.length);
  expect(await merchant.listedAccounts()).toMatchObject([{ status: 'pending' }]);
  await passHours(24);
  expect(await merchant.listedAccounts()).toMatchObject([{ status: 'active' }]);
  expect(await world.events()).toMatchObject([{ type: 'virtual_account.activated' }]);
});

test('an account that was never issued fails when a provider that refused every look-up for days answers again', async () => {
  breakOpening(world, PROVIDER, 'accounts', { kind: 'gateway_fault', status: 502 });
  expect((await merchant.askForAccount(PROVIDER)).status).toBe(422);
  expect(await refuseLookUps()).toEqual(FIRST_40_HOURS);
  await passHours(24);
  expect(await merchant.listedAccounts()).toMatchObject([{ status: 'failed' }]);
  expect(await world.events()).toMatchObject([{ type: 'virtual_account.failed' }]);
});

test('a waiting checkout expires when a provider that refused every look-up for days answers again', async () => {
  const { reference } = await merchant.checkout(PROVIDER);
  expect(await refuseLookUps()).toEqual(FIRST_40_HOURS);
  expect(await merchant.statusOf(reference)).toBe('pending');
  await passHours(24);
  expect(await merchant.statusOf(reference)).toBe('expired');
  expect(await world.events()).toMatchObject([{ type: 'checkout.expired' }]);
});

test('an interrupted opening of a checkout leaves nothing behind when a provider that refused every look-up for days answers again', async () => {
  await merchant.lostCheckout(PROVIDER);
  expect(await refuseLookUps()).toEqual(FIRST_40_HOURS);
  await passHours(24);
  expect([await world.itemsOf('CHK'), await world.events()]).toEqual([[], []]);
});
