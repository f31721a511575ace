import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { UnreadableItem } from '#shared/platform/kernel/errors.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { Item } from '#shared/platform/table/table.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { merchant, newCustomer, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { opsOn } from '#test/support/worlds/operations.ts';
import { shownAttempt } from '#test/unit/api/examples.ts';

/* A newer release wrote items, and was rolled back: each test writes one straight into the table, as this release cannot read it. */

openWorldForEachTest();

const PROVIDER = 'korapay';
const put = (item: Item) =>
  inNoRole(() => world.table.client.send(new PutCommand({ TableName: world.table.name, Item: item })));
const ofNewerRelease = async (item: Item | undefined, change: Item): Promise<void> => {
  if (!item) throw new Error('There is no such item.');
  await put({ ...item, ...change });
};
const firstOf = async (sk: string, is: (item: Item) => boolean = () => true) => (await world.itemsOf(sk)).find(is);
/** The counts of unreadable items by family, as the log has them. */
const counted = () => world.loggedLines('item_unreadable').map(({ family }) => family);
const ids = (answer: { status: number; json: { data: readonly { id?: string; reference?: string }[] } }) => {
  expect(answer.status).toBe(200);
  return answer.json.data.map(({ id, reference }) => id ?? reference);
};
const stage = () => ({ ...world.deps, operator: async () => 'bisi' });

describe('an item that this release cannot read is left out of', () => {
  test.each<[string, Item]>([
    ['a provider that it does not know', { attempts: [{ ...shownAttempt(), provider: 'wema' }] }],
    ['a status that it does not know', { status: 'disputed' }],
    ['a field that is missing', { payerEmail: undefined, payer: { email: 'chidi.eze@example.com' } }],
  ])('the lists of checkouts: %s', async (_, change) => {
    const one = await merchant.checkout(PROVIDER, { merchant_reference: 'order-1' });
    const other = await merchant.checkout(PROVIDER, { merchant_reference: 'order-2' });
    await ofNewerRelease(await firstOf('CHK', ({ reference }) => reference === one.reference), change);
    const { listCheckouts } = merchant.api;
    expect(ids(await listCheckouts())).toEqual([other.reference]);
    expect(ids(await listCheckouts(undefined, {}, { payer_email: 'chidi.eze@example.com' }))).toEqual([
      other.reference,
    ]);
    expect(ids(await listCheckouts(undefined, {}, { merchant_reference: 'order-1' }))).toEqual([]);
    expect(counted()).toEqual(['CHK', 'CHK', 'CHK']);
    expect(world.measuredSum('items_unreadable')).toBe(3);
    // It is there: no answer says that it is not.
    expect((await merchant.api.verify(one.reference)).status).toBe(500);
  });

  test('the lists of virtual accounts', async () => {
    const one = await merchant.account(PROVIDER);
    const other = await merchant.account(PROVIDER);
    await ofNewerRelease(await firstOf('VA', ({ id }) => id === one.id), { status: 'frozen' });
    expect(ids(await merchant.api.listAccounts())).toEqual([other.id]);
    const { api } = merchant;
    expect(ids(await api.listAccounts(undefined, {}, { account_number: one.accountNumber }))).toEqual([]);
    expect(counted()).toEqual(['VA', 'VA']);
    expect((await api.getAccount(one.id)).status).toBe(500);
  });

  test.each<[string, Item]>([
    ['a provider that it does not know', { provider: 'wema' }],
    ['another form of its sender', { senderName: { given: 'Chidi', family: 'Eze' } }],
  ])('the lists and exports of payments: %s', async (_, change) => {
    const { id } = await merchant.paidAccount(PROVIDER, 100_000);
    await merchant.paidCheckout(PROVIDER);
    const { api } = merchant;
    const all = ids(await api.listAllPayments());
    expect(all).toHaveLength(2);
    const ofAccount = await firstOf('PAY', ({ owner }) => (owner as { id?: string }).id === id);
    await ofNewerRelease(ofAccount, change);
    const rest = all.filter((one) => one !== ofAccount?.id);
    expect(ids(await api.listAllPayments())).toEqual(rest);
    expect(ids(await api.listAllPayments(undefined, {}, { sender: 'Chidi' }))).toEqual(rest);
    const rows = (await api.exportPayments()).text.split('\r\n').slice(1, -1);
    expect(rows.map((row) => row.split(',')[0]?.replaceAll('"', ''))).toEqual(rest);
    expect(ids(await api.listPayments(id))).toEqual([]);
    expect(new Set(counted())).toEqual(new Set(['PAY']));
    expect((await api.getPayment(String(ofAccount?.id))).status).toBe(500);
  });

  test('lists and sums of payments whose outcome it does not know, and no sum that lacks one is kept', async () => {
    await merchant.paidAccount(PROVIDER, 100_000);
    await merchant.paidAccount(PROVIDER, 200_000);
    const one = await firstOf('PAY', ({ amount }) => amount === 100_000);
    const [at, id] = String(one?.gsi3sk).split('#');
    await ofNewerRelease(one, { outcome: 'disputed', gsi3sk: `${at}#${id}#D000000000100000` });
    const { api } = merchant;
    expect(ids(await api.listAllPayments())).toHaveLength(1);
    const day = { from: '2026-11-20', to: '2026-11-20' };
    world.clock.advance(3 * 24 * 60 * MINUTE);
    expect((await api.totals(undefined, {}, day)).json.data).toMatchObject([{ count: 1, amount: 2_000 }]);
    expect(await world.itemsOf('2026-11-20')).toEqual([]);
    await put(one as Item);
    expect((await api.totals(undefined, {}, day)).json.data).toMatchObject([{ count: 2, amount: 3_000 }]);
    expect(await world.itemsOf('2026-11-20')).toHaveLength(1);
  });

  test('sums by day, which are summed again', async () => {
    await merchant.paidAccount(PROVIDER, 100_000);
    const day = { from: '2026-11-20', to: '2026-11-20' };
    world.clock.advance(3 * 24 * 60 * MINUTE);
    await merchant.api.totals(undefined, {}, day);
    await ofNewerRelease(await firstOf('2026-11-20'), { total: { count: 1, kobo: '100000' } });
    expect((await merchant.api.totals(undefined, {}, day)).json.data).toMatchObject([{ count: 1, amount: 1_000 }]);
    expect(counted()).toEqual(['TOT']);
  });

  test('events, their deliveries and their attempts', async () => {
    await merchant.paidAccount(PROVIDER, 100_000);
    await merchant.paidAccount(PROVIDER, 200_000);
    const { api } = merchant;
    const [newest, oldest] = ids(await api.listEvents());
    await ofNewerRelease(await firstOf('EVT', ({ id }) => id === newest), { body: { version: 2 } });
    expect(ids(await api.listEvents())).toEqual([oldest]);
    await ofNewerRelease(await firstOf('DLV#', ({ eventId }) => eventId === oldest), { state: 'handed_over' });
    expect(ids(await api.listEvents(undefined, {}, { delivery_status: 'pending' }))).toEqual([]);
    const shown = await api.getEvent(String(oldest));
    expect(shown).toMatchObject({ status: 200, json: { data: { deliveries: [] } } });
    // It has a delivery, so another one must not be made.
    expect((await api.redeliver(String(oldest))).status).toBe(500);
    expect(new Set(counted())).toEqual(new Set(['EVT', 'EVT DLV']));
  });

  test('the operators’ lists of unmatched money and of stuck notifications', async () => {
    for (const payee of ['customer-1', 'customer-2']) {
      const { accountNumber } = await world.provider(PROVIDER).createAccount(newCustomer(), payee);
      await world.pay(PROVIDER, accountNumber, 100_000);
    }
    const [one] = await world.itemsOf('PAY');
    await ofNewerRelease(one, { provider: 'wema' });
    expect((await opsOn(stage(), 'unmatched', 'list')).unmatched).toHaveLength(1);
    const sent = { event: 'charge.success', data: { reference: 42 } };
    await world.notify('paystack', world.signed('paystack', sent));
    await world.notify('paystack', world.signed('paystack', { ...sent, again: true }));
    const stuck = await firstOf('NTF', ({ stuckSince }) => stuckSince !== null);
    await ofNewerRelease(stuck, { query: { by: 'session', value: '1' } });
    expect((await opsOn(stage(), 'notification', 'list')).notifications).toHaveLength(1);
    expect(counted()).toEqual(['PAY', 'NTF']);
  });

  test('the lists of businesses and of operators’ changes', async () => {
    await opsOn(stage(), 'business', 'create', '--name', 'Bola Books');
    const all = (await opsOn(stage(), 'business', 'list')).businesses.length;
    await ofNewerRelease(await firstOf('BIZ', ({ name }) => name === 'Bola Books'), { suspended: 'partly' });
    const changes = (await opsOn(stage(), 'audit', 'list')).changes.length;
    await ofNewerRelease(await firstOf('LOG#'), { who: { arn: 'x' } });
    expect((await opsOn(stage(), 'business', 'list')).businesses).toHaveLength(all - 1);
    expect((await opsOn(stage(), 'audit', 'list')).changes).toHaveLength(changes - 1);
    expect(new Set(counted())).toEqual(new Set(['BIZ', 'AUDIT LOG']));
  });
});

test('an erasure goes on past what cannot be read, and says how much it left', async () => {
  await merchant.paidCheckout(PROVIDER);
  await merchant.paidCheckout(PROVIDER);
  await ofNewerRelease(await firstOf('EVT'), { body: { version: 2 } });
  await ofNewerRelease(await firstOf('PAY'), { senderName: { given: 'Chidi' } });
  const erased = await opsOn(stage(), 'payer', 'erase', merchant.business.id, 'chidi.eze@example.com');
  expect(erased).toMatchObject({
    done: true,
    left: { unreadable: 2 },
    erased: { checkouts: 2, payments: 1, events: 1 },
  });
});

describe('a sweep goes on past', () => {
  test('work of a provider or a kind that it does not know, which stays due', async () => {
    const { held } = await world.holdNotifications(PROVIDER);
    await merchant.paidAccount(PROVIDER, 100_000);
    await held();
    const dueAt = String(world.clock.now()).padStart(15, '0');
    for (const [i, pk] of [`NTF#wema#${'0'.repeat(64)}`, 'NEW#1'].entries()) {
      for (const shard of [0, 1]) {
        const sk = pk.startsWith('NTF') ? 'NTF' : 'NEW';
        const key = { pk: `${pk}${i}${shard}`, sk };
        await put({ ...key, gsi2pk: `DUE#payments#${shard}`, gsi2sk: `${dueAt}#${key.pk}#${sk}` });
      }
    }
    await world.minutesPass(20);
    expect(await world.recordedAmounts()).toEqual([100_000]);
    expect(counted()).toContain('DUE');
    expect((await world.itemsOf('NTF')).filter(({ pk }) => String(pk).startsWith('NTF#wema'))).toHaveLength(2);
    expect((await world.itemsOf('NEW')).every(({ gsi2sk }) => gsi2sk !== undefined)).toBe(true);
  });

  test.each<[string, string, Item]>([
    ['a checkout', 'CHK', { status: 'disputed' }],
    ['a notification', 'NTF', { query: { by: 'session', value: '1' } }],
  ])('%s, which stays due, and does what else is due', async (_, sk, change) => {
    await world.notify('paystack', world.signed('paystack', { event: 'charge.success', data: { reference: 42 } }));
    await merchant.checkout(PROVIDER);
    const last = await merchant.checkout(PROVIDER, { expires_in_minutes: undefined });
    const one = await firstOf(sk, ({ reference }) => reference !== last.reference);
    await ofNewerRelease(one, change);
    world.clock.advance(last.expiresAt - world.clock.now());
    await world.minutesPass(5);
    expect(await merchant.statusOf(last.reference)).toBe('expired');
    expect(world.loggedTimes('work_failed')).toBeGreaterThan(0);
    expect(await firstOf(sk, ({ pk }) => pk === one?.pk)).toMatchObject(change);
    expect(counted()).toContain(sk);
  });

  test('a payment that reconciliation compares, and asks nothing about it', async () => {
    await merchant.paidAccount(PROVIDER, 100_000);
    await ofNewerRelease(await firstOf('PAY'), { provider: 'wema' });
    const lookUps = world.countLookUps(PROVIDER);
    await world.holdNotifications(PROVIDER);
    await merchant.paidAccount(PROVIDER, 200_000);
    await world.minutesPass(12);
    expect(world.measuredSum('payments_not_notified')).toBe(1);
    expect(lookUps()).toBe(1);
    expect(counted()).toContain('PAY');
  });
});

describe('a read that decides where money goes', () => {
  test('stops at what stands under the payment’s own key, and at a part of a cumulative report', async () => {
    await merchant.paidAccount(PROVIDER, 100_000);
    const item = await firstOf('PAY');
    await ofNewerRelease(item, { provider: 'wema' });
    const origin = item?.origin as Parameters<typeof world.deps.unmatched.find>[1];
    await expect(world.deps.unmatched.find(PROVIDER, origin)).rejects.toThrow(UnreadableItem);
    await expect(world.deps.unmatched.findDue(String(item?.pk))).rejects.toThrow(UnreadableItem);
    await expect(world.deps.reviews.find(String(item?.pk))).rejects.toThrow(UnreadableItem);
    const parts = [item?.origin as Parameters<typeof world.deps.ledger.readPayments>[1][number]];
    await expect(world.deps.ledger.readPayments({ mode: 'live', provider: PROVIDER }, parts)).rejects.toThrow(
      UnreadableItem,
    );
  });

  test('stops at an account that is not settled, and at an owner of unknown mode', async () => {
    const { id } = await merchant.account(PROVIDER);
    const tenant = { businessId: merchant.business.id, mode: 'live' } as const;
    const item = await firstOf('VA', ({ pk }) => pk === `VA#${id}`);
    expect(await world.deps.ledger.readUnsettled(tenant, id)).toBeUndefined();
    await ofNewerRelease(item, { status: 'frozen' });
    await expect(world.deps.ledger.readUnsettled(tenant, id)).rejects.toThrow(UnreadableItem);
    await expect(world.deps.ledger.readVirtualAccount(tenant, id)).rejects.toThrow(UnreadableItem);
    await ofNewerRelease(item, { mode: 'preview' });
    await expect(world.deps.ledger.findTenant({ kind: 'virtual_account', id })).rejects.toThrow(UnreadableItem);
  });
});
