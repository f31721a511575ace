import { FUNCTIONS } from '#infra/functions.ts';
import { DAY, SECOND } from '#shared/domain/kernel/time.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/engines/fault-proxy.ts';
import { longTest } from '#test/support/jest/long.ts';
import { type ApiAnswer, apiClient } from '#test/support/worlds/api-client.ts';
import { CHECKOUT, CUSTOMER } from '#test/support/worlds/keyed-requests.ts';
import {
  api,
  business,
  endpointId,
  openMerchantForEachTest,
  sendTestEvent,
  world,
} from '#test/support/worlds/test-merchant.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

/*
 * A process that dies between any two calls of the table, at every endpoint that honours an Idempotency-Key: its request, sent again, has
 * one effect and one answer.
 */

type Api = ReturnType<typeof apiClient>;
type Headers = Record<string, string>;

/** Makes what a request is about, and returns the request. */
type Prepare = () => Promise<(client: Api, headers: Headers) => Promise<ApiAnswer>>;

const checkoutReference = async (): Promise<string> => (await api.initialize(CHECKOUT)).json.data.reference;
const accountId = async (): Promise<string> =>
  (await api.createAccounts({ ...CUSTOMER, banks: ['monnify'] })).json.accounts[0].id;

/** An event whose delivery waits for a recovery. */
const parkedEvent = async (): Promise<void> => {
  const eventId = await sendTestEvent();
  const set = { state: 'parked', nextAttemptAt: null, dueAt: world.clock.now() + DAY } as const;
  await world.deps.deliveries.apply({ eventId, endpointId, mode: 'test' }, { expect: {}, set });
};

/** Each endpoint's request, by its function. */
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
    await parkedEvent();
    return (client, headers) => client.recoverEndpoint(endpointId, { since }, headers);
  },
  'test-webhook-endpoint': async () => (client, headers) => client.testEndpoint(endpointId, undefined, headers),
};

/** A checkout and accounts at a provider of test mode that answers slowly: intents and a claim are stored first. */
const WITH_INTENTS: Readonly<Record<string, Prepare>> = {
  'initialize-checkout': async () => (client, headers) =>
    client.initialize({ ...CHECKOUT, provider: 'monnify', payer_email: 'slow+monnify@example.com' }, headers),
  'create-virtual-accounts': async () => (client, headers) =>
    client.createAccounts({ ...CUSTOMER, customer_email: 'slow+monnify@example.com' }, headers),
};

describe('a request with an Idempotency-Key', () => {
  openMerchantForEachTest({ world: { sandboxWait: async () => {} } });
  let proxy: FaultProxy;
  beforeEach(async () => {
    proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  });
  afterEach(() => proxy.stop());

  /** Counted anew by a repeated request, requests, allowances and leases; and an endpoint's breaker, of which there is one. */
  const COUNTS = /^(RATE|HAND|USED|LEASE)#|BREAKER$/;
  /** How many items of each family there are, and how often their deliveries were sent again. */
  const inventory = async (): Promise<Record<string, number>> => {
    const sums: Record<string, number> = {};
    for (const { pk, sk, generation } of await world.itemsOf('')) {
      if (COUNTS.test(`${pk} ${sk}`)) continue;
      const family = `${String(pk).split('#')[0]} ${String(sk).split('#')[0]}`;
      sums[family] = (sums[family] ?? 0) + 1;
      sums[`${family} generations`] = (sums[`${family} generations`] ?? 0) + Number(generation ?? 0);
    }
    return sums;
  };
  /** What work adds to the table. */
  const added = async (work: () => Promise<unknown>): Promise<Record<string, number>> => {
    const before = await inventory();
    await work();
    const after = await inventory();
    return Object.fromEntries(Object.entries(after).map(([family, sum]) => [family, sum - (before[family] ?? 0)]));
  };

  /**
   * Makes a request in a process whose table goes silent at call number `at`: instead of it, or once it was done. Returns false when the
   * request was answered before.
   */
  const killAt = async (
    request: (client: Api) => Promise<ApiAnswer>,
    at: number,
    when: 'before' | 'after',
  ): Promise<boolean> => {
    let calls = 0;
    let die = (): void => {};
    const dead = new Promise<true>((resolve) => {
      die = () => resolve(true);
    });
    proxy.inject(() => {
      calls += 1;
      if (calls < at) return undefined;
      // The client sends a lost call again, which a dead process does not.
      if (calls > at || when === 'before') {
        die();
        return 'hang';
      }
      return 'lose-answer';
    });
    const dying = await makeWorld({ dynamoDbEndpoint: proxy.endpoint, sandboxWait: async () => {}, joins: world });
    const answered = request(apiClient(dying, business.keys.secret_test));
    return Promise.race([dead, answered.then(() => false)]);
  };

  const playKills = async (prepare: Prepare): Promise<void> => {
    const expected = await added(async () => {
      const request = await prepare();
      expect((await request(api, { 'idempotency-key': 'alive' })).status).toBeLessThan(300);
    });
    let kills = 0;
    for (const when of ['before', 'after'] as const) {
      for (let at = 1, isKilled = true; isKilled; at += 1) {
        const headers = { 'idempotency-key': `${when}-${at}` };
        const effect = await added(async () => {
          const request = await prepare();
          isKilled = await killAt((client) => request(client, headers), at, when);
          if (isKilled) kills += 1;
          // No request of a dead process is under way any more, and its lease has ended.
          world.clock.advance(31 * SECOND);
          const retried = await request(api, headers);
          expect(retried.status).toBeLessThan(300);
          const again = await request(api, headers);
          expect([again.text, again.headers['idempotent-replayed']]).toEqual([retried.text, 'true']);
        });
        expect({ when, at, ...effect }).toEqual({ when, at, ...expected });
      }
    }
    // The caller's key, the record of the Idempotency-Key and the transaction at least, before and after each.
    expect(kills).toBeGreaterThanOrEqual(6);
  };

  test('is played at every endpoint that honours one', () => {
    const honoured = FUNCTIONS.flatMap(({ name, trigger }) =>
      trigger.kind === 'endpoint' && trigger.contract.idempotent ? [name] : [],
    );
    expect(Object.keys(REQUESTS).toSorted()).toEqual(honoured.toSorted());
  });

  for (const [name, prepare] of Object.entries(REQUESTS)) {
    const play = name === 'simulate-checkout-payment' ? test : longTest;
    play(`has one effect and one answer at ${name}, wherever its process dies`, () => playKills(prepare));
  }
  for (const [name, prepare] of Object.entries(WITH_INTENTS)) {
    longTest(`has one effect and one answer at ${name} with intents, wherever its process dies`, () =>
      playKills(prepare),
    );
  }
});
