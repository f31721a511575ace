import { SECOND } from '#shared/platform/kernel/time.ts';
import { testRows } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import { CHECKOUT, CUSTOMER } from '#test/support/worlds/keyed-requests.ts';
import {
  MOMENT_NAMES,
  type Moment,
  playRaces,
  type RacedRequest,
  RIVALS,
  type Rival,
} from '#test/support/worlds/raced-repeats.ts';
import { business, openMerchantForEachTest, receiver, world } from '#test/support/worlds/test-merchant.ts';

/*
 * Repeats the request of a killed process. At each call of the repeat a rival comes: an equal repeat, a repeat with another body, or the sweeper.
 * raced-live-repeats.test.ts tests live mode.
 */

openMerchantForEachTest({ world: { sandboxWait: async () => {} } });

type Requests = Readonly<Record<string, Pick<RacedRequest, 'bodies' | 'send' | 'uncounted'>>>;
const SLOW = 'slow+monnify@example.com';
const REQUESTS: Requests = {
  'virtual accounts of test mode with intents': {
    bodies: () => {
      const body = { ...CUSTOMER, banks: ['monnify', 'korapay'], customer_email: SLOW };
      return { body, other: { ...body, customer_name: 'Amara Eze' } };
    },
    send: (client, body, headers) => client.createAccounts(body, headers),
    // The sweeper announces accounts that it finds, but a repeat does not.
    uncounted: 'virtual_account.activated',
  },
  'a test checkout': {
    bodies: () => ({ body: CHECKOUT, other: { ...CHECKOUT, amount: CHECKOUT.amount + 1 } }),
    send: (client, body, headers) => client.initialize(body, headers),
  },
  'virtual accounts of test mode': {
    bodies: () => ({ body: CUSTOMER, other: { ...CUSTOMER, customer_name: 'Amara Eze' } }),
    send: (client, body, headers) => client.createAccounts(body, headers),
  },
  'a test checkout with an intent': {
    bodies: () => {
      const body = { ...CHECKOUT, provider: 'monnify', payer_email: SLOW };
      return { body, other: { ...body, amount: CHECKOUT.amount + 1 } };
    },
    send: (client, body, headers) => client.initialize(body, headers),
    uncounted: 'checkout.expired',
  },
};

/** Each request at each moment with one rival. The seed of the run chooses the rival, because all three would take three times as long. */
const ROWS = Object.keys(REQUESTS).flatMap((name, i) =>
  MOMENT_NAMES.map((moment, j): [string, Rival, Moment] => [
    name,
    RIVALS[(i + j + Math.abs(SEED)) % RIVALS.length] as Rival,
    moment,
  ]),
);

describe('the repeat of a request whose process died', () => {
  testRows(ROWS)('opens %s once and gives one answer if %s comes at any of its calls %s', (name, rival, moment) => {
    const request = REQUESTS[name as string] as Requests[string];
    return playRaces(
      {
        world,
        clientOf: (process) => createApiClient(process, business.keys.secret_test),
        settle: async () => {
          for (let sweeps = 0; sweeps < 2; sweeps += 1) {
            await world.sweepAfter(31 * SECOND);
            for (const job of await world.takeJobs()) await deliverWebhook(world.deps, 'first', job);
          }
        },
        outside: () => (request.uncounted ? {} : { webhooks: receiver.received.length }),
      },
      { ...request, rival, moment },
    );
  });
});
