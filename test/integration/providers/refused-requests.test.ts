import { HOUR, SECOND } from '#shared/domain/kernel/time.ts';
import { ProviderRefusal } from '#shared/domain/providers/errors.ts';
import { sweepDueWork } from '#test/support/worlds/functions.ts';
import { breakOpening, changedProviders } from '#test/support/worlds/live-faults.ts';
import { merchant, world } from '#test/support/worlds/live-merchant.ts';
import { announcedEvents, measuredSum, withScriptedProvider } from '#test/support/worlds/live-steps.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';

/* A provider that says no to each look-up, for days: it is asked ever more seldom, and what it owes is settled once it answers. */

const PROVIDER = 'monnify';

type Deps = LiveWorld['deps'];

const hoursPass = async (hours: number, deps: Deps = world.deps): Promise<void> => {
  for (let hour = 0; hour < hours; hour += 1) {
    world.clock.advance(HOUR);
    await sweepDueWork(deps, world.clock.now() + 30 * SECOND);
  }
};
/** The hours at which it was asked in vain. */
const askedInVain = async (hours = 40): Promise<readonly number[]> => {
  const begun = world.clock.now();
  const asked: number[] = [];
  const refuse = async (): Promise<never> => {
    asked.push((world.clock.now() - begun) / HOUR);
    throw new ProviderRefusal('The provider refused the request.');
  };
  const { liveProviders } = withScriptedProvider(world, PROVIDER, () => ({ lookUp: refuse })).deps;
  const { providers } = changedProviders(world, () => ({ findAccount: refuse }));
  await hoursPass(hours, { ...world.deps, liveProviders, providers });
  return asked;
};
/** After a time as long as it has been owed, a day at the longest. */
const SELDOM = [1, 2, 4, 8, 16, 32, 56, 80];
const AT_FIRST = SELDOM.filter((hour) => hour <= 40);

test('an account that is pending becomes active', async () => {
  breakOpening(world, PROVIDER, 'accounts', { kind: 'lost_answer' });
  expect((await merchant.askForAccount(PROVIDER)).status).toBe(422);
  expect(await askedInVain(96)).toEqual(SELDOM);
  expect(measuredSum(world, 'provider_failures')).toBeGreaterThanOrEqual(SELDOM.length);
  expect((await merchant.api.listAccounts()).json.data).toMatchObject([{ status: 'pending' }]);
  await hoursPass(24);
  expect((await merchant.api.listAccounts()).json.data).toMatchObject([{ status: 'active' }]);
  expect(await announcedEvents(world)).toMatchObject([{ type: 'virtual_account.activated' }]);
});

test('an account that was never issued fails', async () => {
  breakOpening(world, PROVIDER, 'accounts', { kind: 'gateway_fault', status: 502 });
  expect((await merchant.askForAccount(PROVIDER)).status).toBe(422);
  expect(await askedInVain()).toEqual(AT_FIRST);
  await hoursPass(24);
  expect((await merchant.api.listAccounts()).json.data).toMatchObject([{ status: 'failed' }]);
  expect(await announcedEvents(world)).toMatchObject([{ type: 'virtual_account.failed' }]);
});

test('a checkout that waits expires', async () => {
  const { reference } = await merchant.checkout(PROVIDER);
  expect(await askedInVain()).toEqual(AT_FIRST);
  expect((await merchant.api.verify(reference)).json.data.status).toBe('pending');
  await hoursPass(24);
  expect((await merchant.api.verify(reference)).json.data.status).toBe('expired');
  expect(await announcedEvents(world)).toMatchObject([{ type: 'checkout.expired' }]);
});

test('a checkout whose opening broke off leaves no trace', async () => {
  breakOpening(world, PROVIDER, 'checkout', { kind: 'lost_answer' });
  expect(
    (await merchant.api.initialize({ amount: 8_500, payer_email: 'chidi.eze@example.com', provider: PROVIDER })).status,
  ).toBe(502);
  expect(await askedInVain()).toEqual(AT_FIRST);
  await hoursPass(24);
  expect([await world.itemsOf('CHK'), await announcedEvents(world)]).toEqual([[], []]);
});
