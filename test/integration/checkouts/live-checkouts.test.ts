import type { Fault } from '#infra/local/simulator/simulator.ts';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { listAttemptReferences } from '#shared/providers/domain/attempt-reference.ts';
import { InputError, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { describeRows, isFirst, testRows } from '#test/support/jest/long.ts';
import { expectOneCreation, expectReplay, IN_PROGRESS, KEY_REUSED } from '#test/support/worlds/answers.ts';
import { CRASHES, crash } from '#test/support/worlds/live-crash.ts';
import {
  breakOpening,
  changeProviders,
  createBarrier,
  createHoldingPoint,
  type LiveApi,
  makeProvidersWith,
  makeUnreachableSettings,
  SHORT_TIMEOUTS,
  untilReached,
} from '#test/support/worlds/live-faults.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

const KEY = { 'idempotency-key': 'order-2026-11-20-0042' };
const ORDER = { amount: 15_750.25, payer_email: 'tunde.bakare@example.com', payer_name: 'Tunde Bakare' };
const NAMED = { ...ORDER, merchant_reference: 'INV-2026-1120-0042' };
const AMOUNT_KOBO = 1_575_025;
/** Duration of a request's lease on its Idempotency-Key and its intent. */
const LEASE = 30 * SECOND;

openWorldForEachTest();
let api: LiveApi;
beforeEach(() => {
  ({ api } = merchant);
});

const listedCheckouts = (): Promise<Record<string, unknown>[]> => merchant.listedCheckouts();
const storedItems = (sk: 'CHK' | 'MREF' = 'CHK') => world.itemsOf(sk);
const expectNothingStored = async (): Promise<void> => {
  expect([await storedItems(), await storedItems('MREF')]).toEqual([[], []]);
};
/** Returns the reference of the only checkout, which may still be opening. */
const storedReference = async (): Promise<string> => String((await storedItems())[0]?.reference);
/** Lists the references of the accounts that a provider has opened. */
const referencesAt = (name: ProviderName): string[] =>
  world.simulator.books
    .accounts()
    .filter(({ provider }) => provider === name)
    .map(({ reference }) => reference);
/**
 * Returns the references of a provider after a lost answer. Only Monnify returns the account of an earlier call; elsewhere a second attempt
 * opens another account under a new reference.
 */
const attemptsAfterLoss = (name: ProviderName, reference: string): readonly string[] =>
  name === 'monnify' ? [reference] : listAttemptReferences(reference).slice(0, 2);
/** Pays the checkout's amount, and expects that it becomes paid. */
const expectPayable = async (reference: string): Promise<void> => {
  const { provider, account_number } = await merchant.fetch(reference);
  await world.pay(provider, account_number, AMOUNT_KOBO);
  expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: ORDER.amount });
};
/** Makes providers that answer only after `release`. */
const holdAnswers = () => {
  const point = createHoldingPoint();
  const slow = changeProviders(world, (issuer) => ({
    createPaymentAccount: async (request) => {
      await point.pass();
      return issuer.createPaymentAccount(request);
    },
  }));
  return { ...point, slow };
};
const unreached = (name: ProviderName): LiveApi =>
  merchant.apiWith(makeProvidersWith(world, makeUnreachableSettings(world, [name])));

// Paystack is missing, because it gets an e-mail address of ours instead of the payer's.
test.each(['monnify', 'korapay'] as const)(
  'a checkout gets a 422 and is not stored if %s rejects the payer',
  async (name) => {
    const message = `payer_email or payer_name is not accepted by ${name}.`;
    const order = { ...NAMED, provider: name };
    for (const headers of [{}, KEY, KEY]) {
      expect(await api.initialize({ ...order, payer_email: 'tunde.bakare@example.invalid' }, headers)).toMatchObject({
        status: 422,
        json: { code: 'validation_failed', errors: [{ field: 'payer_email', message }] },
      });
      await world.sweepAfter(LEASE);
      await expectNothingStored();
    }
    expect(world.measuredSum('provider_failures')).toBe(0);
    expect((await api.initialize(order)).status).toBe(201);
  },
);

describeAtProviders('a checkout at %s', (name) => {
  const order = { ...ORDER, provider: name };
  const named = { ...NAMED, provider: name };

  /** Makes opening fail before the provider knows the payment; Monnify knows it after the first of its two calls. */
  const failBeforeOpening = (): void => {
    const fault = { kind: 'gateway_fault', status: 502 } as const;
    if (name === 'monnify') world.simulator.fault(name, { ...fault, path: /init-transaction$/, times: 1 });
    else breakOpening(world, name, 'checkout', fault);
  };

  test('has one account for its amount, with the provider’s own expiry', async () => {
    const { status, json } = await api.initialize(order);
    const [account, ...more] = world.simulator.books.accounts();
    expect([status, more]).toEqual([201, []]);
    const { data } = json;
    expect(data).toMatchObject({
      status: 'pending',
      mode: 'live',
      provider: name,
      amount: ORDER.amount,
      amount_to_pay: ORDER.amount,
      reference: account?.reference,
      account_number: account?.number,
    });
    expect(account?.toPay).toBe(AMOUNT_KOBO);
    // Paystack takes no name; the simulator is called Simshop there (providers.md section 1.3).
    const accountNames = {
      paystack: 'SIMSHOP CHECKOUT',
      monnify: 'Simshop-Ada Stores Limited',
      korapay: 'Ada Stores Limited',
    };
    expect([account?.name, data.account_name]).toEqual([accountNames[name], accountNames[name]]);
    expect(Date.parse(data.expires_at)).toBe(account?.expiresAt);
    expect(await merchant.fetch(data.reference)).toEqual(data);
    expect(await listedCheckouts()).toEqual([data]);
    await expectPayable(data.reference);
  });

  test.each([
    [300, { paystack: 15 * MINUTE, monnify: 40 * MINUTE, korapay: 30 * MINUTE }],
    [1_800, { paystack: 30 * MINUTE, monnify: 40 * MINUTE, korapay: 30 * MINUTE }],
    [86_400, { paystack: 8 * HOUR, monnify: 40 * MINUTE, korapay: 30 * MINUTE }],
  ])('has the provider’s expiry if %d s are requested', async (expiresIn, expected) => {
    const { data } = (await api.initialize({ ...order, expires_in: expiresIn })).json;
    expect(Date.parse(data.expires_at) - world.clock.now()).toBe(expected[name]);
  });

  test('answers 422 for an expiry under 300 s, without a call to the provider', async () => {
    expect(await api.initialize({ ...order, expires_in: 299 })).toMatchObject({
      status: 422,
      json: { code: 'validation_failed', errors: [{ field: 'expires_in' }] },
    });
    expect(world.simulator.books.requests(name)).toBe(0);
    await expectNothingStored();
  });

  describe('near the amount limits of the provider', () => {
    // providers.md sections 1.3, 2.1 and 3.3, in naira.
    const { least, most } = {
      paystack: { least: 50, most: undefined },
      monnify: { least: 20, most: undefined },
      korapay: { least: 100, most: 10_000_000 },
    }[name];
    const invalidAmount = (message: string) => ({
      status: 422,
      json: { code: 'validation_failed', errors: [{ field: 'amount', message }] },
    });

    test('answers 422 with the limit each time, even under one Idempotency-Key, without a call to the provider', async () => {
      const tooLittle = { ...order, amount: least - 0.01 };
      const limit = `amount must be at least ${least} naira at ${name}.`;
      for (const headers of [{}, KEY, KEY])
        expect(await api.initialize(tooLittle, headers)).toMatchObject(invalidAmount(limit));
      if (most !== undefined) {
        const tooMuch = invalidAmount(`amount must be at most ${most} naira at ${name}.`);
        expect(await api.initialize({ ...order, amount: most + 0.01 })).toMatchObject(tooMuch);
      }
      expect(world.simulator.books.requests(name)).toBe(0);
      await expectNothingStored();
    });

    test('opens if the amount is exactly at a limit', async () => {
      expect((await api.initialize({ ...order, amount: least })).status).toBe(201);
      expect((await api.initialize({ ...order, amount: most ?? 100_000_000 })).status).toBe(201);
    });

    test('answers 422 and is not stored if the provider rejects the amount and we know no limit', async () => {
      const unaware = merchant.apiWith(changeProviders(world, () => ({ amountLimits: undefined })));
      const refused = invalidAmount(`amount is not accepted by ${name}.`);
      for (const headers of [{}, KEY, KEY]) {
        expect(await unaware.initialize({ ...named, amount: least - 0.01 }, headers)).toMatchObject(refused);
        await world.sweepAfter(LEASE);
        await expectNothingStored();
      }
      expect(world.measuredSum('provider_failures')).toBe(0);
    });
  });

  test('answers 502 and is not stored if the provider is unreachable', async () => {
    const failed = { code: 'provider_error', message: `${name} could not complete the request.` };
    for (const headers of [{}, KEY]) {
      expect(await unreached(name).initialize(order, headers)).toMatchObject({ status: 502, json: failed });
      expect(await storedItems()).toEqual([]);
    }
    expect(await api.initialize(order, KEY)).toMatchObject({ status: 201, json: { data: { status: 'pending' } } });
  });

  test('answers 503 if Secrets Manager is too busy for the credentials, and starts again under the same key', async () => {
    const away = async (): Promise<never> => {
      throw new ProviderUnavailable('Its credentials cannot be read.', { cause: new DependencyUnavailable('Busy.') });
    };
    const busy = merchant.apiWith(changeProviders(world, () => ({ createPaymentAccount: away })));
    const answer = await busy.initialize(order, KEY);
    expect(answer).toMatchObject({
      status: 503,
      json: { code: 'service_unavailable' },
      headers: { 'retry-after': '1' },
    });
    expect(await api.initialize(order, KEY)).toMatchObject({ status: 201, json: { data: { status: 'pending' } } });
  });

  test('frees its merchant_reference at once if the provider is unreachable', async () => {
    for (const headers of [{}, KEY]) {
      expect((await unreached(name).initialize(named, headers)).status).toBe(502);
      expect(await storedItems('MREF')).toEqual([]);
    }
    expect((await api.initialize(named)).status).toBe(201);
  });

  test.each<[string, Fault, object]>([
    ['rejects our credentials', { kind: 'unauthorised' }, { status: 502, json: { code: 'provider_error' } }],
    ['limits our rate', { kind: 'rate_limited' }, { status: 503, json: { code: 'provider_busy' } }],
  ])('answers 5xx and is not stored if the provider %s', async (_, fault, answer) => {
    world.simulator.fault(name, fault);
    expect(await api.initialize(order)).toMatchObject(answer);
    expect(await storedItems()).toEqual([]);
    world.simulator.fault(name, null);
    world.clock.advance(5 * SECOND);
    expect((await api.initialize(order)).status).toBe(201);
  });

  test('answers 502 and is hidden after a lost answer, until the sweeper opens it', async () => {
    const fields = { description: 'Order 1042', callback_url: 'https://shop.example.ng/done', cancel_url: null };
    breakOpening(world, name, 'checkout', { kind: 'lost_answer' });
    expect(await api.initialize({ ...order, ...fields })).toMatchObject({
      status: 502,
      json: { code: 'provider_error' },
    });
    const reference = await storedReference();
    expect(referencesAt(name)).toEqual([reference]);
    expect((await api.verify(reference)).status).toBe(404);
    expect(await listedCheckouts()).toEqual([]);
    await world.sweepAfter(LEASE);
    await world.sweep();
    const [opened, ...others] = await listedCheckouts();
    expect([opened, others]).toMatchObject([{ ...fields, reference, status: 'pending' }, []]);
    if (name !== 'paystack') expect(opened).toMatchObject({ account_name: expect.stringContaining('Ada Stores') });
    expect(referencesAt(name)).toEqual(attemptsAfterLoss(name, reference));
    expect(await world.events()).toEqual([]);
    await expectPayable(reference);
  });

  test('keeps its merchant_reference after a lost answer, and is found by it when it is open', async () => {
    breakOpening(world, name, 'checkout', { kind: 'lost_answer' });
    expect((await api.initialize(named)).status).toBe(502);
    const reference = await storedReference();
    const duplicate = { status: 409, json: { code: 'duplicate_merchant_reference' } };
    expect(await api.initialize(named)).toMatchObject(duplicate);
    await world.sweepAfter(LEASE);
    expect(await api.initialize(named)).toMatchObject(duplicate);
    const listed = await api.listCheckouts(undefined, {}, { merchant_reference: NAMED.merchant_reference });
    expect(listed.json.data).toMatchObject([{ reference, status: 'pending' }]);
  });

  test('answers 502 after an unknown outcome, and is deleted when a look-up shows that nothing was opened', async () => {
    failBeforeOpening();
    expect((await api.initialize(order)).status).toBe(502);
    expect(referencesAt(name)).toEqual([]);
    await world.sweepAfter(LEASE);
    expect([await storedItems(), await listedCheckouts(), await world.events()]).toEqual([[], [], []]);
  });

  test('frees its merchant_reference when a look-up shows that nothing was opened', async () => {
    failBeforeOpening();
    expect((await api.initialize(named)).status).toBe(502);
    expect((await api.initialize(named)).status).toBe(409);
    await world.sweepAfter(LEASE);
    expect(await storedItems('MREF')).toEqual([]);
    expect((await api.initialize(named)).status).toBe(201);
  });

  testRows<[string, Fault, boolean]>([
    ['a lost answer', { kind: 'lost_answer' }, true],
    ['a gateway error', { kind: 'gateway_fault', status: 503 }, false],
    ['a time-out', { kind: 'hung' }, false],
  ])('opens by an immediate retry with the key after %s, under the same reference', async (_, fault, isOpened) => {
    breakOpening(world, name, 'checkout', fault);
    const shortTimeouts = merchant.apiWith(makeProvidersWith(world, world.settings, SHORT_TIMEOUTS));
    const failed = await shortTimeouts.initialize(order, KEY);
    expect(failed).toMatchObject({ status: 502, json: { code: 'provider_error' } });
    const reference = await storedReference();
    const retried = await api.initialize(order, KEY);
    expect(retried).toMatchObject({ status: 201, json: { data: { reference, status: 'pending' } } });
    expect(retried.headers['idempotent-replayed']).toBeUndefined();
    expect(referencesAt(name)).toEqual(isOpened ? attemptsAfterLoss(name, reference) : [reference]);
    expect(await api.initialize(order, KEY)).toMatchObject(expectReplay(retried));
    await world.sweepAfter(LEASE);
    expect(await listedCheckouts()).toHaveLength(1);
    await expectPayable(reference);
  });

  // The retry must not drop the intent, because the provider may have issued the account for the first request.
  test('survives a crash after its account was issued and a retry that cannot reach the provider', async () => {
    await merchant.dieBeforeWriting((dying) => dying.initialize(order, KEY));
    const reference = await storedReference();
    world.clock.advance(LEASE);
    world.simulator.fault(name, { kind: 'rate_limited' });
    expect((await api.initialize(order, KEY)).status).toBe(503);
    world.simulator.fault(name, null);
    await world.sweepAfter(5 * MINUTE);
    expect(await listedCheckouts()).toMatchObject([{ reference, status: 'pending' }]);
    await expectPayable(reference);
  });

  test('opens once for 20 identical simultaneous POSTs with one key', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.initialize(order, KEY)));
    const opened = expectOneCreation(answers);
    expect(referencesAt(name)).toEqual([opened.json.data.reference]);
    expect(await storedItems()).toHaveLength(1);
    expect(await api.initialize(order, KEY)).toMatchObject(expectReplay(opened));
  });
});

// Monnify is missing because it returns the account of an earlier call.
describeRows(
  'a checkout whose references at %s were all used by processes that died',
  ['paystack', 'korapay'] as const,
  isFirst,
  (name) => {
    const order = { ...NAMED, provider: name };
    const dieWithAccount = async (body: object, headers?: Record<string, string>): Promise<void> => {
      await merchant.dieBeforeWriting((dying) => dying.initialize(body, headers));
      world.clock.advance(LEASE);
    };
    const sweepAndDie = async (): Promise<void> => {
      world.clock.advance(5 * MINUTE);
      await world.dispatch();
      await merchant.dieBeforeWriting((_, deps) => world.consumeMoney([name], deps));
    };

    test('disappears in a sweep, frees its merchant_reference, and leaves its money as unmatched', async () => {
      await dieWithAccount(order);
      const reference = await storedReference();
      const [account] = world.simulator.books.accounts();
      await world.pay(name, account?.number ?? '', AMOUNT_KOBO);
      for (const _ of listAttemptReferences(reference).slice(1)) await sweepAndDie();
      expect(referencesAt(name)).toEqual(listAttemptReferences(reference));
      expect(await storedReference()).toBe(reference);
      await world.sweepAfter(5 * MINUTE);
      await expectNothingStored();
      expect(await world.unmatched()).toMatchObject([{ money: { payee: { reference } } }]);
      expect((await api.initialize(order)).status).toBe(201);
    });

    test('disappears after its expiry if the provider rejects each further account', async () => {
      await dieWithAccount(order);
      const [account] = world.simulator.books.accounts();
      await world.pay(name, account?.number ?? '', AMOUNT_KOBO);
      const refused = new InputError('The provider takes no payment of this amount.', 'amount');
      const refusing: LiveWorld['deps']['liveProviders'] = (providerName) => {
        const provider = world.deps.liveProviders(providerName);
        return provider && { ...provider, createPaymentAccount: () => Promise.reject(refused) };
      };
      await world.sweepAfter(MINUTE, { liveProviders: refusing });
      expect(await storedItems()).toHaveLength(1);
      await world.sweepAfter(HOUR, { liveProviders: refusing });
      await expectNothingStored();
      expect(await world.unmatched()).toHaveLength(1);
      expect(world.loggedLines('checkout_removed')).toMatchObject([
        { provider: name, business_id: merchant.business.id },
      ]);
    });

    test('gets one more 502, and then starts again by a retry with the key', async () => {
      for (const _ of listAttemptReferences('')) await dieWithAccount(order, KEY);
      const reference = await storedReference();
      expect(referencesAt(name)).toEqual(listAttemptReferences(reference));
      expect(await api.initialize(order, KEY)).toMatchObject({ status: 502, json: { code: 'provider_error' } });
      await expectNothingStored();
      const { status, json } = await api.initialize(order, KEY);
      expect([status, json.data.reference === reference]).toEqual([201, false]);
      await expectPayable(json.data.reference);
    });
  },
);

describeRows(
  'a process killed %s',
  CRASHES,
  (at) => at === 'before the answer is written',
  (at) => {
    const isIssued = at === 'before the answer is written';
    const ordersAt = PROVIDERS.map((provider) => ({
      provider,
      body: { ...ORDER, provider },
      headers: { 'idempotency-key': `order-0042-${provider}` },
    }));
    const die = async (): Promise<Map<unknown, string>> => {
      await crash(world, merchant.business, { work: 'checkout', providers: PROVIDERS, requests: ordersAt }, at);
      return new Map((await storedItems()).map(({ lane, reference }) => [lane, String(reference)]));
    };

    test('answers a retry with its key 409 until the lease ends, then with the same reference', async () => {
      const references = await die();
      expect(references.size).toBe(3);
      expect(world.simulator.books.accounts()).toHaveLength(isIssued ? 3 : 0);
      expect(await listedCheckouts()).toEqual([]);
      for (const { body, headers } of ordersAt) {
        expect(await api.initialize(body, headers)).toMatchObject(IN_PROGRESS);
      }
      world.clock.advance(LEASE);
      for (const { provider, body, headers } of ordersAt) {
        const reference = references.get(provider) ?? '';
        const retried = await api.initialize(body, headers);
        expect(retried).toMatchObject({ status: 201, json: { data: { reference, status: 'pending' } } });
        expect(referencesAt(provider)).toEqual(isIssued ? attemptsAfterLoss(provider, reference) : [reference]);
        expect(await api.initialize(body, headers)).toMatchObject(expectReplay(retried));
        await expectPayable(reference);
      }
      expect(await listedCheckouts()).toHaveLength(3);
    });

    test('leaves issued accounts that become checkouts without a retry, and the rest is removed', async () => {
      const references = await die();
      await world.sweepAfter(LEASE - 1);
      expect(await listedCheckouts()).toEqual([]);
      await world.sweepAfter(1);
      // Monnify knows the payment from the first of its two calls, and returns the account at a look-up.
      const opened = PROVIDERS.filter((name) => isIssued || name === 'monnify');
      expect((await listedCheckouts()).map(({ provider, status }) => [provider, status]).toSorted()).toEqual(
        opened.map((name) => [name, 'pending']).toSorted(),
      );
      expect((await storedItems()).map(({ reference }) => reference).toSorted()).toEqual(
        opened.map((name) => references.get(name)).toSorted(),
      );
      expect(await world.events()).toEqual([]);
      for (const { provider, body, headers } of ordersAt) {
        const reference = references.get(provider) ?? '';
        const retried = await api.initialize(body, headers);
        expect(retried).toMatchObject({ status: 201, json: { data: { reference } } });
        expect(listAttemptReferences(reference)).toEqual(expect.arrayContaining(referencesAt(provider)));
        await expectPayable(reference);
      }
      expect(await listedCheckouts()).toHaveLength(3);
    });
  },
);

describe('an Idempotency-Key', () => {
  test('answers 409 while its first request runs, and rejects another body then and afterwards', async () => {
    const { reached, release, slow } = holdAnswers();
    const first = merchant.apiWith(slow).initialize(ORDER, KEY);
    await untilReached(reached, first);
    const other = { ...ORDER, amount: 15_750.26 };
    expect(await api.initialize(ORDER, KEY)).toMatchObject(IN_PROGRESS);
    const during = await api.initialize(other, KEY);
    release();
    const answer = await first;
    expect(answer.status).toBe(201);
    for (const reused of [during, await api.initialize(other, KEY)]) expect(reused).toMatchObject(KEY_REUSED);
    expect(await api.initialize(ORDER, KEY)).toMatchObject(expectReplay(answer));
    expect(world.simulator.books.accounts()).toHaveLength(1);
  });

  // The handler throws a replay as an error; it must not be logged as a failure.
  test('causes no log of a failed request when it is replayed', async () => {
    await api.initialize(ORDER, KEY);
    expect((await api.initialize(ORDER, KEY)).headers['idempotent-replayed']).toBe('true');
    expect(world.loggedTimes('request_failed')).toBe(0);
  });

  test('goes to exactly one of two requests after its lease has ended', async () => {
    const monnify = { ...ORDER, provider: 'monnify' };
    await merchant.dieBeforeWriting((dying) => dying.initialize(monnify, KEY));
    world.clock.advance(LEASE);
    const both = createBarrier(2);
    const checkoutIntents: LiveWorld['deps']['checkoutIntents'] = {
      ...world.deps.checkoutIntents,
      takeOver: async (...args) => {
        await both();
        return world.deps.checkoutIntents.takeOver(...args);
      },
    };
    const { calls, release, slow } = holdAnswers();
    const rival = merchant.apiWith({ ...slow, checkoutIntents });
    const requests = [rival.initialize(monnify, KEY), rival.initialize(monnify, KEY)];
    // The winner waits for its provider until the other request has its answer.
    await Promise.race(requests);
    release();
    const answers = await Promise.all(requests);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.json.code).toBe('idempotency_in_progress');
    expect(calls()).toBe(1);
    expect(world.simulator.books.accounts()).toHaveLength(1);
    expect(await storedItems()).toHaveLength(1);
  });

  // Taking over must change the intent's version; otherwise the sweeper would drop the retry's checkout.
  test('keeps its checkout if a retry takes the key over while the sweeper looks the checkout up', async () => {
    const korapay = { ...ORDER, provider: 'korapay' as const };
    await crashBeforeAsked(korapay);
    const [intent] = await storedItems();
    world.clock.advance(LEASE);
    // The sweeper learns that there is no payment, and records that late.
    const lookedUp = createHoldingPoint();
    const slowly = world.scripted('korapay', (real) => ({
      lookUp: async (query) => {
        const report = await real.lookUp(query);
        await lookedUp.pass();
        return report;
      },
    }));
    const sweeping = world.sweep(slowly);
    await lookedUp.reached;
    // Meanwhile the retry begins.
    const retry = holdAnswers();
    const retrying = merchant.apiWith(retry.slow).initialize(korapay, KEY);
    await untilReached(retry.reached, retrying);
    lookedUp.release();
    await sweeping;
    retry.release();
    expect(await retrying).toMatchObject({ status: 201, json: { data: { reference: intent?.reference } } });
    expect(await listedCheckouts()).toMatchObject([{ reference: intent?.reference }]);
  });

  /** Ends a request after it wrote its intent, before it calls the provider. */
  const crashBeforeAsked = async (body: typeof ORDER & { provider: ProviderName }): Promise<void> => {
    const { reached, slow } = holdAnswers();
    await untilReached(reached, merchant.apiWith(slow).initialize(body, KEY));
  };

  test('answers every retry 409 if another request took its merchant_reference meanwhile', async () => {
    await crashBeforeAsked({ ...NAMED, provider: 'paystack' });
    await world.sweepAfter(LEASE);
    expect((await api.initialize({ ...NAMED, provider: 'korapay' })).status).toBe(201);
    for (const _ of [1, 2]) {
      expect(await api.initialize({ ...NAMED, provider: 'paystack' }, KEY)).toMatchObject({
        status: 409,
        json: { code: 'duplicate_merchant_reference' },
      });
    }
    expect(await listedCheckouts()).toHaveLength(1);
  });
});

test('three simultaneous orders under one merchant_reference open one checkout and one account', async () => {
  const answers = await Promise.all(PROVIDERS.map((provider) => api.initialize({ ...NAMED, provider })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  expect(await listedCheckouts()).toHaveLength(1);
  expect(world.simulator.books.accounts()).toHaveLength(1);
});
