import { ulid } from 'ulid';
import { type Simulator, startSimulator } from '#infra/local/simulator/simulator.ts';
import { kobo } from '#shared/platform/kernel/money.ts';
import { HOUR } from '#shared/platform/kernel/time.ts';
import { providerHttp } from '#shared/providers/common/http.ts';
import type { NotificationContent } from '#shared/providers/domain/notification-content.ts';
import { korapay } from '#shared/providers/korapay/korapay.ts';
import type { KorapayPreference } from '#shared/providers/korapay/simulator/preference.ts';
import type { ProviderAdapter } from '#shared/providers/ports.ts';
import { REGISTRY } from '#shared/providers/registry.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';

/* Tests partial and full refunds at Korapay, under each reading of the look-up afterwards. */

const MORNING = Date.parse('2026-11-21T09:30:00Z');
const AMOUNT = kobo.parse(850_075);
const PART = kobo.parse(250_000);
const now = () => MORNING;

let simulator: Simulator;
let receiver: Receiver;
let provider: ProviderAdapter;
beforeEach(async () => {
  [simulator, receiver] = [await startSimulator({ now }), await startReceiver()];
  simulator.notifyAt('korapay', receiver.url);
  provider = korapay({
    settings: REGISTRY.korapay.settings.parse({ baseUrl: simulator.baseUrls.korapay }),
    notificationUrl: receiver.url,
    credentials: async () => simulator.credentials.korapay,
    http: providerHttp({ baseUrl: simulator.baseUrls.korapay, now, connectMs: 20_000, answerMs: 20_000 }),
    now,
  });
});
afterEach(async () => {
  await simulator.stop();
  await receiver.stop();
});

const payCheckout = async () => {
  const reference = `PAY-${ulid().slice(-20)}`;
  const { account } = await provider.createPaymentAccount({
    reference,
    amount: AMOUNT,
    accountName: 'Balogun Fabrics',
    payerName: 'Chidi Eze',
    payerEmail: 'chidi.eze@example.com',
    expiresAt: MORNING + HOUR,
  });
  const { transferId } = await simulator.pay({
    provider: 'korapay',
    accountNumber: account.accountNumber,
    amount: AMOUNT,
  });
  return { query: { by: 'our_reference', value: reference } as const, transferId };
};
const payAccount = async () => {
  const customer = { name: 'Ada Obi', phone: null, email: null, bvn: '22100000001', nin: null };
  const { accountNumber } = await provider.createAccount(customer, `va_${ulid()}`);
  const { transferId } = await simulator.pay({ provider: 'korapay', accountNumber, amount: AMOUNT });
  return { query: { by: 'transaction', value: 'KPY-PAY-1' } as const, transferId };
};
/** Makes a refund, and reads its authentic notification. */
const refund = async (...order: Parameters<Simulator['refund']>): Promise<NotificationContent> => {
  simulator.refund(...order);
  await simulator.settled();
  const sent = receiver.received.at(-1);
  const body = Buffer.from(sent?.body ?? '');
  expect(await provider.authenticate((sent?.headers ?? {}) as Record<string, string>, body)).toBe(true);
  return provider.read(body);
};

const PAID = [
  ['a checkout', payCheckout],
  ['a virtual account', payAccount],
] as const;
const SHOWN = ['nothing', 'amounts'] as const satisfies readonly KorapayPreference['refundsShow'][];
const CASES = PAID.flatMap(([paid, pay]) => SHOWN.map((refundsShow) => ({ paid, pay, refundsShow })));

describe.each(CASES)('a refund of $paid, with a look-up that shows $refundsShow:', ({ pay, refundsShow }) => {
  beforeEach(() => simulator.prefer('korapay', { refundsShow }));

  test('a partial refund and a refund of the rest are read with different ids', async () => {
    const { query, transferId } = await pay();
    const first = await refund(transferId, { amount: PART });
    expect(first).toMatchObject({ queries: [query], refunds: [{ query, refund: { amount: PART } }], problem: null });
    const second = await refund(transferId);
    expect(second.refunds).toMatchObject([{ query, refund: { amount: AMOUNT - PART } }]);
    expect(second.refunds[0]?.refund.id).not.toBe(first.refunds[0]?.refund.id);
    expect(simulator.books.totalKept()).toBe(0);
  });

  test('a look-up after a partial refund and after a full refund reports the right money', async () => {
    const { query, transferId } = await pay();
    const before = await provider.lookUp(query);
    await refund(transferId, { amount: PART });
    const after = await provider.lookUp(query);
    await refund(transferId);
    const last = await provider.lookUp(query);
    if (refundsShow === 'nothing') return expect([after, last]).toEqual([before, before]);
    if (before === 'unknown') throw new Error('Korapay does not know the payment.');
    const [money] = before.money;
    const [left, gone] =
      money?.kind === 'cumulative_report'
        ? [
            { kept: AMOUNT - PART, returned: PART },
            { kept: 0, returned: AMOUNT },
          ]
        : [
            // The whole transfer came in, and its refund is recorded separately.
            { amount: AMOUNT, outcome: 'accepted' },
            { amount: AMOUNT, outcome: 'reversed' },
          ];
    expect(after).toMatchObject({ money: [left] });
    expect(last).toMatchObject({ money: [gone] });
  });

  test('a failed refund only causes a look-up', async () => {
    const { query, transferId } = await pay();
    expect(await refund(transferId, { amount: PART, stage: 'failed' })).toMatchObject({
      queries: [query],
      refunds: [],
    });
    expect(simulator.books.totalKept()).toBe(AMOUNT);
  });
});

test.each(['merchants', 'korapays'] as const)(
  'a refund at Korapay is read from a notification with the reference order %s',
  async (order) => {
    simulator.prefer('korapay', { notificationReferences: order });
    const { query, transferId } = await payCheckout();
    const { refunds } = await refund(transferId, { amount: PART });
    const expectedQuery = order === 'merchants' ? query : { by: 'transaction', value: 'KPY-PAY-1' };
    expect(refunds).toMatchObject([{ query: expectedQuery, refund: { amount: PART } }]);
  },
);
