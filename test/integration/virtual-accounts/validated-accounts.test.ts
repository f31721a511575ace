import { createHmac } from 'node:crypto';
import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { merchant, newCustomerFields, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';

/* Tests virtual accounts at Paystack for a stage whose customers must be validated first. */

const BVN = '22277788899';
const NUMBER = '0198765432';
const bank_account = { account_number: NUMBER, bank_code: '058' };
const customer = (more: Record<string, unknown> = {}) => ({
  ...newCustomerFields(),
  bvn: BVN,
  bank_account,
  provider: 'paystack',
  ...more,
});

openWorldForEachTest({ validatesCustomers: true });
beforeEach(() => world.simulator.prefer('paystack', { validation: 'by_hand' }));

/** Asks for an account; returns its id while Paystack validates the customer. */
const requestAccount = async (): Promise<string> => {
  const { json } = await merchant.api.createAccounts(customer());
  return json.errors[0].virtual_account_id;
};
const fetchAccount = async (id: string) => (await merchant.api.getAccount(id)).json.data;
const listEventTypes = async () => (await world.events()).map(({ type }) => type);
/** Posts an event about an account as Paystack does. */
const notify = async (event: string, id: string) => {
  const email = `${id}@accounts.example.com`.toLowerCase();
  const body = JSON.stringify({ event, data: { email, customer: { email }, at: Math.random() } });
  const signature = createHmac('sha512', world.simulator.credentials.paystack.secretKey).update(body).digest('hex');
  const answer = await world.notify('paystack', { headers: { 'x-paystack-signature': signature }, body });
  expect(answer.status).toBe(200);
};

test('a request without a BVN and a bank account calls no provider', async () => {
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

test('an account is pending while Paystack validates the customer, and the error says so', async () => {
  const { status, json } = await merchant.api.createAccounts(customer());
  expect(status).toBe(422);
  expect(json.errors).toEqual([
    {
      provider: 'paystack',
      message: 'paystack validates the customer first. The account is pending; a webhook reports the outcome.',
      code: 'outcome_unknown',
      virtual_account_id: expect.stringMatching(/^va_/),
    },
  ]);
  expect(await fetchAccount(json.errors[0].virtual_account_id)).toMatchObject({
    status: 'pending',
    account_number: null,
  });
  expect(world.simulator.books.accounts()).toEqual([]);
});

test('a validated customer gets the account at once, and its money lands', async () => {
  const id = await requestAccount();
  world.simulator.validate(id, 'success');
  await world.simulator.settled();
  expect(await listEventTypes()).toEqual(['virtual_account.activated']);
  const [issued] = world.simulator.books.accounts();
  expect(await fetchAccount(id)).toMatchObject({ status: 'active', account_number: issued?.number });
  await world.pay('paystack', issued?.number ?? '', 500_000);
  expect(await listEventTypes()).toContain('virtual_account.payment_received');
});

test('a rejected customer gets no account and one event', async () => {
  const id = await requestAccount();
  world.simulator.validate(id, 'failed');
  await world.simulator.settled();
  await notify('customeridentification.failed', id);
  await world.sweepAfter(25 * HOUR);
  expect(await listEventTypes()).toEqual(['virtual_account.failed']);
  expect(await fetchAccount(id)).toMatchObject({ status: 'failed' });
});

test('a lost success event delays the account until a look-up finds it', async () => {
  const id = await requestAccount();
  await world.sweepAfter(45 * MINUTE);
  expect(await fetchAccount(id)).toMatchObject({ status: 'pending' });
  world.simulator.validate(id, 'success', false);
  await world.sweepAfter(HOUR);
  expect(await listEventTypes()).toEqual(['virtual_account.activated']);
});

test('a lost rejection event ends in a failed account after a day', async () => {
  const id = await requestAccount();
  world.simulator.validate(id, 'failed', false);
  await world.sweepAfter(23 * HOUR);
  expect(await fetchAccount(id)).toMatchObject({ status: 'pending' });
  await world.sweepAfter(2 * HOUR);
  expect(await listEventTypes()).toEqual(['virtual_account.failed']);
});

test('a rejection event for an existing account activates it, because the look-up decides', async () => {
  const id = await requestAccount();
  world.simulator.validate(id, 'success', false);
  await notify('dedicatedaccount.assign.failed', id);
  expect(await listEventTypes()).toEqual(['virtual_account.activated']);
});

test('a success event without a visible account changes nothing, and the look-ups continue', async () => {
  const id = await requestAccount();
  await notify('customeridentification.success', id);
  expect(await fetchAccount(id)).toMatchObject({ status: 'pending' });
  world.simulator.validate(id, 'success', false);
  await world.sweepAfter(10 * SECOND);
  expect(await listEventTypes()).toEqual(['virtual_account.activated']);
});

test('a success event that arrives before the account is stored settles the account afterwards', async () => {
  world.simulator.prefer('paystack', { validation: 'success' });
  const id = await requestAccount();
  await world.simulator.settled();
  await world.sweepAfter(2 * MINUTE);
  expect(await listEventTypes()).toEqual(['virtual_account.activated']);
  expect(await fetchAccount(id)).toMatchObject({ status: 'active' });
});

test('a rejection event leaves accounts of other providers and unknown accounts unchanged', async () => {
  world.simulator.fault('monnify', { kind: 'lost_answer', times: 1, path: /reserved-accounts$/ });
  const { json } = await merchant.api.createAccounts(customer({ provider: 'monnify' }));
  const { virtual_account_id: id } = json.errors[0];
  await notify('dedicatedaccount.assign.failed', id);
  await notify('dedicatedaccount.assign.failed', 'va_01M7WKJH1AYHZZZJZRA12RNZVS');
  expect(await fetchAccount(id)).toMatchObject({ status: 'pending' });
  expect(await listEventTypes()).toEqual([]);
});

test('a deactivated account stays inactive, and is closed if Paystack issues it after all', async () => {
  const id = await requestAccount();
  expect((await merchant.api.deleteAccount(id)).status).toBe(200);
  world.simulator.validate(id, 'success');
  await world.simulator.settled();
  await world.sweepAfter(HOUR);
  expect(await fetchAccount(id)).toMatchObject({ status: 'inactive' });
  expect(world.simulator.books.accounts()).toMatchObject([{ open: false }]);
  expect(await listEventTypes()).toEqual([]);
});

test('the identity numbers of the customer are not stored', async () => {
  const id = await requestAccount();
  world.simulator.validate(id, 'success');
  await world.simulator.settled();
  const stored = JSON.stringify(await world.itemsOf(''));
  expect(stored).not.toContain(BVN);
  expect(stored).not.toContain(NUMBER);
});
