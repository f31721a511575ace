import { MINUTE } from '#shared/platform/kernel/time.ts';
import {
  answerInSandbox,
  openMerchantAtSlowSandbox,
  sandboxAsked,
  sandboxWaits,
} from '#test/support/worlds/slow-sandbox.ts';
import { api, world } from '#test/support/worlds/test-merchant.ts';

/* Tests the outcomes that a customer's address makes the sandbox simulate. */

openMerchantAtSlowSandbox();

const KEY = { 'idempotency-key': 'open-1' };
const customer = (customer_email: string) => ({
  customer_name: 'Amara Okonkwo',
  customer_phone: '+2348031234567',
  customer_email,
  banks: ['monnify', 'paystack'],
});
const listEventTypes = async (): Promise<string[]> =>
  (await api.listEvents()).json.data.map(({ type }: { type: string }) => type);
const settle = async (): Promise<void> => {
  world.clock.advance(MINUTE);
  await world.sweep();
};

test('a slow sandbox provider leaves time to see that a request is in progress, and its account is settled later', async () => {
  const body = customer('slow+monnify@example.com');
  const first = api.createAccounts(body, KEY);
  await sandboxAsked;
  expect(sandboxWaits).toEqual([3_000]);
  const second = await api.createAccounts(body, KEY);
  expect([second.status, second.json.code]).toEqual([409, 'idempotency_in_progress']);
  expect(second.headers['retry-after']).toBeDefined();
  answerInSandbox();
  const { status, json, text } = await first;
  expect([status, json.accounts.map(({ provider }: { provider: string }) => provider)]).toEqual([201, ['paystack']]);
  const [{ virtual_account_id: id, code }] = json.errors;
  expect(code).toBe('outcome_unknown');
  expect(Object.keys(json.errors[0])).toEqual(['provider', 'message', 'code', 'virtual_account_id']);
  expect((await api.getAccount(id)).json.data).toMatchObject({ status: 'pending', provider: 'monnify' });
  expect((await api.createAccounts(body, KEY)).text).toBe(text);
  await settle();
  expect((await api.getAccount(id)).json.data.status).toBe('active');
  expect(await listEventTypes()).toEqual(['virtual_account.activated']);
  // The simulated delay does not count as a failure of a live provider.
  expect(world.measuredSum('provider_failures')).toBe(0);
});

test('a customer address that slows a provider down delays no request to other providers', async () => {
  const slow = api.createAccounts(customer('slow+korapay@example.com'));
  expect((await slow).json.errors).toEqual([]);
  expect(sandboxWaits).toEqual([]);
});

test('a request that never reached the sandbox provider leaves a pending account, which fails later', async () => {
  const { status, json } = await api.createAccounts(customer('lost+monnify@example.com'));
  expect([status, json.errors[0].code, json.errors[0].message]).toEqual([
    201,
    'outcome_unknown',
    'monnify did not answer in time. The account is pending; a webhook reports the outcome. (simulated)',
  ]);
  const id = json.errors[0].virtual_account_id;
  expect((await api.getAccount(id)).json.data.status).toBe('pending');
  await settle();
  expect((await api.getAccount(id)).json.data.status).toBe('failed');
  expect(await listEventTypes()).toEqual(['virtual_account.failed']);
});
