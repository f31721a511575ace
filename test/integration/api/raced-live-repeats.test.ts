import { longTest } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { ASKED, merchant, newCustomerFields, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { describeAtOneProvider } from '#test/support/worlds/provider-scenes.ts';
import {
  MOMENT_NAMES,
  type Moment,
  playRaces,
  type RacedRequest,
  RIVALS,
  type Rival,
} from '#test/support/worlds/raced-repeats.ts';

/* Tests the same as raced-repeats.test.ts in live mode, where an intent is stored and a provider is called. */

openWorldForEachTest();

// By default the accounts at providers are not counted: for a checkout, a provider may open a second account, and nobody sees the first.
const play = (request: RacedRequest, outside = (): Record<string, number> => ({})): Promise<void> =>
  playRaces(
    {
      world,
      clientOf: (process) => createApiClient(process, merchant.business.keys.secret_live),
      settle: async () => {
        await world.minutesPass(2, 2);
        await world.takeJobs();
      },
      outside,
    },
    request,
  );

/** Lists the sweeper at each moment, and each other rival at one moment, which `seed` chooses. All moments would take ten minutes. */
const racesOf = (seed: number) =>
  RIVALS.flatMap((rival, i): readonly [Rival, Moment][] => {
    const moments = rival === 'the sweeper' ? MOMENT_NAMES : [MOMENT_NAMES[(i + Math.abs(seed)) % 2] as Moment];
    return moments.map((moment) => [rival, moment]);
  });

describeAtOneProvider('the repeat of a live request to %s whose process died', (provider) => {
  longTest.each(racesOf(SEED))(
    'opens a checkout once and gives one answer if %s comes at any of its calls %s',
    (rival, moment) =>
      play({
        bodies: () => {
          const body = { amount: ASKED / 100, payer_email: 'chidi.eze@example.com', payer_name: 'Chidi Eze', provider };
          return { body, other: { ...body, amount: ASKED / 100 + 1 } };
        },
        send: (client, body, headers) => client.initialize(body, headers),
        uncounted: 'checkout.expired',
        rival,
        moment,
      }),
  );

  longTest.each(racesOf(SEED + 1))(
    'opens a virtual account once and gives one answer if %s comes at any of its calls %s',
    (rival, moment) =>
      play(
        {
          bodies: () => {
            const body = { ...newCustomerFields(), provider };
            return { body, other: { ...body, customer_name: 'Amara Eze' } };
          },
          send: (client, body, headers) => client.createAccounts(body, headers),
          // The sweeper announces accounts that it finds, but a repeat does not.
          uncounted: 'virtual_account.activated',
          rival,
          moment,
        },
        () => ({ accounts: world.simulator.books.accounts().length }),
      ),
  );
});
