import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { ProviderBusy, ProviderError } from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { QuotaMeter } from '#shared/providers/ports.ts';
import { type Crash, crash } from '#test/support/worlds/live-crash.ts';
import { apiWith, changedProviders } from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { payersPage } from '#test/support/worlds/payers-page.ts';
import { OPENING } from '#test/support/worlds/provider-calls.ts';
import {
  accountsAt,
  attemptsOf,
  away,
  KEY,
  ORDER,
  ORDER_OF_STAGE,
  refusing,
  silent,
} from '#test/support/worlds/routed-merchant.ts';

/* A payer whose bank cannot find the account is shown another one, at another provider, beside the first. */

openWorldForEachTest({ routingOrder: ORDER_OF_STAGE });

/** The attempt that every checkout here begins with. */
const FIRST = ['paystack', '', 'open'];

const initialize = async (more: Record<string, unknown> = {}) =>
  (await merchant.api.initialize({ ...ORDER, ...more })).json.data;
const move = async (reference: string) => (await merchant.api.anotherAccount(reference)).json.data;
const eventsOf = async () =>
  (await merchant.api.listEvents()).json.data.map(({ type }: { type: string }) => type).toReversed();

describe('another account by API', () => {
  test('another account is opened at the next provider of the order, and shown with the first', async () => {
    const before = await initialize();
    expect(before.accounts).toEqual([
      {
        provider: 'paystack',
        account_number: before.account_number,
        account_name: before.account_name,
        bank_name: before.bank_name,
        bank_code: before.bank_code,
        amount_to_pay: 8_500,
        expires_at: before.expires_at,
        current: true,
      },
    ]);
    const { status, json } = await merchant.api.anotherAccount(before.reference, undefined, KEY);
    expect([status, json.data.provider, json.data.version]).toEqual([200, 'monnify', 2]);
    const [first, second] = json.data.accounts;
    expect(first).toEqual({ ...before.accounts[0], current: false });
    expect(second).toMatchObject({ provider: 'monnify', account_number: json.data.account_number, current: true });
    expect(accountsAt('monnify').map(({ reference }) => reference)).toEqual([`${before.reference}-B`]);
    expect(await merchant.fetch(before.reference)).toEqual(json.data);
    expect(world.loggedLines('checkout_routed')).toMatchObject([
      { provider: 'paystack', attempt: 1 },
      { provider: 'monnify', attempt: 2, candidates: 'monnify korapay' },
    ]);
    // The same request again is the same answer, and opens nothing.
    expect((await merchant.api.anotherAccount(before.reference, undefined, KEY)).text).toBe(JSON.stringify(json));
    expect(world.simulator.books.accounts()).toHaveLength(2);
    expect(await eventsOf()).toEqual([]);
  });

  test.each<[number, string[]]>([
    [0, ['checkout.paid']],
    [1, ['checkout.paid']],
  ])('money on account %i pays the checkout, and its number finds it', async (index, events) => {
    const { reference } = await initialize();
    const { accounts } = await move(reference);
    const { provider, account_number } = accounts[index];
    await world.pay(provider, account_number, ASKED);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect(await eventsOf()).toEqual(events);
    const found = await merchant.api.listCheckouts(undefined, {}, { account_number });
    expect(found.json.data.map((one: { reference: string }) => one.reference)).toEqual([reference]);
    const ofPayer = await merchant.api.listCheckouts(undefined, {}, { payer_email: ORDER.payer_email });
    expect(ofPayer.json.data).toHaveLength(1);
    expect(await world.unmatched()).toEqual([]);
    await world.expectBooksToAgree();
  });

  test('money on both accounts at once counts twice, and is told as overpaid', async () => {
    const { reference } = await initialize();
    const { accounts } = await move(reference);
    await Promise.all(
      accounts.map(({ provider, account_number }: { provider: ProviderName; account_number: string }) =>
        world.pay(provider, account_number, ASKED),
      ),
    );
    await world.minutesPass(1);
    const checkout = await merchant.fetch(reference);
    expect([checkout.status, checkout.paid_amount, checkout.difference]).toEqual(['paid', 17_000, 8_500]);
    expect(checkout.payments.map(({ provider }: { provider: string }) => provider).toSorted()).toEqual([
      'monnify',
      'paystack',
    ]);
    // Both are of one millisecond of the test's clock.
    expect((await eventsOf()).toSorted()).toEqual(['checkout.overpaid', 'checkout.paid']);
    await world.expectBooksToAgree();
  });

  test('a checkout has three accounts in its life, each at another provider', async () => {
    const { reference } = await initialize();
    await move(reference);
    expect((await move(reference)).accounts).toMatchObject([
      { provider: 'paystack', current: false },
      { provider: 'monnify', current: false },
      { provider: 'korapay', current: true },
    ]);
    const answer = await merchant.api.anotherAccount(reference);
    expect(answer).toMatchObject({ status: 409, json: { code: 'no_other_provider' } });
  });

  test('another account is opened at the third provider while the second one fails', async () => {
    const { reference } = await initialize();
    const { status, json } = await merchant.apiWith(away('monnify')).anotherAccount(reference);
    expect([status, json.data.provider]).toEqual([200, 'korapay']);
    expect(await attemptsOf()).toEqual([
      ['paystack', '', 'open'],
      ['monnify', '-B', 'refused'],
      ['korapay', '-C', 'open'],
    ]);
    expect(json.data.accounts.map(({ provider }: { provider: string }) => provider)).toEqual(['paystack', 'korapay']);
  });

  test('no failing provider is asked before one that works', async () => {
    const { reference } = await initialize();
    const failing = { provider: 'monnify', why: 'creations_fail' } as const;
    const trial = {
      order: ['monnify', 'korapay'],
      last: [failing],
      tried: 'monnify',
      isSlowEverywhere: false,
    } as const;
    const api = merchant.apiWith({ healthyFirst: async () => trial });
    expect((await api.anotherAccount(reference)).json.data.provider).toBe('korapay');
  });

  test('an account that no provider opens is a 409 with the failure of each, and the checkout stays as it was', async () => {
    const before = await initialize();
    const failing = merchant.apiWith(refusing(new ProviderError('No.'), 'monnify', 'korapay'));
    expect(await failing.anotherAccount(before.reference)).toMatchObject({
      status: 409,
      json: {
        code: 'no_other_provider',
        errors: [
          { provider: 'monnify', code: 'provider_refused' },
          { provider: 'korapay', code: 'provider_refused' },
        ],
      },
    });
    expect(await merchant.fetch(before.reference)).toEqual(before);
    await world.pay('paystack', before.account_number, ASKED);
    expect(await merchant.statusOf(before.reference)).toBe('paid');
  });

  test.each<[string, ProviderName[], string[][]]>([
    ['each provider that is left', ['monnify', 'korapay'], []],
    ['the last one, after another refused', ['korapay'], [['monnify', '-B', 'refused']]],
  ])('is told when to try again where the quota of %s is used up, and can be opened then', async (_, usedUp, left) => {
    const { reference } = await initialize();
    const quotaMeter: QuotaMeter = {
      charge: async (__, provider) => (usedUp.includes(provider) ? new ProviderBusy('Used up.', 7_000) : undefined),
    };
    const api = merchant.apiWith({ ...refusing(new ProviderError('No.'), 'monnify'), quotaMeter });
    expect(await api.anotherAccount(reference, undefined, KEY)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '7' },
      json: { code: 'provider_busy', message: `${usedUp[0]} takes no more requests right now.` },
    });
    expect(await attemptsOf()).toEqual([FIRST, ...left]);
    const { status, json } = await merchant.api.anotherAccount(reference, undefined, KEY);
    expect([status, json.data.provider]).toEqual([200, usedUp[0]]);
  });

  test('a provider that limited the requests, and did nothing, is asked again', async () => {
    const { reference } = await initialize();
    await move(reference);
    const limiting = merchant.apiWith(refusing(new ProviderBusy('Too many.', 5_000), 'korapay'));
    expect(await limiting.anotherAccount(reference)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      json: { code: 'provider_busy' },
    });
    expect(await attemptsOf()).toEqual([FIRST, ['monnify', '-B', 'open']]);
    expect((await move(reference)).provider).toBe('korapay');
    expect(await attemptsOf()).toEqual([FIRST, ['monnify', '-B', 'open'], ['korapay', '-C', 'open']]);
  });

  test('an account whose provider does not answer is settled by a look-up, and money on it counts', async () => {
    const { reference } = await initialize();
    world.simulator.fault('monnify', { kind: 'lost_answer', path: OPENING.monnify.checkout });
    const { json } = await merchant.apiWith(silent('korapay')).anotherAccount(reference);
    expect(json.code).toBe('no_other_provider');
    expect(await attemptsOf()).toEqual([FIRST, ['monnify', '-B', 'unknown'], ['korapay', '-C', 'unknown']]);
    await world.minutesPass(3);
    expect(await attemptsOf()).toEqual([FIRST, ['monnify', '-B', 'open'], ['korapay', '-C', 'unknown']]);
    for (const { provider, number } of world.simulator.books.accounts()) await world.pay(provider, number, ASKED);
    expect(await merchant.fetch(reference)).toMatchObject({
      paid_amount: 17_000,
      accounts: [{ provider: 'paystack' }],
    });
    await world.minutesPass(60, 5);
    expect((await attemptsOf())[2]).toEqual(['korapay', '-C', 'refused']);
    expect(await world.unmatched()).toEqual([]);
  });

  test('another account is refused for a business without routing, and where the time is up or money came', async () => {
    const unrouted = apiWith(world, await world.addBusiness([], 'live', false), {});
    const { reference: alone } = (await unrouted.initialize(ORDER)).json.data;
    expect(await unrouted.anotherAccount(alone)).toMatchObject({ status: 409, json: { code: 'no_other_provider' } });
    const refused = (message: string) => ({ status: 409, json: { code: 'checkout_not_payable', message } });
    const paid = await initialize();
    await world.pay('paystack', paid.account_number, ASKED);
    expect(await merchant.api.anotherAccount(paid.reference)).toMatchObject(refused('Checkout is already paid.'));
    const old = await initialize({ merchant_reference: 'INV-2' });
    world.clock.advance(30 * MINUTE);
    const message = 'The time of this checkout is up. Start a new one.';
    expect(await merchant.api.anotherAccount(old.reference)).toMatchObject(refused(message));
    const unknown = await merchant.api.anotherAccount('PAY-AAAAAAAAAAAAAAAAAAAA');
    expect(unknown).toMatchObject({ status: 404, json: { code: 'checkout_not_found' } });
  });

  test('an account whose time is up before its provider has answered is kept, and shown to nobody', async () => {
    const { reference } = await initialize();
    const slow = changedProviders(world, (issuer) => ({
      createPaymentAccount: async (wanted) => {
        const issued = await issuer.createPaymentAccount(wanted);
        world.clock.advance(30 * MINUTE);
        return issued;
      },
    }));
    expect(await merchant.apiWith(slow).anotherAccount(reference)).toMatchObject({
      status: 409,
      json: { code: 'checkout_not_payable', message: 'The time of this checkout is up. Start a new one.' },
    });
    const [number] = accountsAt('monnify').map((account) => account.number);
    await world.pay('monnify', String(number), ASKED);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', accounts: [{ provider: 'paystack' }] });
  });

  test('requests at once open one account; the others are told to wait', async () => {
    const { reference } = await initialize();
    const answers = await Promise.all(Array.from({ length: 5 }, () => merchant.api.anotherAccount(reference)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
    for (const status of statuses) expect([200, 429]).toContain(status);
    const accounts = world.simulator.books.accounts();
    expect(new Set(accounts.map((account) => account.reference)).size).toBe(accounts.length);
    expect(accounts.length).toBe(1 + statuses.filter((status) => status === 200).length);
  });
});

describe('a checkout with two accounts', () => {
  let reference: string;
  let accounts: { provider: ProviderName; account_number: string; expires_at: string }[];
  beforeEach(async () => {
    ({ reference } = await initialize());
    world.clock.advance(28 * MINUTE);
    ({ accounts } = await move(reference));
  });

  test('a second account is open five minutes at the least, and the checkout expires after the last of them', async () => {
    const left = Math.max(...accounts.map(({ expires_at }) => Date.parse(expires_at))) - world.clock.now();
    expect(left).toBeGreaterThanOrEqual(5 * MINUTE);
    await world.minutesPass(left / MINUTE + 4);
    expect(await merchant.statusOf(reference)).toBe('pending');
    await world.minutesPass(2);
    expect(await merchant.statusOf(reference)).toBe('expired');
    expect(await eventsOf()).toEqual(['checkout.expired']);
  });

  test('a checkout stays pending while one of its providers does not answer', async () => {
    await world.minutesPass(60, 5, away('paystack'));
    expect(await merchant.statusOf(reference)).toBe('pending');
    await world.minutesPass(35, 5);
    expect(await merchant.statusOf(reference)).toBe('expired');
  });

  test('a requery tells of money that one provider knows while the other does not answer', async () => {
    const [, paidInto] = accounts;
    await world.holdNotifications('monnify');
    await world.pay('monnify', String(paidInto?.account_number), ASKED);
    const api = merchant.apiWith(away('paystack'));
    expect(await api.requery(reference)).toMatchObject({ status: 200, json: { data: { status: 'paid' } } });
    // Nobody has learned anything new: then it is told that one was not asked.
    expect(await api.requery(reference)).toMatchObject({ status: 502, json: { code: 'provider_error' } });
  });

  test('requery and expire ask both providers, and find money without a notification', async () => {
    for (const { provider, account_number } of accounts) {
      await world.holdNotifications(provider);
      await world.pay(provider, account_number, ASKED);
    }
    const { json } = await merchant.api.requery(reference);
    expect([json.data.status, json.data.paid_amount]).toEqual(['paid', 17_000]);
    const other = await initialize({ merchant_reference: 'INV-3' });
    await move(other.reference);
    const expired = await merchant.apiWith(away('paystack')).expire(other.reference);
    expect(expired).toMatchObject({ status: 502, json: { message: 'paystack could not complete the request.' } });
    expect((await merchant.api.expire(other.reference)).json.data.status).toBe('expired');
  });
});

describe('a process that is killed while it opens another account', () => {
  const killWhileAsking = (reference: string, provider: ProviderName, at: Crash): Promise<string> =>
    crash(
      world,
      merchant.business,
      {
        work: 'another account',
        order: ORDER_OF_STAGE,
        providers: [provider],
        requests: [{ params: { reference }, headers: KEY }],
      },
      at,
    );

  test.each(['before the provider answers', 'before the answer is written'] as const)(
    '%s leaves an attempt that the next request continues, or the sweeper settles',
    async (at) => {
      const { reference } = await initialize();
      await killWhileAsking(reference, 'monnify', at);
      expect(await attemptsOf()).toEqual([FIRST, ['monnify', '-B', 'opening']]);
      const early = await merchant.api.anotherAccount(reference, undefined, KEY);
      expect(early).toMatchObject({ status: 429, headers: { 'retry-after': '30' } });
      world.clock.advance(30 * SECOND);
      const { status, json } = await merchant.api.anotherAccount(reference, undefined, KEY);
      expect([status, json.data.provider]).toEqual([200, 'monnify']);
      await world.pay('monnify', json.data.account_number, ASKED);
      expect(await merchant.statusOf(reference)).toBe('paid');
    },
  );

  test('the request after a killed one goes on to the next provider, which alone is charged for', async () => {
    const { reference } = await initialize();
    await killWhileAsking(reference, 'monnify', 'before the provider answers');
    world.clock.advance(30 * SECOND);
    const charged: ProviderName[] = [];
    const quotaMeter: QuotaMeter = {
      charge: async (_, provider) => {
        charged.push(provider);
        return undefined;
      },
    };
    const api = merchant.apiWith({ ...away('monnify'), quotaMeter });
    const { status, json } = await api.anotherAccount(reference, undefined, KEY);
    expect([status, json.data.provider, charged]).toEqual([200, 'korapay', ['korapay']]);
    expect(await attemptsOf()).toEqual([FIRST, ['monnify', '-B', 'unknown'], ['korapay', '-C', 'open']]);
  });

  test('no fourth attempt is made of one that the sweeper settles while a request begins to continue it', async () => {
    const { reference } = await initialize();
    await move(reference);
    await killWhileAsking(reference, 'korapay', 'before the answer is written');
    world.clock.advance(30 * SECOND);
    const sweeping: typeof world.deps.healthyFirst = async (candidates) => {
      await world.sweepAfter(0);
      return world.deps.healthyFirst(candidates);
    };
    const answer = await merchant.apiWith({ healthyFirst: sweeping }).anotherAccount(reference, undefined, KEY);
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(await attemptsOf()).toEqual([FIRST, ['monnify', '-B', 'open'], ['korapay', '-C', 'open']]);
    const last = await merchant.api.anotherAccount(reference, undefined, KEY);
    expect(last).toMatchObject({ status: 409, json: { code: 'no_other_provider' } });
  });

  test('the sweeper finds the attempt of a killed request open, and money on it counts', async () => {
    const { reference } = await initialize();
    await killWhileAsking(reference, 'monnify', 'before the answer is written');
    await world.minutesPass(2);
    expect(await attemptsOf()).toEqual([FIRST, ['monnify', '-B', 'open']]);
    const [number] = accountsAt('monnify').map((account) => account.number);
    await world.pay('monnify', String(number), ASKED);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', accounts: [{ provider: 'paystack' }] });
  });
});

describe('on the payment page', () => {
  const WORDS = 'My bank can’t find this account';

  test('the payer asks for another account, and reads that the first still counts', async () => {
    const page = payersPage(world);
    const { reference, account_number } = await initialize();
    const link = page.linkOf(reference);
    const before = (await page.show(link)).text;
    expect(before).toContain(WORDS);
    expect(before).not.toContain('still counts');
    const { status, json } = await page.another(link);
    expect([status, json.view, json.version]).toEqual([200, 'pay', 2]);
    expect(json.html).toContain('still counts. Don’t pay twice.');
    const [first, second] = (await merchant.fetch(reference)).accounts;
    expect([first.account_number, second.provider]).toEqual([account_number, 'monnify']);
    for (const group of [first.account_number.slice(0, 3), second.account_number.slice(0, 3)]) {
      expect(json.html).toContain(group);
    }
    expect((await page.anotherByForm(link)).status).toBe(303);
    const last = (await page.status(link)).json.html;
    expect(last).not.toContain(WORDS);
    expect(last).toContain('If your bank can’t find this account');
  });

  test('a payer is offered no other account where the request named the provider, or the business routes no more', async () => {
    const page = payersPage(world);
    const named = await initialize({ provider: 'paystack' });
    expect((await page.show(page.linkOf(named.reference))).text).not.toContain(WORDS);
    await page.another(page.linkOf(named.reference));
    expect((await merchant.fetch(named.reference)).accounts).toHaveLength(1);
  });

  test('a payer whose other providers fail is told so, and keeps the account', async () => {
    const { reference } = await initialize();
    const dead = payersPage({ deps: { ...world.deps, ...away('monnify', 'korapay') } });
    const { status, json } = await dead.another(dead.linkOf(reference));
    expect([status, json.version]).toEqual([200, 1]);
    expect(json.html).toContain('If your bank can’t find this account');
    expect((await merchant.fetch(reference)).accounts).toHaveLength(1);
  });

  test('a payer is offered no other account where no provider that is left takes the amount, and none is asked', async () => {
    const { reference } = await initialize({ amount: 60 });
    const page = payersPage(world);
    const link = page.linkOf(reference);
    expect((await page.another(link)).json.html).not.toContain(WORDS);
    const calls = world.countCalls('korapay', OPENING.korapay.checkout);
    const answer = await merchant.api.anotherAccount(reference);
    expect(answer).toMatchObject({ status: 409, json: { code: 'no_other_provider' } });
    expect([calls(), await attemptsOf()]).toEqual([0, [FIRST, ['monnify', '-B', 'open']]]);
  });

  test('a payer reads that transfers are slow at all banks while no provider lands money, and is not moved', async () => {
    const { reference } = await initialize();
    const slow = async () => ({ order: ORDER_OF_STAGE, last: [], tried: null, isSlowEverywhere: true });
    const page = payersPage({ deps: { ...world.deps, healthyFirst: slow } });
    const { text } = await page.show(page.linkOf(reference));
    expect(text).toContain('Transfers are slow at all banks right now.');
    expect(text).not.toContain(WORDS);
  });
});

describe('a provider that accepts no money on its account any more', () => {
  const end = (name: ProviderName, reference: string) =>
    world.lookUp(
      name,
      reference,
      world.scripted(name, () => ({ lookUp: async () => ({ state: 'failed', money: [] }) })),
    );

  test('a checkout stays pending while another account is open, which the payer is shown then', async () => {
    const { reference, account_number } = await initialize();
    await move(reference);
    await end('monnify', `${reference}-B`);
    expect(await merchant.fetch(reference)).toMatchObject({
      status: 'pending',
      provider: 'paystack',
      account_number,
      version: 3,
      accounts: [{ current: true }, { provider: 'monnify', current: false }],
    });
    await end('paystack', reference);
    expect(await merchant.statusOf(reference)).toBe('failed');
    expect(await eventsOf()).toEqual(['checkout.failed']);
    const [number] = accountsAt('monnify').map((account) => account.number);
    await world.pay('monnify', String(number), ASKED);
    expect(await merchant.statusOf(reference)).toBe('paid');
  });

  test('the end of an account that is not shown changes nothing that a merchant sees', async () => {
    const { reference } = await initialize();
    const moved = await move(reference);
    await end('paystack', reference);
    await end('paystack', reference);
    expect(await merchant.fetch(reference)).toEqual(moved);
  });
});
