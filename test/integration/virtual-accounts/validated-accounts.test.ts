import { createHmac } from 'node:crypto';
import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { merchant, newCustomerFields, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';

/* Virtual accounts at Paystack where its customers must be validated first. */

const BVN = '22277788899';
const NUMBER = '0198765432';
const bank_account = { account_number: NUMBER, bank_code: '058' };
const wanted = (more: Record<string, unknown> = {}) => ({
  ...newCustomerFields(),
  bvn: BVN,
  bank_account,
  provider: 'paystack',
  ...more,
});

openWorldForEachTest({ validatesCustomers: true });
beforeEach(() => world.simulator.prefer('paystack', { validation: 'by_hand' }));

/** Asks for an account; its id, while Paystack validates the customer. */
const askFor = async (): Promise<string> => {
  const { json } = await merchant.api.createAccounts(wanted());
  return json.errors[0].virtual_account_id;
};
const fetched = async (id: string) => (await merchant.api.getAccount(id)).json.data;
const types = async () => (await world.events()).map(({ type }) => type);
/** Posts an event about an account as Paystack does. */
const notify = async (event: string, id: string) => {
  const email = `${id}@accounts.example.com`.toLowerCase();
  const body = JSON.stringify({ event, data: { email, customer: { email }, at: Math.random() } });
  const signature = createHmac('sha512', world.simulator.credentials.paystack.secretKey).update(body).digest('hex');
  const answer = await world.notify('paystack', { headers: { 'x-paystack-signature': signature }, body });
  expect(answer.status).toBe(200);
};

test('without a BVN and a bank account nobody is asked', async () => {
  const { status, json } = await merchant.api.createAccounts({
    ...newCustomerFields(),
    bvn: null,
    provider: 'paystack',
  });
  expect([status, json.code]).toEqual([422, 'validation_failed']);
  expect(json.errors).toEqual([
    { field: 'bvn', message: 'bvn is required by paystack.' },
    { field: 'bank_account', message: 'bank_account is required by paystack.' },
  ]);
  expect(world.simulator.books.requests('paystack')).toBe(0);
});

test('an account is pending, and says that Paystack validates the customer', async () => {
  const { status, json } = await merchant.api.createAccounts(wanted());
  expect(status).toBe(422);
  expect(json.errors).toEqual([
    {
      provider: 'paystack',
      message: 'paystack validates the customer first. The account is pending; a webhook reports the outcome.',
      code: 'outcome_unknown',
      virtual_account_id: expect.stringMatching(/^va_/),
    },
  ]);
  expect(await fetched(json.errors[0].virtual_account_id)).toMatchObject({ status: 'pending', account_number: null });
  expect(world.simulator.books.accounts()).toEqual([]);
});

test('a validated customer has the account at once, and its money lands', async () => {
  const id = await askFor();
  world.simulator.validate(id, 'success');
  await world.simulator.settled();
  expect(await types()).toEqual(['virtual_account.activated']);
  const [issued] = world.simulator.books.accounts();
  expect(await fetched(id)).toMatchObject({ status: 'active', account_number: issued?.number });
  await world.pay('paystack', issued?.number ?? '', 500_000);
  expect(await types()).toContain('virtual_account.payment_received');
});

test('a customer who is refused has none, with its event, once', async () => {
  const id = await askFor();
  world.simulator.validate(id, 'failed');
  await world.simulator.settled();
  await notify('customeridentification.failed', id);
  await world.sweepAfter(25 * HOUR);
  expect(await types()).toEqual(['virtual_account.failed']);
  expect(await fetched(id)).toMatchObject({ status: 'failed' });
});

test('a lost event delays the account until the look-up finds it', async () => {
  const id = await askFor();
  await world.sweepAfter(45 * MINUTE);
  expect(await fetched(id)).toMatchObject({ status: 'pending' });
  world.simulator.validate(id, 'success', false);
  await world.sweepAfter(HOUR);
  expect(await types()).toEqual(['virtual_account.activated']);
});

test('a lost refusal ends after a day', async () => {
  const id = await askFor();
  world.simulator.validate(id, 'failed', false);
  await world.sweepAfter(23 * HOUR);
  expect(await fetched(id)).toMatchObject({ status: 'pending' });
  await world.sweepAfter(2 * HOUR);
  expect(await types()).toEqual(['virtual_account.failed']);
});

test('the look-up decides: a refusal of an account that is there activates it', async () => {
  const id = await askFor();
  world.simulator.validate(id, 'success', false);
  await notify('dedicatedaccount.assign.failed', id);
  expect(await types()).toEqual(['virtual_account.activated']);
});

test('a success that is not shown yet changes nothing, and the look-up goes on', async () => {
  const id = await askFor();
  await notify('customeridentification.success', id);
  expect(await fetched(id)).toMatchObject({ status: 'pending' });
  world.simulator.validate(id, 'success', false);
  await world.sweepAfter(10 * SECOND);
  expect(await types()).toEqual(['virtual_account.activated']);
});

test('a success that arrives before the account is written settles it afterwards', async () => {
  world.simulator.prefer('paystack', { validation: 'success' });
  const id = await askFor();
  await world.simulator.settled();
  await world.sweepAfter(2 * MINUTE);
  expect(await types()).toEqual(['virtual_account.activated']);
  expect(await fetched(id)).toMatchObject({ status: 'active' });
});

test('an account of another provider or of test mode is left alone', async () => {
  world.simulator.fault('monnify', { kind: 'lost_answer', times: 1, path: /reserved-accounts$/ });
  const { json } = await merchant.api.createAccounts(wanted({ provider: 'monnify' }));
  const { virtual_account_id: id } = json.errors[0];
  await notify('dedicatedaccount.assign.failed', id);
  await notify('dedicatedaccount.assign.failed', 'va_01M7WKJH1AYHZZZJZRA12RNZVS');
  expect(await fetched(id)).toMatchObject({ status: 'pending' });
  expect(await types()).toEqual([]);
});

test('a deactivated account stays so, and is closed when Paystack issues it after all', async () => {
  const id = await askFor();
  expect((await merchant.api.deleteAccount(id)).status).toBe(200);
  world.simulator.validate(id, 'success');
  await world.simulator.settled();
  await world.sweepAfter(HOUR);
  expect(await fetched(id)).toMatchObject({ status: 'inactive' });
  expect(world.simulator.books.accounts()).toMatchObject([{ open: false }]);
  expect(await types()).toEqual([]);
});

test('the identity is kept nowhere', async () => {
  const id = await askFor();
  world.simulator.validate(id, 'success');
  await world.simulator.settled();
  const stored = JSON.stringify(await world.itemsOf(''));
  expect(stored).not.toContain(BVN);
  expect(stored).not.toContain(NUMBER);
});
