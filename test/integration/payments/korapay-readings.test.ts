import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { KorapayPreference, ReferenceOrder } from '#shared/providers/korapay/simulator/preference.ts';
import { testRows } from '#test/support/jest/long.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';

openWorldForEachTest();

/* Sources disagree on how Korapay names payments and which address it notifies. Each reading leads to the same books. */

const provider = 'korapay';
const reconcile = () => world.reconcile(provider);

/** Expects a checkout's ₦8,500 to have been counted, announced and recorded once. */
const expectPaidOnce = async (reference: string): Promise<void> => {
  expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
  expect(await merchant.paymentsOf(reference)).toEqual(['8500 accepted']);
  expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
  await world.expectBooksToAgree();
};

const ORDERS: readonly ReferenceOrder[] = ['merchants', 'merchants_first', 'korapays_first', 'korapays'];
const FIELDS = ['notificationReferences', 'listReferences', 'lookUpReferences'] as const;
const READINGS: readonly Partial<KorapayPreference>[] = [
  ...FIELDS.flatMap((field) => ORDERS.map((order) => ({ [field]: order }))),
  { chargesNotify: 'dashboard' },
];

testRows(READINGS)('a payment counts once if Korapay behaves like %j', async (reading) => {
  world.simulator.prefer(provider, reading);
  const { reference, transferId } = await merchant.paidCheckout(provider);
  await expectPaidOnce(reference);
  await world.simulator.resend(transferId);
  await world.simulator.settled();
  world.clock.advance(60_000);
  await reconcile();
  await expectPaidOnce(reference);
});

testRows(ORDERS)('a payment without a notification is found by a list with the references %s', async (order) => {
  world.simulator.prefer(provider, { listReferences: order });
  world.simulator.fault(provider, { kind: 'lost', times: 1 });
  const { reference } = await merchant.paidCheckout(provider);
  expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending' });
  world.clock.advance(60_000);
  await reconcile();
  await expectPaidOnce(reference);
});

testRows([...ORDERS, 'small letters'] as const)(
  'a notified payment raises no alarm in a list with the references %s, and a payment without a notification raises one alarm',
  async (order) => {
    const countAlarms = async (listed: typeof world.deps): Promise<number> => {
      for (let i = 0; i < 3; i += 1) {
        world.clock.advance(15 * MINUTE);
        await world.reconcile(provider, listed);
      }
      return world.measuredSum('payments_not_notified');
    };
    if (order !== 'small letters') world.simulator.prefer(provider, { listReferences: order });
    const inSmallLetters = world.scripted(provider, ({ listPayments }) => ({
      listPayments: async (span) => {
        const page = await listPayments(span);
        const small = ({ query }: (typeof page.payments)[number]) => ({
          query: { ...query, value: query.value.toLowerCase() },
          origin: null,
          isReturned: false,
        });
        return { ...page, payments: page.payments.map(small) };
      },
    }));
    const listed = order === 'small letters' ? { ...world.deps, ...inSmallLetters } : world.deps;
    await merchant.paidCheckout(provider);
    expect(await countAlarms(listed)).toBe(0);
    world.simulator.fault(provider, { kind: 'lost', times: 1 });
    await merchant.paidCheckout(provider);
    expect(await countAlarms(listed)).toBe(1);
  },
);

test('a cumulative report counts once, in any spelling and field of our reference in a notification', async () => {
  const { reference } = await merchant.paidCheckout(provider);
  const data = { amount: 8_500, fee: 91.38, status: 'success', currency: 'NGN', payment_method: 'bank_transfer' };
  const lower = reference.toLowerCase();
  for (const references of [
    { reference: lower, payment_reference: lower },
    { reference: 'KPY-PAY-1', payment_reference: lower },
    { reference: ` ${reference} `, payment_reference: 'KPY-PAY-1' },
    { reference: 'KPY-PAY-1' },
  ]) {
    const sent = world.signed(provider, { event: 'charge.success', data: { ...data, ...references } });
    expect((await world.notify(provider, sent)).status).toBe(200);
  }
  await expectPaidOnce(reference);
});

test('a cumulative report counts once, in any spelling of our reference in a look-up', async () => {
  const { reference } = await merchant.paidCheckout(provider);
  await world.lookUp(provider, reference.toLowerCase());
  await world.lookUp(provider, { by: 'transaction', value: 'KPY-PAY-1' });
  await expectPaidOnce(reference);
});

test('the signed data of a charge, sent as a refund before or after the charge, take no money out', async () => {
  const held = await world.holdNotifications(provider);
  const { reference } = await merchant.paidCheckout(provider);
  const [genuine] = await held.held();
  if (!genuine) throw new Error('The simulator has sent no notification.');
  const copy = (event: string) => ({ ...genuine, body: JSON.stringify({ ...JSON.parse(genuine.body), event }) });
  const attack = async (): Promise<void> => {
    for (const event of ['refund.success', 'refund.failed', 'transfer.success'])
      expect((await world.notify(provider, copy(event))).status).toBe(200);
  };
  await attack();
  expect((await world.notify(provider, genuine)).status).toBe(200);
  await attack();
  await world.minutesPass(3);
  await expectPaidOnce(reference);
});

test('a sender whose name is half a character does not keep the money out of the books', async () => {
  const { accountNumber, reference } = await merchant.checkout(provider);
  await world.pay(provider, accountNumber, 850_000, { senderName: '\ud83d', senderBank: 'GT\u202eBank' });
  await expectPaidOnce(reference);
});
