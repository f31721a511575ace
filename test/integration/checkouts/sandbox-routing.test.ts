import { DEFAULT_PROVIDER_QUOTA } from '#infra/default-limits.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { payersPage } from '#test/support/worlds/payers-page.ts';
import {
  answerInSandbox,
  openMerchantAtSlowSandbox,
  sandboxAsked,
  sandboxWaits,
} from '#test/support/worlds/slow-sandbox.ts';
import * as merchant from '#test/support/worlds/test-merchant.ts';
import { openMerchant, receiver, world } from '#test/support/worlds/test-merchant.ts';

/* In test mode, a checkout moves to the next provider of the stage's order if the payer's address or a sandbox setting makes a provider fail. */

const ORDER = ['monnify', 'korapay', 'paystack'] as const;
openMerchantAtSlowSandbox({ routingOrder: ORDER, providerQuota: DEFAULT_PROVIDER_QUOTA });

const order = (payer_email: string) => ({ amount: 500, payer_email, merchant_reference: 'INV-1' });
const listAttempts = async (): Promise<string[]> => {
  const [item] = await world.itemsOf('CHK');
  const attempts = (item?.attempts ?? []) as { provider: string; reference: string; state: string }[];
  return attempts.map(({ provider, reference, state }) => `${provider}${reference.slice(24)} ${state}`);
};

test('a payer whom the first provider rejects pays at the next provider', async () => {
  const { status, json } = await merchant.api.initialize(order('fail+monnify@example.com'));
  expect([status, json.data.provider, json.data.bank_name]).toEqual([201, 'korapay', 'Sandbox Bank (korapay)']);
  expect(await listAttempts()).toEqual(['monnify refused', 'korapay-B open']);
  const { reference } = json.data;
  const paid = (await merchant.api.simulate({ reference })).json.data;
  expect([paid.status, paid.payments[0].provider]).toEqual(['paid', 'korapay']);
});

test('a payer address that makes the requested provider fail gets a 502', async () => {
  const named = { ...order('fail+monnify@example.com'), provider: 'monnify' };
  expect(await merchant.api.initialize(named)).toMatchObject({ status: 502, json: { code: 'provider_error' } });
});

test('a payer whom all providers reject gets a 502 with the failure of each provider', async () => {
  const { status, json } = await merchant.api.initialize(order('fail+all@example.com'));
  expect([status, json.code]).toEqual([502, 'provider_error']);
  expect(json.message).toBe('None of the providers could complete the request. See errors. (simulated)');
  expect(json.errors).toEqual(
    ORDER.map((provider) => ({
      provider,
      message: `${provider} rejected the request. (simulated)`,
      code: 'provider_refused',
    })),
  );
  expect(await world.itemsOf('CHK')).toEqual([]);
});

test('a checkout from a browser uses quota at each provider that is asked', async () => {
  const browser = createApiClient(world, merchant.business.keys.public_test);
  const headers = { 'x-business-id': merchant.business.id };
  const { json } = await browser.initialize(order('fail+monnify@example.com'), headers);
  expect(json.data.provider).toBe('korapay');
  const charged = (await world.itemsOf('USED')).map(({ pk }) => String(pk).split('#')[2]);
  expect(new Set(charged)).toEqual(new Set(['monnify', 'korapay']));
});

test('a slow provider opens the checkout within its time', async () => {
  const first = merchant.api.initialize(order('slow+monnify@example.com'));
  await sandboxAsked;
  expect(sandboxWaits).toEqual([3_000]);
  answerInSandbox();
  expect((await first).json.data.provider).toBe('monnify');
});

describe('another account of a test checkout', () => {
  const open = async (payer_email = 'chidi.eze@example.com') =>
    (await merchant.api.initialize(order(payer_email))).json.data;
  const simulate = async (body: Record<string, unknown>) => (await merchant.api.simulate(body)).json.data;

  test('accepts payments like the first account, and the excess is announced as overpaid', async () => {
    const { reference, account_number: first } = await open();
    const moved = await merchant.api.anotherAccount(reference);
    expect([moved.status, moved.json.data.provider]).toEqual([200, 'korapay']);
    const { account_number: second } = moved.json.data;
    expect(await simulate({ reference, account_number: first })).toMatchObject({
      status: 'paid',
      provider: 'korapay',
      payments: [{ provider: 'monnify', provider_reference: reference }],
    });
    const overpaid = await simulate({ reference, account_number: second, amount: 500 });
    expect([overpaid.paid_amount, overpaid.difference]).toEqual([1_000, 500]);
    expect(overpaid.payments[0]).toMatchObject({ provider: 'korapay', provider_reference: `${reference}-B` });
    // The newest payment is returned first, whichever account received it.
    expect(await simulate({ reference, outcome: 'reversed' })).toMatchObject({ status: 'paid', paid_amount: 500 });
    expect(await simulate({ reference, outcome: 'reversed' })).toMatchObject({ status: 'pending', paid_amount: 0 });
    const events = (await merchant.api.listEvents()).json.data.map(({ type }: { type: string }) => type);
    expect(events.toSorted()).toEqual([
      'checkout.overpaid',
      'checkout.paid',
      'checkout.payment_reversed',
      'checkout.payment_reversed',
    ]);
    for (const account_number of [first, second]) {
      const { json } = await merchant.api.listCheckouts(undefined, {}, { account_number });
      expect(json.data.map((checkout: { reference: string }) => checkout.reference)).toEqual([reference]);
    }
  });

  test('skips a provider that fails because of the payer’s address, and gets a 409 if no provider is left', async () => {
    const { reference } = await open('fail+korapay@example.com');
    const { json } = await merchant.api.anotherAccount(reference);
    expect(json.data.provider).toBe('paystack');
    const last = await merchant.api.anotherAccount(reference);
    expect(last).toMatchObject({ status: 409, json: { code: 'no_other_provider' } });
  });

  test('has its own expiry: a late transfer to the first account leaves the second account open', async () => {
    const { reference, account_number } = await open();
    await merchant.api.anotherAccount(reference);
    const late = await simulate({ reference, account_number, late: true, amount: 200 });
    expect([late.status, late.payments[0].late]).toEqual(['underpaid', true]);
    const ends = late.accounts.map(({ expires_at }: { expires_at: string }) => Date.parse(expires_at));
    expect(ends[0]).toBeLessThan(ends[1]);
  });

  test('can be chosen only by an account number of the checkout, and only for a transfer', async () => {
    const { reference, account_number } = await open();
    for (const body of [
      { account_number: '0123456789' },
      { account_number: '12345' },
      { account_number, status: 'failed' },
      { account_number, outcome: 'reversed' },
    ]) {
      const { status, json } = await merchant.api.simulate({ reference, ...body });
      expect([status, json.errors.map(({ field }: { field: string }) => field)]).toEqual([422, ['account_number']]);
    }
  });

  test('can be opened on the page, which then has a button for paying into the earlier account', async () => {
    const page = payersPage(world);
    const { reference } = await open();
    const link = page.linkOf(reference);
    expect((await page.show(link)).text).not.toContain('value="earlier"');
    expect((await page.another(link)).json.html).toContain('value="earlier"');
    expect((await page.simulate(link, 'earlier')).json.view).toBe('paid');
    const { payments } = (await merchant.api.verify(reference)).json.data;
    expect(payments).toMatchObject([{ provider: 'monnify' }]);
  });

  test('opens when a slow provider has answered', async () => {
    const { reference } = await open('slow+korapay@example.com');
    const moving = merchant.api.anotherAccount(reference);
    await sandboxAsked;
    answerInSandbox();
    expect((await moving).json.data.provider).toBe('korapay');
  });
});

describe('a sandbox setting', () => {
  beforeEach(async () => {
    await receiver.stop();
  });

  test.each([
    ['refusing', 'monnify refused', 'korapay-B open'],
    ['silent', 'monnify unknown', 'korapay-B open'],
    ['slow', 'monnify open', undefined],
  ] as const)('makes its provider %s for every payer', async (fault, first, second) => {
    await openMerchant({ world: { routingOrder: ORDER, sandbox: { monnify: fault }, sandboxWait: async () => {} } });
    const { status } = await merchant.api.initialize(order('ngozi.eze@example.com'));
    expect(status).toBe(201);
    expect(await listAttempts()).toEqual([first, ...(second ? [second] : [])]);
    // The sandbox has no account for an unknown attempt, so the sweeper ends the attempt.
    await world.sweepAfter(MINUTE);
    expect((await listAttempts())[0]).toBe(first.replace('unknown', 'refused'));
  });
});
