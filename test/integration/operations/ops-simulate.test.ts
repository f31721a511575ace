import type { Stage } from '#infra/ops/connect.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { toEventCheckout } from '#test/support/worlds/answers.ts';
import { runOpsAsJson, runOpsAsText } from '#test/support/worlds/operations.ts';
import { api, business, ORDER, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

openMerchantForEachTest();

const stage = (): Stage => ({ ...world.deps, operator: async () => 'amaka' });
const open = async (): Promise<string> => (await api.initialize(ORDER)).json.data.reference;
const simulate = (id: string, event: string) => runOpsAsJson(stage(), 'simulate', id, '--event', event);
const typesSent = async (): Promise<string[]> =>
  (await api.listEvents()).json.data.map(({ type }: { type: string }) => type).sort();

test.each([
  ['paid', 'paid', ['checkout.paid']],
  ['overpaid', 'paid', ['checkout.overpaid', 'checkout.paid']],
  ['underpaid', 'underpaid', ['checkout.underpaid']],
  ['payment_rejected', 'pending', ['checkout.payment_rejected']],
  ['failed', 'failed', ['checkout.failed']],
  ['expired', 'expired', ['checkout.expired']],
])('the command simulate causes checkout.%s', async (event, status, sent) => {
  const reference = await open();
  const { event: type, checkout } = await simulate(reference, event);
  expect([type, checkout]).toEqual([`checkout.${event}`, toEventCheckout((await api.verify(reference)).json.data)]);
  expect(checkout.status).toBe(status);
  expect(await typesSent()).toEqual(sent);
});

test('the command simulate reverses payments of a checkout and of a virtual account, and is recorded', async () => {
  const reference = await open();
  await simulate(reference, 'underpaid');
  expect((await simulate(reference, 'payment_reversed')).checkout).toMatchObject({ status: 'pending', paid_amount: 0 });
  const created = await api.createAccounts({ customer_name: 'Sade Balogun', provider: 'monnify' });
  const { id } = created.json.accounts[0];
  const { payment } = await simulate(id, 'payment_received');
  const printed = await runOpsAsText(stage(), 'simulate', id, '--event', 'payment_reversed');
  expect(printed).toContain(`100.00 naira on ${id}: reversed.`);
  expect((await api.listPayments(id)).json.data).toMatchObject([{ id: payment.id, outcome: 'reversed' }]);
  expect(await typesSent()).toEqual([
    'checkout.payment_reversed',
    'checkout.underpaid',
    'virtual_account.payment_received',
    'virtual_account.payment_reversed',
  ]);
  const { changes } = await runOpsAsJson(stage(), 'audit', 'list', business.id);
  expect(changes.map(({ what }: { what: string }) => what)).toContain(`simulated underpaid of ${reference}`);
});

test.each([
  ['activated', 'active', 'lost'],
  ['failed', 'failed', 'slow'],
])('the command simulate causes virtual_account.%s of a pending account', async (event, status, word) => {
  const customer_email = `${word}+monnify@example.com`;
  const created = await api.createAccounts({ customer_name: 'Sade Balogun', customer_email, provider: 'monnify' });
  const [{ virtual_account_id: id }] = created.json.errors;
  const { event: type, virtual_account } = await simulate(id, event);
  expect([type, virtual_account]).toEqual([`virtual_account.${event}`, (await api.getAccount(id)).json.data]);
  expect(virtual_account).toMatchObject({ status, customer_name: 'Sade Balogun' });
  expect(await typesSent()).toEqual([`virtual_account.${event}`]);
  // The sweeper finds nothing more to settle, so the event is sent only once.
  world.clock.advance(MINUTE);
  await world.sweep();
  expect(await typesSent()).toEqual([`virtual_account.${event}`]);
  await expect(simulate(id, 'failed')).rejects.toThrow(`${id} is ${status}. Only a pending account can be settled.`);
});

test('the command simulate refuses impossible events, like the API', async () => {
  const reference = await open();
  await expect(simulate(reference, 'payment_reversed')).rejects.toThrow('No accepted payment to reverse.');
  await expect(simulate(reference, 'payment_received')).rejects.toThrow(
    `${reference} has no such event. Give one of: paid,`,
  );
  await simulate(reference, 'failed');
  await expect(simulate(reference, 'paid')).rejects.toThrow('Checkout is already failed.');
  await expect(simulate('PAY-00000000000000000000', 'paid')).rejects.toThrow('There is no checkout');
});
