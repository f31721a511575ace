import { ulid } from 'ulid';
import { type Simulator, startSimulator } from '#infra/local/simulator/simulator.ts';
import { kobo } from '#shared/platform/kernel/money.ts';
import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { providerHttp } from '#shared/providers/common/http.ts';
import { paystack } from '#shared/providers/paystack/paystack.ts';
import type { PaystackReading } from '#shared/providers/paystack/simulator/readings.ts';
import type { ProviderAdapter } from '#shared/providers/ports.ts';
import { REGISTRY } from '#shared/providers/registry.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';

/* Tests Paystack's adapter under each reading of points that its sources leave open. */

const NOON = Date.parse('2026-11-21T11:00:00Z');
const PAID = 850_000;
const ADA = { name: 'Ada Ngozi Obi', phone: '+2348030000001', email: 'ada@example.com', bvn: null, nin: null };
const now = () => NOON;
/** Time limits that no answer of the simulator exceeds, even on a slow machine. */
const PATIENT = { connectMs: 20_000, answerMs: 20_000 };

let simulator: Simulator;
let receiver: Receiver;
let provider: ProviderAdapter;
beforeEach(async () => {
  [simulator, receiver] = [await startSimulator({ now }), await startReceiver()];
  simulator.notifyAt('paystack', receiver.url);
  provider = paystack({
    settings: REGISTRY.paystack.settings.parse({
      baseUrl: simulator.baseUrls.paystack,
      customerEmailDomain: 'accounts.example.com',
    }),
    credentials: async () => simulator.credentials.paystack,
    http: providerHttp({ baseUrl: simulator.baseUrls.paystack, now, ...PATIENT }),
    now,
  });
});
afterEach(async () => {
  await simulator.stop();
  await receiver.stop();
});

/** Opens and pays a checkout. Returns its reference and the transfer. */
const payCheckout = async () => {
  const reference = `PAY-${ulid().slice(-20)}`;
  const { account } = await provider.createPaymentAccount({
    reference,
    amount: kobo.parse(PAID),
    accountName: 'Balogun Fabrics',
    payerName: null,
    payerEmail: 'chidi.eze@example.com',
    expiresAt: NOON + 30 * MINUTE,
  });
  const { transferId } = await simulator.pay({
    provider: 'paystack',
    accountNumber: account.accountNumber,
    amount: PAID,
  });
  await simulator.settled();
  return { reference, transferId, query: { by: 'our_reference', value: reference } as const };
};
const lastNotice = async () => {
  await simulator.settled();
  return provider.read(Buffer.from(receiver.received.at(-1)?.body ?? ''));
};

test.each<[PaystackReading['partRefunded'], number]>([
  ['unchanged', PAID],
  ['reduced', 800_000],
  ['reversed', 800_000],
])('a look-up that shows a partial refund as %s reports %i kept kobo', async (partRefunded, amount) => {
  simulator.prefer('paystack', { partRefunded });
  const { transferId, query } = await payCheckout();
  simulator.refund(transferId, { amount: 50_000 });
  expect(await provider.lookUp(query)).toMatchObject({ money: [{ outcome: 'accepted', amount }] });
  const rest = await lastNotice();
  expect(rest).toMatchObject({ queries: [query], refunds: [{ query, refund: { amount: 50_000 } }] });
});

test.each<[PaystackReading['allRefunded'], string]>([
  ['reversed', 'reversed'],
  ['unchanged', 'accepted'],
])('a look-up that shows a full refund as %s reports the money as %s', async (allRefunded, outcome) => {
  simulator.prefer('paystack', { allRefunded, partRefunded: 'reversed' });
  const { transferId, query } = await payCheckout();
  simulator.refund(transferId, { amount: 50_000 });
  simulator.refund(transferId);
  expect(await provider.lookUp(query)).toMatchObject({ money: [{ outcome, amount: PAID }] });
});

test.each<[PaystackReading['refundId'], unknown]>([
  ['refund_reference', expect.any(String)],
  ['id', expect.any(String)],
  ['none', null],
])('a repeated event with the refund’s id in %s gives the same refund', async (refundId, id) => {
  simulator.prefer('paystack', { refundId });
  const { transferId, query } = await payCheckout();
  simulator.fault('paystack', { kind: 'duplicated', times: 1 });
  simulator.refund(transferId, { amount: 50_000 });
  const { queries, refunds } = await lastNotice();
  expect(queries).toEqual([query]);
  expect(refunds).toEqual([{ query, refund: { id, amount: 50_000 } }]);
  expect(provider.read(Buffer.from(receiver.received.at(-2)?.body ?? '')).refunds).toEqual(refunds);
});

test('each partial refund at Paystack has a different id', async () => {
  const { transferId } = await payCheckout();
  const ids: (string | null | undefined)[] = [];
  for (const amount of [50_000, 50_000]) {
    simulator.refund(transferId, { amount });
    ids.push((await lastNotice()).refunds[0]?.refund.id);
  }
  expect(new Set(ids).size).toBe(2);
});

test('a refund that needs attention is a problem, and a refund in processing is ignored', async () => {
  const { transferId } = await payCheckout();
  simulator.refund(transferId, { amount: 50_000, stage: 'processing' });
  expect(await lastNotice()).toMatchObject({ queries: [], refunds: [], problem: null });
  simulator.refund(transferId, { amount: 50_000, stage: 'needs_attention' });
  expect(await lastNotice()).toMatchObject({ refunds: [], problem: 'refund_needs_attention' });
});

test.each([400, 404] as const)(
  'an unknown reference with status %i is reported as unknown',
  async (unknownReference) => {
    simulator.prefer('paystack', { unknownReference });
    expect(await provider.lookUp({ by: 'our_reference', value: `PAY-${ulid().slice(-20)}` })).toBe('unknown');
  },
);

test.each<[PaystackReading['pageSize'], boolean]>([
  ['perPage', true],
  ['per_page', true],
  ['perPage', false],
  ['per_page', false],
])('a list with the size parameter %s and a page count (%s) is read to its end', async (pageSize, countsPages) => {
  simulator.prefer('paystack', { pageSize, countsPages });
  const { accountNumber } = await provider.createAccount(ADA, `va_${ulid()}`);
  // More than 50, which is the size of a page if our parameter is ignored.
  for (let number = 1; number <= 60; number += 1) {
    await simulator.pay({ provider: 'paystack', accountNumber, amount: number });
  }
  const listed = new Set<string>();
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page = await provider.listPayments({ from: NOON - HOUR, to: NOON + HOUR, cursor });
    for (const { query } of page.payments) listed.add(query.value);
    cursor = page.next;
    pages += 1;
  } while (cursor !== null && pages < 9);
  expect([listed.size, cursor]).toEqual([60, null]);
});

test('a rate limit of Paystack lasts for the time in x-ratelimit-reset', async () => {
  simulator.fault('paystack', { kind: 'rate_limited', retryAfter: '7' });
  const lookingUp = provider.lookUp({ by: 'our_reference', value: `PAY-${ulid().slice(-20)}` });
  await expect(lookingUp).rejects.toMatchObject({ name: 'ProviderBusy', waitMs: 7_000 });
});
