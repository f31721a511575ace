import { DEFAULT_CREATION_ALLOWANCE } from '#infra/default-limits.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import { answer, asked, openMerchantAtSlowSandbox, waited } from '#test/support/worlds/slow-sandbox.ts';
import * as merchant from '#test/support/worlds/test-merchant.ts';
import { openMerchant, receiver, world } from '#test/support/worlds/test-merchant.ts';

/* A checkout of test mode that goes to the next provider of the stage's order, because an address or a setting makes one fail. */

const ORDER = ['monnify', 'korapay', 'paystack'] as const;
openMerchantAtSlowSandbox({ routingOrder: ORDER, creationAllowance: DEFAULT_CREATION_ALLOWANCE });

const wanted = (payer_email: string) => ({ amount: 500, payer_email, merchant_reference: 'INV-1' });
const attempts = async (): Promise<string[]> => {
  const [item] = await world.itemsOf('CHK');
  const made = (item?.attempts ?? []) as { provider: string; reference: string; state: string }[];
  return made.map(({ provider, reference, state }) => `${provider}${reference.slice(24)} ${state}`);
};

test('a payer whom the first provider is to refuse pays at the next one', async () => {
  const { status, json } = await merchant.api.initialize(wanted('fail+monnify@example.com'));
  expect([status, json.data.provider, json.data.bank_name]).toEqual([201, 'korapay', 'Sandbox Bank (korapay)']);
  expect(await attempts()).toEqual(['monnify refused', 'korapay-B open']);
  const { reference } = json.data;
  const paid = (await merchant.api.simulate({ reference })).json.data;
  expect([paid.status, paid.payments[0].provider]).toEqual(['paid', 'korapay']);
});

test('an address that names a provider as well as the request gets what it asks for: a refusal', async () => {
  const named = { ...wanted('fail+monnify@example.com'), provider: 'monnify' };
  expect(await merchant.api.initialize(named)).toMatchObject({ status: 502, json: { code: 'provider_error' } });
});

test('a payer whom all are to refuse is 502 with the failure of each', async () => {
  const { status, json } = await merchant.api.initialize(wanted('fail+all@example.com'));
  expect([status, json.code]).toEqual([502, 'provider_error']);
  expect(json.message).toBe('None of the providers could complete the request. See errors. (simulated)');
  expect(json.errors).toEqual(
    ORDER.map((provider) => ({ provider, message: `${provider} refused. (simulated)`, code: 'provider_refused' })),
  );
  expect(await world.itemsOf('CHK')).toEqual([]);
});

test('a browser is charged for each provider that is asked', async () => {
  const browser = apiClient(world, merchant.business.keys.public_test);
  const headers = { 'x-business-id': merchant.business.id };
  const { json } = await browser.initialize(wanted('fail+monnify@example.com'), headers);
  expect(json.data.provider).toBe('korapay');
  const charged = (await world.itemsOf('USED')).map(({ pk }) => String(pk).split('#')[2]);
  expect(new Set(charged)).toEqual(new Set(['monnify', 'korapay']));
});

test('a slow provider opens the checkout while it has time', async () => {
  const first = merchant.api.initialize(wanted('slow+monnify@example.com'));
  await asked;
  expect(waited).toEqual([3_000]);
  answer();
  expect((await first).json.data.provider).toBe('monnify');
});

describe('a setting of the sandbox makes its provider', () => {
  beforeEach(async () => {
    await receiver.stop();
  });

  test.each([
    ['refusing', 'monnify refused', 'korapay-B open'],
    ['silent', 'monnify unknown', 'korapay-B open'],
    ['slow', 'monnify open', undefined],
  ] as const)('%s for every payer', async (fault, first, second) => {
    await openMerchant({ world: { routingOrder: ORDER, sandbox: { monnify: fault }, sandboxWait: async () => {} } });
    const { status } = await merchant.api.initialize(wanted('ngozi.eze@example.com'));
    expect(status).toBe(201);
    expect(await attempts()).toEqual([first, ...(second ? [second] : [])]);
    // No provider has heard of what the sandbox let wait.
    await world.sweepAfter(MINUTE);
    expect((await attempts())[0]).toBe(first.replace('unknown', 'refused'));
  });
});
