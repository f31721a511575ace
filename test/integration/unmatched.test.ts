import { operationsProgram } from '#infra/ops/program.ts';
import type { Kobo } from '#shared/domain/money.ts';
import { assignPayment } from '#shared/use-cases/assign-payment.ts';
import { landMoney } from '#shared/use-cases/land-money.ts';
import { type LiveWorld, makeLiveWorld } from '#test/support/live-world.ts';

const WHO = 'bisi';

describe('unmatched money', () => {
  let world: LiveWorld;
  beforeAll(async () => {
    world = await makeLiveWorld();
  });
  afterAll(() => world.stop());

  /** Money that the provider reports for an account number that nobody of us knows. */
  const arrive = async (transferId: string, amount: number) => {
    const landed = await landMoney(world.deps, 'korapay', {
      kind: 'transfer',
      transferId,
      payee: { by: 'account_number', accountNumber: '7799999999' },
      outcome: 'accepted',
      providerReference: transferId,
      amount: amount as Kobo,
      fee: 0 as Kobo,
      paidAt: world.clock.now(),
      senderName: 'Chidi Eze',
      senderBank: 'Access Bank',
    });
    expect(landed).toBe('unmatched');
    const found = await world.deps.unmatched.find('korapay', transferId);
    return found?.id ?? '';
  };
  const ops = async (...args: string[]) => {
    let printed = '';
    await operationsProgram({
      connect: () => ({ ...world.deps, who: WHO }),
      out: (text) => {
        printed += text;
      },
      err: () => {},
    }).parseAsync(['node', 'ops', '--json', ...args]);
    return JSON.parse(printed);
  };
  const openCheckout = async (provider: string) => {
    const shop = await world.addBusiness([], 'live');
    const api = world.live(shop);
    const wanted = { amount: 8_500.75, payer_email: 'tunde.bakare@example.com', provider };
    const { reference } = (await api.initialize(wanted)).json.data;
    return { shop, reference, verify: async () => (await api.verify(reference)).json.data };
  };

  test('is listed and assigned to a checkout, where it lands in the ordinary way, once, and on record', async () => {
    const paymentId = await arrive('KPY-LOST-1', 850_075);
    const { shop, reference, verify } = await openCheckout('korapay');
    const { unmatched } = await ops('unmatched', 'list');
    expect(unmatched).toContainEqual({
      id: paymentId,
      provider: 'korapay',
      amount: 8_500.75,
      payee: '7799999999',
      provider_reference: 'KPY-LOST-1',
      sender_name: 'Chidi Eze',
      sender_bank: 'Access Bank',
      paid_at: '2026-11-20T12:00:00.000000Z',
      recorded_at: '2026-11-20T12:00:00.000000Z',
    });
    const assigned = await ops('unmatched', 'assign', paymentId, reference);
    expect(assigned).toEqual({ payment: { id: paymentId, amount: 8_500.75, assigned_to: reference } });
    expect(await verify()).toMatchObject({ status: 'paid', paid_amount: 8_500.75, sender_name: 'Chidi Eze' });
    const events = (await world.itemsOf('EVT')).filter(({ businessId }) => businessId === shop.id);
    expect(events.map(({ type }) => type)).toEqual(['checkout.paid']);
    const changes = (await world.itemsOf('LOG#')).filter(({ businessId }) => businessId === shop.id);
    expect(changes).toMatchObject([{ who: WHO, what: `assigned payment ${paymentId} to ${reference}` }]);
    expect((await ops('unmatched', 'list')).unmatched).not.toContainEqual(expect.objectContaining({ id: paymentId }));
    // The provider's own news of it comes again: it is known.
    await landMoney(world.deps, 'korapay', {
      kind: 'transfer',
      transferId: 'KPY-LOST-1',
      payee: { by: 'our_reference', reference },
      outcome: 'accepted',
      providerReference: 'KPY-LOST-1',
      amount: 850_075 as Kobo,
      fee: 0 as Kobo,
      paidAt: world.clock.now(),
      senderName: null,
      senderBank: null,
    });
    expect(await verify()).toMatchObject({ paid_amount: 8_500.75, version: 2 });
  });

  test('is assigned to a virtual account', async () => {
    const paymentId = await arrive('KPY-LOST-2', 125_050);
    const api = world.live(await world.addBusiness([], 'live'));
    const customer = { customer_name: 'Adaeze Okafor', bvn: '22212345678', nin: '12345678901' };
    const { accounts } = (await api.createAccounts({ ...customer, provider: 'korapay' })).json;
    await ops('unmatched', 'assign', paymentId, accounts[0].id);
    const { data } = (await api.listPayments(accounts[0].id)).json;
    expect(data).toMatchObject([{ amount: 1_250.5, outcome: 'accepted', provider_reference: 'KPY-LOST-2' }]);
  });

  test.each([
    ['an id of nobody', () => 'pay_01KDVDNX1Q7B3W9E5R2T8Y6U4C', 'korapay', /There is no unmatched payment/],
    ['a checkout at another provider', undefined, 'monnify', /came through korapay/],
  ])('is not assigned: %s', async (_, named, provider, reason) => {
    const paymentId = await arrive(`KPY-LOST-${provider}`, 100_000);
    const { reference, verify } = await openCheckout(provider);
    const asked = { paymentId: named?.() ?? paymentId, to: reference, who: WHO };
    await expect(assignPayment(world.deps, asked)).rejects.toThrow(reason);
    expect(await verify()).toMatchObject({ status: 'pending', paid_amount: 0 });
  });

  test.each([
    ['a reference of nobody', 'PAY-7H2KQ9XW4M1ZB8T5RC3N', /no live checkout or virtual account/],
    ['something else', 'biz_01KDVDNX1Q0Y8J6W6KZ0H3S5TA', /neither a checkout reference/],
  ])('is not assigned to %s', async (name, to, reason) => {
    const paymentId = await arrive(`KPY-LOST-${name}`, 100_000);
    await expect(assignPayment(world.deps, { paymentId, to, who: WHO })).rejects.toThrow(reason);
    expect(await world.deps.unmatched.find('korapay', `KPY-LOST-${name}`)).toBeDefined();
  });
});
