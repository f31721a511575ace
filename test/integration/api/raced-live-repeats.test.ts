import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { longTest } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import { ASKED, merchant, newCustomerFields, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';
import {
  MOMENTS,
  type Moment,
  playRaces,
  type RacedRequest,
  RIVALS,
  type Rival,
} from '#test/support/worlds/raced-repeats.ts';

/* The same as raced-repeats.test.ts in live mode, where an intent is stored and a provider is called. */

openWorldForEachTest();

// At a checkout, a provider that cannot look one up may open a second account; nobody is shown the first.
const play = (request: RacedRequest, outside = (): Record<string, number> => ({})): Promise<void> =>
  playRaces(
    {
      world,
      clientOf: (process) => apiClient(process, merchant.business.keys.secret_live),
      settle: async () => {
        await world.minutesPass(2);
        await world.takeJobs();
      },
      outside,
    },
    request,
  );

const RACES = RIVALS.flatMap((rival) =>
  Object.keys(MOMENTS).map((moment): [Rival, Moment] => [rival, moment as Moment]),
);

/** A third of the races, so that a run plays each at one provider; its seed chooses which. They take ten minutes at all three. */
const chooseRaces = (provider: ProviderName) =>
  RACES.filter((_, i) => (i + PROVIDERS.indexOf(provider) + Math.abs(SEED)) % PROVIDERS.length === 0);

describeAtProviders('the live repeat of a request whose process died at %s', (provider) => {
  longTest.each(chooseRaces(provider))(
    'opens a checkout once and gives one answer, when %s comes at any of its calls %s',
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

  longTest.each(chooseRaces(provider))(
    'opens a virtual account once and gives one answer, when %s comes at any of its calls %s',
    (rival, moment) =>
      play(
        {
          bodies: () => {
            const body = { ...newCustomerFields(), provider };
            return { body, other: { ...body, customer_name: 'Amara Eze' } };
          },
          send: (client, body, headers) => client.createAccounts(body, headers),
          // A sweeper announces the accounts that it finds.
          uncounted: 'virtual_account.activated',
          rival,
          moment,
        },
        () => ({ accounts: world.twin.books.accounts().length }),
      ),
  );
});
