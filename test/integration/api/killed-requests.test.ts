import { FUNCTIONS } from '#infra/functions.ts';
import { DAY, SECOND } from '#shared/platform/kernel/time.ts';
import { longTest } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import { CHECKOUT, CUSTOMER } from '#test/support/worlds/keyed-requests.ts';
import {
  type KilledRequest,
  type Prepare,
  playKilledRequest,
  REPAIRS,
  type Repair,
} from '#test/support/worlds/killed-requests.ts';
import {
  api,
  business,
  endpointId,
  openMerchantForEachTest,
  receiver,
  sendTestEvent,
  world,
} from '#test/support/worlds/test-merchant.ts';

/*
 * Kills a process before or after each of its calls to the table or to the queue, at every endpoint that honours an Idempotency-Key. After the
 * repair a repeat of the request must have one effect and one answer, and the merchant must get each webhook once. killed-live-requests.test.ts
 * tests live mode.
 */

const checkoutReference = async (): Promise<string> => (await api.initialize(CHECKOUT)).json.data.reference;
const accountId = async (): Promise<string> =>
  (await api.createAccounts({ ...CUSTOMER, banks: ['monnify'] })).json.accounts[0].id;

/** Makes an event whose delivery waits for a recovery. */
const createParkedEvent = async (): Promise<void> => {
  const eventId = await sendTestEvent();
  const set = { state: 'parked', nextAttemptAt: null, dueAt: world.clock.now() + DAY } as const;
  await world.deps.deliveries.apply({ eventId, endpointId, mode: 'test' }, { expect: {}, set });
};

/** Prepares a request to each endpoint, by the name of its function. */
const REQUESTS: Readonly<Record<string, Prepare>> = {
  'initialize-checkout': async () => (client, headers) => client.initialize(CHECKOUT, headers),
  'create-virtual-accounts': async () => (client, headers) => client.createAccounts(CUSTOMER, headers),
  'post-delete-virtual-account': async () => {
    const id = await accountId();
    return (client, headers) => client.postDeleteAccount(id, undefined, headers);
  },
  'simulate-virtual-account-payment': async () => {
    const id = await accountId();
    return (client, headers) => client.simulateAccount(id, { amount: 500 }, headers);
  },
  'expire-checkout': async () => {
    const reference = await checkoutReference();
    return (client, headers) => client.expire(reference, undefined, headers);
  },
  'open-another-account': async () => {
    const reference = await checkoutReference();
    return (client, headers) => client.anotherAccount(reference, undefined, headers);
  },
  'simulate-checkout-payment': async () => {
    const reference = await checkoutReference();
    return (client, headers) => client.simulate({ reference }, headers);
  },
  'redeliver-event': async () => {
    const id = await sendTestEvent();
    return (client, headers) => client.redeliver(id, {}, headers);
  },
  'recover-webhook-endpoint': async () => {
    const since = new Date(world.clock.now()).toISOString();
    await createParkedEvent();
    return (client, headers) => client.recoverEndpoint(endpointId, { since }, headers);
  },
  'test-webhook-endpoint': async () => (client, headers) => client.testEndpoint(endpointId, undefined, headers),
};

/** Prepares requests to a slow provider of test mode. Intents and a claim are stored before it is asked. */
const WITH_INTENTS: Readonly<Record<string, Prepare>> = {
  'initialize-checkout': async () => (client, headers) =>
    client.initialize({ ...CHECKOUT, provider: 'monnify', payer_email: 'slow+monnify@example.com' }, headers),
  'create-virtual-accounts': async () => (client, headers) =>
    client.createAccounts({ ...CUSTOMER, customer_email: 'slow+monnify@example.com' }, headers),
};

/** Matches the functions whose work sends to the queue. */
const QUEUES = /^(simulate|expire|redeliver|test)/;
const callsOf = (name: string): KilledRequest['calls'] => (QUEUES.test(name) ? ['queue', 'table'] : ['table']);

describe('a request with an Idempotency-Key', () => {
  openMerchantForEachTest({
    world: { sandboxWait: async () => {}, routingOrder: ['paystack', 'monnify', 'korapay'] },
  });

  const settle = async (): Promise<void> => {
    for (let sweeps = 0; sweeps < 2; sweeps += 1) {
      await world.sweepAfter(31 * SECOND);
      for (const job of await world.takeJobs()) await deliverWebhook(world.deps, 'first', job);
    }
  };
  const play = (request: KilledRequest): Promise<void> =>
    playKilledRequest(
      {
        world,
        clientOf: (process) => createApiClient(process, business.keys.secret_test),
        settle,
        outside: () => (request.uncounted ? {} : { webhooks: receiver.received.length }),
      },
      request,
    );

  test('has a test at every endpoint that honours the key', () => {
    const honoured = FUNCTIONS.flatMap(({ name, trigger }) =>
      trigger.kind === 'endpoint' && trigger.contract.idempotent ? [name] : [],
    );
    expect(Object.keys(REQUESTS).toSorted()).toEqual(honoured.toSorted());
  });

  test('has one effect and one answer at test-webhook-endpoint if the process dies and the request is repeated', () =>
    play({ prepare: REQUESTS['test-webhook-endpoint'] as Prepare, repair: 'repeat', calls: ['queue', 'table'] }));

  /** Chooses the repair for an endpoint by the seed of the run. Requests with intents have tests with both repairs. */
  const chooseRepair = (place: number) => REPAIRS[(place + Math.abs(SEED)) % REPAIRS.length] as Repair;
  const ROWS = Object.entries(REQUESTS).map(([name, prepare], i) => [name, chooseRepair(i), prepare] as const);
  longTest.each(ROWS)(
    'has one effect and one answer at %s if the process dies and the %s repairs its work',
    (...row) => {
      const [name, repair, prepare] = row;
      return play({ prepare, repair, calls: callsOf(name) });
    },
  );

  const WITH_BOTH = Object.entries(WITH_INTENTS).flatMap(([name, prepare]) =>
    REPAIRS.map((repair) => [name, repair, prepare] as const),
  );
  longTest.each(WITH_BOTH)(
    'has one effect and one answer at %s with intents if the process dies and the %s repairs its work',
    (...row) => {
      const [name, repair, prepare] = row;
      // The sweeper announces accounts that it finds, but a repeat does not.
      const uncounted = name === 'initialize-checkout' ? 'checkout.expired' : 'virtual_account.activated';
      return play({ prepare, repair, calls: ['table'], uncounted });
    },
  );
});
