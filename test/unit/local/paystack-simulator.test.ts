import { type Simulator, startSimulator } from '#infra/local/simulator/simulator.ts';
import { type Fixture, shapeDifferences } from '#shared/providers/common/simulator/fixture.ts';
import { PAYSTACK_FIXTURES } from '#shared/providers/paystack/simulator/fixtures.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';

/* The simulated Paystack answers in the shapes that Paystack's documents and libraries show. */

const { answers, rows, events } = PAYSTACK_FIXTURES;
const NOON = Date.parse('2026-11-21T11:00:00Z');
const VA = 'va_01m7wkjh1ayhzzzjzra12rnzvs';
const PERSON = { email: `${VA}@accounts.example.com`, first_name: 'Ada', last_name: 'Obi', phone: '+2348030000001' };
const IDENTITY = { country: 'NG', bvn: '22212345678', account_number: '0123456789', bank_code: '058' };
const ASSIGNMENT = { ...PERSON, ...IDENTITY, preferred_bank: 'titan-paystack' };

let simulator: Simulator;
let receiver: Receiver;
beforeEach(async () => {
  [simulator, receiver] = [await startSimulator({ now: () => NOON }), await startReceiver()];
  simulator.notifyAt('paystack', receiver.url);
});
afterEach(async () => {
  await simulator.stop();
  await receiver.stop();
});

interface Response {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any field, and fails if the answer lacks it.
  readonly json: any;
}
const call = async (
  method: string,
  path: string,
  body?: unknown,
  key = simulator.credentials.paystack.secretKey,
): Promise<Response> => {
  const answer = await fetch(`${simulator.baseUrls.paystack}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, json: await answer.json() };
};
const charge = (reference = 'order-1') =>
  call('POST', '/charge', { email: 'order-1@accounts.example.com', amount: 850_000, reference, bank_transfer: {} });
const openDedicated = async () => {
  const { json } = await call('POST', '/customer', PERSON);
  return call('POST', '/dedicated_account', { customer: json.data.customer_code });
};
const payLast = (amount = 850_000) =>
  simulator.pay({
    provider: 'paystack',
    accountNumber: simulator.books.accounts().at(-1)?.number ?? '',
    amount,
    senderName: 'Chidi Eze',
    senderBank: 'GTBank',
  });
const expectShape = (fixture: Fixture, answer: unknown) => expect(shapeDifferences(fixture, answer)).toEqual([]);
const lastEvents = async (count: number): Promise<unknown[]> => {
  await simulator.settled();
  return receiver.received.slice(-count).map(({ body }) => JSON.parse(body));
};

test('the simulated Paystack answers requests on virtual accounts as in the sources', async () => {
  const created = await call('POST', '/customer', PERSON);
  expectShape(answers.createCustomer, created.json);
  expectShape(answers.fetchCustomer, (await call('GET', `/customer/${encodeURIComponent(PERSON.email)}`)).json);
  expectShape(answers.noCustomer, (await call('GET', '/customer/nobody%40example.com')).json);
  const opened = await openDedicated();
  expectShape(answers.createDedicated, opened.json);
  const { id } = opened.json.data;
  expectShape(rows.dedicatedAccount, (await call('GET', `/dedicated_account/${id}`)).json.data);
  expectShape(
    rows.dedicatedAccount,
    (await call('GET', `/dedicated_account?customer=${created.json.data.id}`)).json.data[0],
  );
  expectShape(answers.removeDedicated, (await call('DELETE', `/dedicated_account/${id}`)).json);
  expectShape(answers.assign, (await call('POST', '/dedicated_account/assign', ASSIGNMENT)).json);
  const wrong = await call('POST', '/dedicated_account/assign', { ...ASSIGNMENT, bvn: '1' });
  expectShape(answers.wrongBvn, wrong.json);
});

test('the simulated Paystack answers requests on payments as in the sources', async () => {
  expectShape(answers.createCharge, (await charge()).json);
  expectShape(answers.duplicateReference, (await charge()).json);
  await payLast();
  expectShape(answers.verifyPaid, (await call('GET', '/transaction/verify/order-1')).json);
  expectShape(rows.transaction, (await call('GET', '/transaction')).json.data[0]);
  await openDedicated();
  const { transferId } = await payLast(500_000);
  const [row] = (await call('GET', '/transaction')).json.data;
  expectShape(rows.credit, row);
  expectShape(answers.verifyCredit, (await call('GET', `/transaction/verify/${row.reference}`)).json);
  simulator.refund(transferId, { amount: 50_000 });
  expectShape(rows.refund, (await call('GET', `/refund?transaction=${row.id}`)).json.data[0]);
  expectShape(answers.unknownCharge, (await call('GET', '/charge/order-9')).json);
  expectShape(answers.wrongKey, (await call('GET', '/transaction', undefined, 'sk_live_other')).json);
  simulator.fault('paystack', { kind: 'server_fault', times: 1 });
  expectShape(answers.serverFault, (await call('GET', '/transaction')).json);
});

test('a rate-limited answer has the seconds to wait in x-ratelimit-reset', async () => {
  simulator.fault('paystack', { kind: 'rate_limited', retryAfter: '7' });
  const { status, headers, json } = await call('GET', '/transaction');
  expect([status, headers.get('x-ratelimit-reset'), headers.get('retry-after')]).toEqual([429, '7', null]);
  expectShape(answers.rateLimited, json);
});

test('the simulated Paystack sends events on money as in the sources', async () => {
  await charge();
  await payLast(800_000);
  expectShape(events.transferRejected, (await lastEvents(1))[0]);
  const { transferId } = await payLast();
  expectShape(events.chargeSuccess, (await lastEvents(1))[0]);
  for (const [stage, fixture] of [
    ['pending', events.refundPending],
    ['processing', events.refundProcessing],
    ['needs_attention', events.refundNeedsAttention],
    ['failed', events.refundFailed],
    ['processed', events.refundProcessed],
  ] as const) {
    simulator.refund(transferId, { amount: 10_000, stage });
    expectShape(fixture, (await lastEvents(1))[0]);
  }
  await openDedicated();
  await payLast(500_000);
  expectShape(events.chargeSuccessVirtual, (await lastEvents(1))[0]);
});

test('the simulated Paystack sends events on a validation as in the sources', async () => {
  await call('POST', '/dedicated_account/assign', ASSIGNMENT);
  const [identified, assigned] = await lastEvents(2);
  expectShape(events.identificationSuccess, identified);
  expectShape(events.assignSuccess, assigned);
  simulator.prefer('paystack', { validation: 'failed' });
  await call('POST', '/dedicated_account/assign', { ...ASSIGNMENT, email: 'va_2@accounts.example.com' });
  const [refused, unassigned] = await lastEvents(2);
  expectShape(events.identificationFailed, refused);
  expectShape(events.assignFailed, unassigned);
});

test.each([
  ['unchanged', { status: 'success', amount: 850_000 }],
  ['reduced', { status: 'success', amount: 800_000 }],
  ['reversed', { status: 'reversed', amount: 850_000 }],
] as const)('a look-up shows a partial refund as %s', async (partRefunded, expected) => {
  simulator.prefer('paystack', { partRefunded });
  await charge();
  const { transferId } = await payLast();
  simulator.refund(transferId, { amount: 50_000 });
  const { json } = await call('GET', '/transaction/verify/order-1');
  expect(json.data).toMatchObject(expected);
  expect(simulator.books.totalKept()).toBe(800_000);
  if (partRefunded === 'reversed') expectShape(answers.verifyReversed, json);
});

test.each([
  ['reversed', { allRefunded: 'reversed' }],
  ['success', { allRefunded: 'unchanged' }],
] as const)('a look-up shows a full refund as %s', async (status, reading) => {
  simulator.prefer('paystack', reading);
  await charge();
  const { transferId } = await payLast();
  simulator.refund(transferId);
  expect((await call('GET', '/transaction/verify/order-1')).json.data).toMatchObject({ status, amount: 850_000 });
  expect(simulator.books.totalKept()).toBe(0);
});

test.each(['refund_reference', 'id', 'none'] as const)('a processed refund has %s as its own id', async (refundId) => {
  simulator.prefer('paystack', { refundId });
  await charge();
  const { transferId } = await payLast();
  simulator.refund(transferId, { amount: 50_000 });
  const [event] = (await lastEvents(1)) as [{ data: { id?: unknown; refund_reference?: unknown } }];
  expect([typeof event.data.id, typeof event.data.refund_reference]).toEqual(
    { refund_reference: ['undefined', 'string'], id: ['number', 'undefined'], none: ['undefined', 'object'] }[refundId],
  );
});

test('an unknown reference is answered with 400 or 404', async () => {
  for (const unknownReference of [400, 404] as const) {
    simulator.prefer('paystack', { unknownReference });
    const { status, json } = await call('GET', '/transaction/verify/order-9');
    expect(status).toBe(unknownReference);
    expectShape(answers.unknownReference, json);
  }
});

test('a list reads its page size from one of two parameters, and has page numbers or a cursor', async () => {
  for (let number = 1; number <= 3; number += 1) await charge(`order-${number}`);
  const page = async () => (await call('GET', '/transaction?perPage=2&page=1')).json;
  expectShape({ ...answers.pagesByNumber, body: { ...answers.pagesByNumber.body, data: null } }, await page());
  expect((await page()).data).toHaveLength(2);
  simulator.prefer('paystack', { pageSize: 'per_page', countsPages: false });
  expect((await page()).data).toHaveLength(3);
  expectShape({ ...answers.pagesByCursor, body: { ...answers.pagesByCursor.body, data: null } }, await page());
});

test('a validation by hand can end without events', async () => {
  simulator.prefer('paystack', { validation: 'by_hand' });
  await call('POST', '/dedicated_account/assign', ASSIGNMENT);
  expect(simulator.books.accounts()).toEqual([]);
  simulator.validate(VA, 'success', false);
  expect(simulator.books.accounts()).toHaveLength(1);
  expect(() => simulator.validate(VA, 'success')).toThrow('No customer with this reference');
  await simulator.settled();
  expect(receiver.received).toEqual([]);
});

test('a refund of more than the kept amount fails', async () => {
  await charge();
  const { transferId } = await payLast();
  simulator.refund(transferId, { amount: 800_000 });
  expect(() => simulator.refund(transferId, { amount: 50_001 })).toThrow('keeps less of this transfer');
  expect(() => simulator.refund('nothing')).toThrow('no transfer');
});
