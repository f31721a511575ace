import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { ProviderBusy, ProviderError } from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { QuotaMeter } from '#shared/providers/ports.ts';
import { type Crash, crash } from '#test/support/worlds/live-crash.ts';
import { apiWith, changeProviders } from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { payersPage } from '#test/support/worlds/payers-page.ts';
import { OPENING } from '#test/support/worlds/provider-calls.ts';
import {
  KEY,
  listAccountsAt,
  listAttempts,
  ORDER,
  ORDER_OF_STAGE,
  rejectingProviders,
  silentProviders,
  unreachableProviders,
} from '#test/support/worlds/routed-merchant.ts';

/* If a payer's bank cannot find the account, the payer gets another one at another provider, beside the first. */

openWorldForEachTest({ routingOrder: ORDER_OF_STAGE });

/** The first attempt of every checkout here. */
const FIRST = ['paystack', '', 'open'];

const initialize = async (more: Record<string, unknown> = {}) =>
  (await merchant.api.initialize({ ...ORDER, ...more })).json.data;
const openAnother = async (reference: string) => (await merchant.api.anotherAccount(reference)).json.data;
const listEventTypes = async () =>
  (await merchant.api.listEvents()).json.data.map(({ type }: { type: string }) => type).toReversed();

describe('another account by API', () => {
  test('opens at the next provider of the order, and is shown with the first', async () => {
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
    expect(listAccountsAt('monnify').map(({ reference }) => reference)).toEqual([`${before.reference}-B`]);
    expect(await merchant.fetch(before.reference)).toEqual(json.data);
    expect(world.loggedLines('checkout_routed')).toMatchObject([
      { provider: 'paystack', attempt: 1 },
      { provider: 'monnify', attempt: 2, candidates: 'monnify korapay' },
    ]);
    // Repeating the request gives the same answer, and opens nothing.
    expect((await merchant.api.anotherAccount(before.reference, undefined, KEY)).text).toBe(JSON.stringify(json));
    expect(world.simulator.books.accounts()).toHaveLength(2);
    expect(await listEventTypes()).toEqual([]);
  });

  test.each([0, 1])(
    'and the first one each pay the checkout, and their numbers find it (account %i)',
    async (index) => {
      const { reference } = await initialize();
      const { accounts } = await openAnother(reference);
      const { provider, account_number } = accounts[index];
      await world.pay(provider, account_number, ASKED);
      expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
      expect(await listEventTypes()).toEqual(['checkout.paid']);
      const byNumber = await merchant.api.listCheckouts(undefined, {}, { account_number });
      expect(byNumber.json.data.map((checkout: { reference: string }) => checkout.reference)).toEqual([reference]);
      const byPayer = await merchant.api.listCheckouts(undefined, {}, { payer_email: ORDER.payer_email });
      expect(byPayer.json.data).toHaveLength(1);
      expect(await world.unmatched()).toEqual([]);
      await world.expectBooksToAgree();
    },
  );

  test('counts beside the first one if both are paid at once, and the overpayment is announced', async () => {
    const { reference } = await initialize();
    const { accounts } = await openAnother(reference);
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
    // Both events have the same millisecond of the test's clock.
    expect((await listEventTypes()).toSorted()).toEqual(['checkout.overpaid', 'checkout.paid']);
    await world.expectBooksToAgree();
  });

  test('may be the second or third of a checkout, each at another provider', async () => {
    const { reference } = await initialize();
    await openAnother(reference);
    expect((await openAnother(reference)).accounts).toMatchObject([
      { provider: 'paystack', current: false },
      { provider: 'monnify', current: false },
      { provider: 'korapay', current: true },
    ]);
    const answer = await merchant.api.anotherAccount(reference);
    expect(answer).toMatchObject({ status: 409, json: { code: 'no_other_provider' } });
  });

  test('opens at the third provider while the second one fails', async () => {
    const { reference } = await initialize();
    const { status, json } = await merchant.apiWith(unreachableProviders('monnify')).anotherAccount(reference);
    expect([status, json.data.provider]).toEqual([200, 'korapay']);
    expect(await listAttempts()).toEqual([
      ['paystack', '', 'open'],
      ['monnify', '-B', 'refused'],
      ['korapay', '-C', 'open'],
    ]);
    expect(json.data.accounts.map(({ provider }: { provider: string }) => provider)).toEqual(['paystack', 'korapay']);
  });

  test('comes from a working provider before a failing one', async () => {
    const { reference } = await initialize();
    const failing = { provider: 'monnify', why: 'creations_fail' } as const;
    const trial = {
      order: ['monnify', 'korapay'],
      last: [failing],
      triedFirst: 'monnify',
      areAllFailing: false,
    } as const;
    const api = merchant.apiWith({ healthyFirst: async () => trial });
    expect((await api.anotherAccount(reference)).json.data.provider).toBe('korapay');
  });

  test('causes a 409 with the failure of each provider if none opens it, and the checkout stays unchanged', async () => {
    const before = await initialize();
    const failing = merchant.apiWith(rejectingProviders(new ProviderError('No.'), 'monnify', 'korapay'));
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
    ['the last one, after another rejected', ['korapay'], [['monnify', '-B', 'refused']]],
  ])('causes a 503 with Retry-After if the quota of %s is used up, and opens later', async (_, usedUp, remaining) => {
    const { reference } = await initialize();
    const quotaMeter: QuotaMeter = {
      charge: async (__, provider) => (usedUp.includes(provider) ? new ProviderBusy('Used up.', 7_000) : undefined),
    };
    const api = merchant.apiWith({ ...rejectingProviders(new ProviderError('No.'), 'monnify'), quotaMeter });
    expect(await api.anotherAccount(reference, undefined, KEY)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '7' },
      json: { code: 'provider_busy', message: `${usedUp[0]} takes no more requests right now.` },
    });
    expect(await listAttempts()).toEqual([FIRST, ...remaining]);
    const { status, json } = await merchant.api.anotherAccount(reference, undefined, KEY);
    expect([status, json.data.provider]).toEqual([200, usedUp[0]]);
  });

  test('can be requested again from a provider that limited the requests and did nothing', async () => {
    const { reference } = await initialize();
    await openAnother(reference);
    const limiting = merchant.apiWith(rejectingProviders(new ProviderBusy('Too many.', 5_000), 'korapay'));
    expect(await limiting.anotherAccount(reference)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      json: { code: 'provider_busy' },
    });
    expect(await listAttempts()).toEqual([FIRST, ['monnify', '-B', 'open']]);
    expect((await openAnother(reference)).provider).toBe('korapay');
    expect(await listAttempts()).toEqual([FIRST, ['monnify', '-B', 'open'], ['korapay', '-C', 'open']]);
  });

  test('becomes settled by a look-up if its provider does not answer, and money on it counts', async () => {
    const { reference } = await initialize();
    world.simulator.fault('monnify', { kind: 'lost_answer', path: OPENING.monnify.checkout });
    const { json } = await merchant.apiWith(silentProviders('korapay')).anotherAccount(reference);
    expect(json.code).toBe('no_other_provider');
    expect(await listAttempts()).toEqual([FIRST, ['monnify', '-B', 'unknown'], ['korapay', '-C', 'unknown']]);
    await world.minutesPass(3);
    expect(await listAttempts()).toEqual([FIRST, ['monnify', '-B', 'open'], ['korapay', '-C', 'unknown']]);
    for (const { provider, number } of world.simulator.books.accounts()) await world.pay(provider, number, ASKED);
    expect(await merchant.fetch(reference)).toMatchObject({
      paid_amount: 17_000,
      accounts: [{ provider: 'paystack' }],
    });
    await world.minutesPass(60, 5);
    expect((await listAttempts())[2]).toEqual(['korapay', '-C', 'refused']);
    expect(await world.unmatched()).toEqual([]);
  });

  test('causes a 409 for a business without routing, and if the time is over or money came', async () => {
    const unrouted = apiWith(world, await world.addBusiness([], 'live', false), {});
    const { reference: alone } = (await unrouted.initialize(ORDER)).json.data;
    expect(await unrouted.anotherAccount(alone)).toMatchObject({ status: 409, json: { code: 'no_other_provider' } });
    const notPayable = (message: string) => ({ status: 409, json: { code: 'checkout_not_payable', message } });
    const paid = await initialize();
    await world.pay('paystack', paid.account_number, ASKED);
    expect(await merchant.api.anotherAccount(paid.reference)).toMatchObject(notPayable('Checkout is already paid.'));
    const old = await initialize({ merchant_reference: 'INV-2' });
    world.clock.advance(30 * MINUTE);
    const message = 'This checkout accepts no more payments, because its time is over. Start a new checkout.';
    expect(await merchant.api.anotherAccount(old.reference)).toMatchObject(notPayable(message));
    const unknown = await merchant.api.anotherAccount('PAY-AAAAAAAAAAAAAAAAAAAA');
    expect(unknown).toMatchObject({ status: 404, json: { code: 'checkout_not_found' } });
  });

  test('stays hidden if the time is over before its provider answers, but money on it counts', async () => {
    const { reference } = await initialize();
    const slow = changeProviders(world, (issuer) => ({
      createPaymentAccount: async (request) => {
        const issued = await issuer.createPaymentAccount(request);
        world.clock.advance(30 * MINUTE);
        return issued;
      },
    }));
    expect(await merchant.apiWith(slow).anotherAccount(reference)).toMatchObject({
      status: 409,
      json: {
        code: 'checkout_not_payable',
        message: 'This checkout accepts no more payments, because its time is over. Start a new checkout.',
      },
    });
    const [number] = listAccountsAt('monnify').map((account) => account.number);
    await world.pay('monnify', String(number), ASKED);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', accounts: [{ provider: 'paystack' }] });
  });

  test('opens once for simultaneous requests, and the others are told to wait', async () => {
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
    ({ accounts } = await openAnother(reference));
  });

  test('keeps the second account open for at least five minutes, and expires after the last one', async () => {
    const left = Math.max(...accounts.map(({ expires_at }) => Date.parse(expires_at))) - world.clock.now();
    expect(left).toBeGreaterThanOrEqual(5 * MINUTE);
    await world.minutesPass(left / MINUTE + 4);
    expect(await merchant.statusOf(reference)).toBe('pending');
    await world.minutesPass(2);
    expect(await merchant.statusOf(reference)).toBe('expired');
    expect(await listEventTypes()).toEqual(['checkout.expired']);
  });

  test('stays pending while one of its providers does not answer', async () => {
    await world.minutesPass(60, 5, unreachableProviders('paystack'));
    expect(await merchant.statusOf(reference)).toBe('pending');
    await world.minutesPass(35, 5);
    expect(await merchant.statusOf(reference)).toBe('expired');
  });

  test('shows after a requery the money at one provider while the other does not answer', async () => {
    const [, paidInto] = accounts;
    await world.holdNotifications('monnify');
    await world.pay('monnify', String(paidInto?.account_number), ASKED);
    const api = merchant.apiWith(unreachableProviders('paystack'));
    expect(await api.requery(reference)).toMatchObject({ status: 200, json: { data: { status: 'paid' } } });
    // Without new money, the answer says that one provider was not asked.
    expect(await api.requery(reference)).toMatchObject({ status: 502, json: { code: 'provider_error' } });
  });

  test('asks both providers at requery and expire, and finds money without a notification', async () => {
    for (const { provider, account_number } of accounts) {
      await world.holdNotifications(provider);
      await world.pay(provider, account_number, ASKED);
    }
    const { json } = await merchant.api.requery(reference);
    expect([json.data.status, json.data.paid_amount]).toEqual(['paid', 17_000]);
    const other = await initialize({ merchant_reference: 'INV-3' });
    await openAnother(other.reference);
    const expired = await merchant.apiWith(unreachableProviders('paystack')).expire(other.reference);
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
    'leaves an attempt that the next request continues, if it is killed %s',
    async (at) => {
      const { reference } = await initialize();
      await killWhileAsking(reference, 'monnify', at);
      expect(await listAttempts()).toEqual([FIRST, ['monnify', '-B', 'opening']]);
      const early = await merchant.api.anotherAccount(reference, undefined, KEY);
      expect(early).toMatchObject({ status: 429, headers: { 'retry-after': '30' } });
      world.clock.advance(30 * SECOND);
      const { status, json } = await merchant.api.anotherAccount(reference, undefined, KEY);
      expect([status, json.data.provider]).toEqual([200, 'monnify']);
      await world.pay('monnify', json.data.account_number, ASKED);
      expect(await merchant.statusOf(reference)).toBe('paid');
    },
  );

  test('lets the next request move on to the next provider, and only that one is charged', async () => {
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
    const api = merchant.apiWith({ ...unreachableProviders('monnify'), quotaMeter });
    const { status, json } = await api.anotherAccount(reference, undefined, KEY);
    expect([status, json.data.provider, charged]).toEqual([200, 'korapay', ['korapay']]);
    expect(await listAttempts()).toEqual([FIRST, ['monnify', '-B', 'unknown'], ['korapay', '-C', 'open']]);
  });

  test('causes no fourth attempt if the sweeper settles the attempt while a request continues it', async () => {
    const { reference } = await initialize();
    await openAnother(reference);
    await killWhileAsking(reference, 'korapay', 'before the answer is written');
    world.clock.advance(30 * SECOND);
    const sweeping: typeof world.deps.healthyFirst = async (candidates) => {
      await world.sweepAfter(0);
      return world.deps.healthyFirst(candidates);
    };
    const answer = await merchant.apiWith({ healthyFirst: sweeping }).anotherAccount(reference, undefined, KEY);
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(await listAttempts()).toEqual([FIRST, ['monnify', '-B', 'open'], ['korapay', '-C', 'open']]);
    const last = await merchant.api.anotherAccount(reference, undefined, KEY);
    expect(last).toMatchObject({ status: 409, json: { code: 'no_other_provider' } });
  });

  test('leaves an open account that the sweeper finds, and money on it counts', async () => {
    const { reference } = await initialize();
    await killWhileAsking(reference, 'monnify', 'before the answer is written');
    await world.minutesPass(2);
    expect(await listAttempts()).toEqual([FIRST, ['monnify', '-B', 'open']]);
    const [number] = listAccountsAt('monnify').map((account) => account.number);
    await world.pay('monnify', String(number), ASKED);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', accounts: [{ provider: 'paystack' }] });
  });
});

describe('another account on the payment page', () => {
  const WORDS = 'My bank can’t find this account';

  test('opens for the payer, who reads that the first still counts', async () => {
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

  test('does not appear if the request named the provider', async () => {
    const page = payersPage(world);
    const named = await initialize({ provider: 'paystack' });
    expect((await page.show(page.linkOf(named.reference))).text).not.toContain(WORDS);
    await page.another(page.linkOf(named.reference));
    expect((await merchant.fetch(named.reference)).accounts).toHaveLength(1);
  });

  test('does not open if the other providers fail, and the payer keeps the first account', async () => {
    const { reference } = await initialize();
    const dead = payersPage({ deps: { ...world.deps, ...unreachableProviders('monnify', 'korapay') } });
    const { status, json } = await dead.another(dead.linkOf(reference));
    expect([status, json.version]).toEqual([200, 1]);
    expect(json.html).toContain('If your bank can’t find this account');
    expect((await merchant.fetch(reference)).accounts).toHaveLength(1);
  });

  test('does not appear if no remaining provider accepts the amount, and none is asked', async () => {
    const { reference } = await initialize({ amount: 60 });
    const page = payersPage(world);
    const link = page.linkOf(reference);
    expect((await page.another(link)).json.html).not.toContain(WORDS);
    const calls = world.countCalls('korapay', OPENING.korapay.checkout);
    const answer = await merchant.api.anotherAccount(reference);
    expect(answer).toMatchObject({ status: 409, json: { code: 'no_other_provider' } });
    expect([calls(), await listAttempts()]).toEqual([0, [FIRST, ['monnify', '-B', 'open']]]);
  });

  test('does not appear while money lands at no provider, and the page says that transfers are slow at all banks', async () => {
    const { reference } = await initialize();
    const slow = async () => ({ order: ORDER_OF_STAGE, last: [], triedFirst: null, areAllFailing: true });
    const page = payersPage({ deps: { ...world.deps, healthyFirst: slow } });
    const { text } = await page.show(page.linkOf(reference));
    expect(text).toContain('Transfers are slow at all banks right now.');
    expect(text).not.toContain(WORDS);
  });
});

describe('a checkout with an ended account', () => {
  const end = (name: ProviderName, reference: string) =>
    world.lookUp(
      name,
      reference,
      world.scripted(name, () => ({ lookUp: async () => ({ state: 'failed', money: [] }) })),
    );

  test('stays pending while another account is open, and shows that one to the payer', async () => {
    const { reference, account_number } = await initialize();
    await openAnother(reference);
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
    expect(await listEventTypes()).toEqual(['checkout.failed']);
    const [number] = listAccountsAt('monnify').map((account) => account.number);
    await world.pay('monnify', String(number), ASKED);
    expect(await merchant.statusOf(reference)).toBe('paid');
  });

  test('does not change for its merchant if the ended account is not the current one', async () => {
    const { reference } = await initialize();
    const moved = await openAnother(reference);
    await end('paystack', reference);
    await end('paystack', reference);
    expect(await merchant.fetch(reference)).toEqual(moved);
  });
});
