import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { type Changes, changeProviders, createHoldingPoint } from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { openPayersCharge } from '#test/support/worlds/payers-charge.ts';
import { payersPage } from '#test/support/worlds/payers-page.ts';
import { listAccountsAt, listAttempts, ORDER, ORDER_OF_STAGE } from '#test/support/worlds/routed-merchant.ts';

/* Tests payments, expiries and requests while another account is being opened, and at a checkout with two accounts. */

openWorldForEachTest({ routingOrder: ORDER_OF_STAGE });

const initialize = async () => (await merchant.api.initialize(ORDER)).json.data;
const openAnother = async (reference: string) => (await merchant.api.anotherAccount(reference)).json.data;
const listEventTypes = async () =>
  (await merchant.api.listEvents()).json.data.map(({ type }: { type: string }) => type).toSorted();
const BOTH_OPEN = [
  ['paystack', '', 'open'],
  ['monnify', '-B', 'open'],
];

/** Makes providers that open the account and answer only after `then`. */
const answerAfter = (then: (accountNumber: string) => Promise<unknown>): Changes =>
  changeProviders(world, (issuer) => ({
    createPaymentAccount: async (request) => {
      const issued = await issuer.createPaymentAccount(request);
      await then(issued.account.accountNumber);
      return issued;
    },
  }));

describe('while another account is being opened', () => {
  test('money on it pays the checkout although nobody saw it', async () => {
    const { reference } = await initialize();
    const api = merchant.apiWith(answerAfter((number) => world.pay('monnify', number, ASKED)));
    const message = 'Checkout is already paid.';
    expect(await api.anotherAccount(reference)).toMatchObject({ status: 409, json: { message } });
    expect(await merchant.fetch(reference)).toMatchObject({
      status: 'paid',
      accounts: [{ provider: 'paystack' }],
      payments: [{ provider: 'monnify', late: false }],
    });
    expect([await listAttempts(), await world.unmatched()]).toEqual([BOTH_OPEN, []]);
  });

  test('if the business expires the checkout, the new account stays hidden, and money on it counts', async () => {
    const { reference } = await initialize();
    const api = merchant.apiWith(answerAfter(() => merchant.api.expire(reference)));
    const message = 'Checkout is already expired.';
    expect(await api.anotherAccount(reference)).toMatchObject({ status: 409, json: { message } });
    expect(await listAttempts()).toEqual(BOTH_OPEN);
    await world.pay('monnify', String(listAccountsAt('monnify')[0]?.number), ASKED);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', accounts: [{ provider: 'paystack' }] });
    expect(await listEventTypes()).toEqual(['checkout.expired', 'checkout.paid']);
  });

  test('another browser tab neither offers nor opens an account, and shows the new one after its next poll', async () => {
    const { reference } = await initialize();
    const { pass, reached, release } = createHoldingPoint();
    const slow = payersPage({ deps: { ...world.deps, ...answerAfter(pass) } });
    const tab = payersPage(world);
    const link = tab.linkOf(reference);
    const poll = async (etag: unknown) => tab.status(link, { headers: { 'if-none-match': String(etag) } });
    const before = await tab.status(link);
    const pressed = slow.another(link);
    await reached;
    const during = await poll(before.headers.etag);
    expect([during.status, during.json.html.includes('another-account')]).toEqual([200, false]);
    expect((await tab.another(link)).json.version).toBe(1);
    expect((await poll(during.headers.etag)).status).toBe(304);
    release();
    await pressed;
    expect(await poll(during.headers.etag)).toMatchObject({ status: 200, json: { version: 2 } });
    expect(world.simulator.books.accounts()).toHaveLength(2);
  });
});

test('another business, a key of the other mode and a public key cannot open another account', async () => {
  const { reference } = await initialize();
  const { secret_test, public_live } = merchant.business.keys;
  const other = await world.addBusiness([], 'live');
  const answers = [secret_test, other.keys.secret_live, public_live].map(async (key) => {
    const { status, json } = await createApiClient(world, key).anotherAccount(reference);
    return [status, json.code];
  });
  expect(await Promise.all(answers)).toEqual([
    [404, 'checkout_not_found'],
    [404, 'checkout_not_found'],
    [403, 'public_key_not_permitted'],
  ]);
  expect(world.simulator.books.accounts()).toHaveLength(1);
});

describe('a checkout with two accounts', () => {
  let reference: string;
  let accounts: { provider: ProviderName; account_number: string }[];
  beforeEach(async () => {
    ({ reference } = await initialize());
    ({ accounts } = await openAnother(reference));
  });

  test('waits for money again after both transfers went back, and expires', async () => {
    const ids: string[] = [];
    for (const { provider, account_number } of accounts) {
      ids.push((await world.pay(provider, account_number, ASKED)).transferId);
    }
    await world.simulator.reverse('paystack', String(ids[0]), true);
    await world.simulator.settled();
    await merchant.api.requery(reference);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500, difference: 0 });
    await world.simulator.reverse('monnify', String(ids[1]), true);
    await world.minutesPass(60, 5);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'expired', paid_amount: 0 });
    expect(await listEventTypes()).toEqual([
      'checkout.expired',
      'checkout.overpaid',
      'checkout.paid',
      'checkout.payment_reversed',
      'checkout.payment_reversed',
    ]);
    await world.expectBooksToAgree();
  });

  test('becomes paid by a transfer to one account while the provider of the other is switched off', async () => {
    const [, paidInto] = accounts;
    await world.holdNotifications('monnify');
    await world.pay('monnify', String(paidInto?.account_number), ASKED);
    const { liveProviders } = world.deps;
    const without = { liveProviders: (name: ProviderName) => (name === 'paystack' ? undefined : liveProviders(name)) };
    await world.minutesPass(60, 5, { ...without, ...world.withoutReconciliation() });
    expect(await merchant.statusOf(reference)).toBe('paid');
  });

  test('looks up each account three times, or twice if the provider’s list covers late money', async () => {
    const counts = ORDER_OF_STAGE.map((name) => world.countLookUps(name));
    await world.minutesPass(150, 5);
    expect(await merchant.statusOf(reference)).toBe('expired');
    expect(counts.map((count) => count())).toEqual([2, 3, 0]);
    expect((await world.itemsOf('CHK'))[0]?.gsi2sk).toBeUndefined();
  });

  test('gets no money from a stranger’s charge that uses the reference of an attempt at another provider', async () => {
    const number = await openPayersCharge(world.simulator, 'paystack', { reference: `${reference}-B`, naira: 8_500 });
    await world.pay('paystack', number, ASKED);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', paid_amount: 0, version: 2 });
    expect(await world.unmatched()).toHaveLength(1);
  });
});
