import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { UnreadableItem } from '#shared/platform/kernel/errors.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { Item } from '#shared/platform/table/table.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { merchant, newCustomer, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { runOpsAsJson } from '#test/support/worlds/operations.ts';
import { shownAttempt } from '#test/unit/api/examples.ts';

/* Plays that a newer release wrote items and was rolled back. Each test writes into the table an item that this release cannot read. */

openWorldForEachTest();

const PROVIDER = 'korapay';
const put = (item: Item) =>
  inNoRole(() => world.table.client.send(new PutCommand({ TableName: world.table.name, Item: item })));
const changeLikeNewerRelease = async (item: Item | undefined, change: Item): Promise<void> => {
  if (!item) throw new Error('There is no such item.');
  await put({ ...item, ...change });
};
const findFirst = async (sk: string, matches: (item: Item) => boolean = () => true) =>
  (await world.itemsOf(sk)).find(matches);
/** Lists the key families of unreadable items in the log. */
const readFamilies = () => world.loggedLines('item_unreadable').map(({ family }) => family);
const readIds = (answer: { status: number; json: { data: readonly { id?: string; reference?: string }[] } }) => {
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
    await changeLikeNewerRelease(await findFirst('CHK', ({ reference }) => reference === one.reference), change);
    const { listCheckouts } = merchant.api;
    expect(readIds(await listCheckouts())).toEqual([other.reference]);
    expect(readIds(await listCheckouts(undefined, {}, { payer_email: 'chidi.eze@example.com' }))).toEqual([
      other.reference,
    ]);
    expect(readIds(await listCheckouts(undefined, {}, { merchant_reference: 'order-1' }))).toEqual([]);
    expect(readFamilies()).toEqual(['CHK', 'CHK', 'CHK']);
    expect(world.measuredSum('items_unreadable')).toBe(3);
    // The checkout exists, so no answer may say that it does not.
    expect((await merchant.api.verify(one.reference)).status).toBe(500);
  });

  test('the lists of virtual accounts', async () => {
    const one = await merchant.account(PROVIDER);
    const other = await merchant.account(PROVIDER);
    await changeLikeNewerRelease(await findFirst('VA', ({ id }) => id === one.id), { status: 'frozen' });
    expect(readIds(await merchant.api.listAccounts())).toEqual([other.id]);
    const { api } = merchant;
    expect(readIds(await api.listAccounts(undefined, {}, { account_number: one.accountNumber }))).toEqual([]);
    expect(readFamilies()).toEqual(['VA', 'VA']);
    expect((await api.getAccount(one.id)).status).toBe(500);
  });

  test.each<[string, Item]>([
    ['a provider that it does not know', { provider: 'wema' }],
    ['another form of its sender', { senderName: { given: 'Chidi', family: 'Eze' } }],
  ])('the lists and exports of payments: %s', async (_, change) => {
    const { id } = await merchant.paidAccount(PROVIDER, 100_000);
    await merchant.paidCheckout(PROVIDER);
    const { api } = merchant;
    const all = readIds(await api.listAllPayments());
    expect(all).toHaveLength(2);
    const ofAccount = await findFirst('PAY', ({ owner }) => (owner as { id?: string }).id === id);
    await changeLikeNewerRelease(ofAccount, change);
    const rest = all.filter((one) => one !== ofAccount?.id);
    expect(readIds(await api.listAllPayments())).toEqual(rest);
    expect(readIds(await api.listAllPayments(undefined, {}, { sender: 'Chidi' }))).toEqual(rest);
    const rows = (await api.exportPayments()).text.split('\r\n').slice(1, -1);
    expect(rows.map((row) => row.split(',')[0]?.replaceAll('"', ''))).toEqual(rest);
    expect(readIds(await api.listPayments(id))).toEqual([]);
    expect(new Set(readFamilies())).toEqual(new Set(['PAY']));
    expect((await api.getPayment(String(ofAccount?.id))).status).toBe(500);
  });

  test('the lists and totals of payments if its outcome is unknown, and incomplete totals are not stored', async () => {
    await merchant.paidAccount(PROVIDER, 100_000);
    await merchant.paidAccount(PROVIDER, 200_000);
    const one = await findFirst('PAY', ({ amount }) => amount === 100_000);
    const [at, id] = String(one?.gsi3sk).split('#');
    await changeLikeNewerRelease(one, { outcome: 'disputed', gsi3sk: `${at}#${id}#D000000000100000` });
    const { api } = merchant;
    expect(readIds(await api.listAllPayments())).toHaveLength(1);
    const day = { from: '2026-11-20', to: '2026-11-20' };
    world.clock.advance(3 * 24 * 60 * MINUTE);
    expect((await api.totals(undefined, {}, day)).json.data).toMatchObject([{ count: 1, amount: 2_000 }]);
    expect(await world.itemsOf('2026-11-20')).toEqual([]);
    await put(one as Item);
    expect((await api.totals(undefined, {}, day)).json.data).toMatchObject([{ count: 2, amount: 3_000 }]);
    expect(await world.itemsOf('2026-11-20')).toHaveLength(1);
  });

  test('daily totals, which are computed again', async () => {
    await merchant.paidAccount(PROVIDER, 100_000);
    const day = { from: '2026-11-20', to: '2026-11-20' };
    world.clock.advance(3 * 24 * 60 * MINUTE);
    await merchant.api.totals(undefined, {}, day);
    await changeLikeNewerRelease(await findFirst('2026-11-20'), { total: { count: 1, kobo: '100000' } });
    expect((await merchant.api.totals(undefined, {}, day)).json.data).toMatchObject([{ count: 1, amount: 1_000 }]);
    expect(readFamilies()).toEqual(['TOT']);
  });

  test('events, their deliveries and their attempts', async () => {
    await merchant.paidAccount(PROVIDER, 100_000);
    await merchant.paidAccount(PROVIDER, 200_000);
    const { api } = merchant;
    const [newest, oldest] = readIds(await api.listEvents());
    await changeLikeNewerRelease(await findFirst('EVT', ({ id }) => id === newest), { body: { version: 2 } });
    expect(readIds(await api.listEvents())).toEqual([oldest]);
    await changeLikeNewerRelease(await findFirst('DLV#', ({ eventId }) => eventId === oldest), {
      state: 'handed_over',
    });
    expect(readIds(await api.listEvents(undefined, {}, { delivery_status: 'pending' }))).toEqual([]);
    const shown = await api.getEvent(String(oldest));
    expect(shown).toMatchObject({ status: 200, json: { data: { deliveries: [] } } });
    // The event has a delivery, so a redelivery must not create another delivery.
    expect((await api.redeliver(String(oldest))).status).toBe(500);
    expect(new Set(readFamilies())).toEqual(new Set(['EVT', 'EVT DLV']));
  });

  test('the operators’ lists of unmatched money and of stuck notifications', async () => {
    for (const payee of ['customer-1', 'customer-2']) {
      const { accountNumber } = await world.provider(PROVIDER).createAccount(newCustomer(), payee);
      await world.pay(PROVIDER, accountNumber, 100_000);
    }
    const [one] = await world.itemsOf('PAY');
    await changeLikeNewerRelease(one, { provider: 'wema' });
    expect((await runOpsAsJson(stage(), 'unmatched', 'list')).unmatched).toHaveLength(1);
    const sent = { event: 'charge.success', data: { reference: 42 } };
    await world.notify('paystack', world.signed('paystack', sent));
    await world.notify('paystack', world.signed('paystack', { ...sent, again: true }));
    const stuck = await findFirst('NTF', ({ stuckSince }) => stuckSince !== null);
    await changeLikeNewerRelease(stuck, { query: { by: 'session', value: '1' } });
    expect((await runOpsAsJson(stage(), 'notification', 'list')).notifications).toHaveLength(1);
    expect(readFamilies()).toEqual(['PAY', 'NTF']);
  });

  test('the lists of businesses and of operators’ changes', async () => {
    await runOpsAsJson(stage(), 'business', 'create', '--name', 'Bola Books');
    const all = (await runOpsAsJson(stage(), 'business', 'list')).businesses.length;
    await changeLikeNewerRelease(await findFirst('BIZ', ({ name }) => name === 'Bola Books'), { suspended: 'partly' });
    const changes = (await runOpsAsJson(stage(), 'audit', 'list')).changes.length;
    await changeLikeNewerRelease(await findFirst('LOG#'), { who: { arn: 'x' } });
    expect((await runOpsAsJson(stage(), 'business', 'list')).businesses).toHaveLength(all - 1);
    expect((await runOpsAsJson(stage(), 'audit', 'list')).changes).toHaveLength(changes - 1);
    expect(new Set(readFamilies())).toEqual(new Set(['BIZ', 'AUDIT LOG']));
  });
});

test('an erasure continues after unreadable items, and says how many it did not change', async () => {
  await merchant.paidCheckout(PROVIDER);
  await merchant.paidCheckout(PROVIDER);
  await changeLikeNewerRelease(await findFirst('EVT'), { body: { version: 2 } });
  await changeLikeNewerRelease(await findFirst('PAY'), { senderName: { given: 'Chidi' } });
  const erased = await runOpsAsJson(stage(), 'payer', 'erase', merchant.business.id, 'chidi.eze@example.com');
  expect(erased).toMatchObject({
    done: true,
    left: { unreadable: 2 },
    erased: { checkouts: 2, payments: 1, events: 1 },
  });
});

describe('a sweep continues after', () => {
  test('work of an unknown provider or kind, which stays due', async () => {
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
    expect(readFamilies()).toContain('DUE');
    expect((await world.itemsOf('NTF')).filter(({ pk }) => String(pk).startsWith('NTF#wema'))).toHaveLength(2);
    expect((await world.itemsOf('NEW')).every(({ gsi2sk }) => gsi2sk !== undefined)).toBe(true);
  });

  test.each<[string, string, Item]>([
    ['a checkout', 'CHK', { status: 'disputed' }],
    ['a notification', 'NTF', { query: { by: 'session', value: '1' } }],
  ])('an unreadable item, which stays due, and does all other work: %s', async (_, sk, change) => {
    await world.notify('paystack', world.signed('paystack', { event: 'charge.success', data: { reference: 42 } }));
    await merchant.checkout(PROVIDER);
    const last = await merchant.checkout(PROVIDER, { expires_in_minutes: undefined });
    const one = await findFirst(sk, ({ reference }) => reference !== last.reference);
    await changeLikeNewerRelease(one, change);
    world.clock.advance(last.expiresAt - world.clock.now());
    await world.minutesPass(5);
    expect(await merchant.statusOf(last.reference)).toBe('expired');
    expect(world.loggedTimes('work_failed')).toBeGreaterThan(0);
    expect(await findFirst(sk, ({ pk }) => pk === one?.pk)).toMatchObject(change);
    expect(readFamilies()).toContain(sk);
  });

  test('an unreadable payment that reconciliation compares, and does not look the payment up', async () => {
    await merchant.paidAccount(PROVIDER, 100_000);
    await changeLikeNewerRelease(await findFirst('PAY'), { provider: 'wema' });
    const lookUps = world.countLookUps(PROVIDER);
    await world.holdNotifications(PROVIDER);
    await merchant.paidAccount(PROVIDER, 200_000);
    await world.minutesPass(12);
    expect(world.measuredSum('payments_not_notified')).toBe(1);
    expect(lookUps()).toBe(1);
    expect(readFamilies()).toContain('PAY');
  });
});

describe('a read that decides where money goes', () => {
  test('stops at an unreadable item under the payment’s own key, and at an unreadable part of a cumulative report', async () => {
    await merchant.paidAccount(PROVIDER, 100_000);
    const item = await findFirst('PAY');
    await changeLikeNewerRelease(item, { provider: 'wema' });
    const origin = item?.origin as Parameters<typeof world.deps.unmatched.find>[1];
    await expect(world.deps.unmatched.find(PROVIDER, origin)).rejects.toThrow(UnreadableItem);
    await expect(world.deps.unmatched.findDue(String(item?.pk))).rejects.toThrow(UnreadableItem);
    await expect(world.deps.reviews.find(String(item?.pk))).rejects.toThrow(UnreadableItem);
    const parts = [item?.origin as Parameters<typeof world.deps.ledger.readPayments>[1][number]];
    await expect(world.deps.ledger.readPayments({ mode: 'live', provider: PROVIDER }, parts)).rejects.toThrow(
      UnreadableItem,
    );
  });

  test('stops at an unreadable account that is not settled, and at an owner of unknown mode', async () => {
    const { id } = await merchant.account(PROVIDER);
    const tenant = { businessId: merchant.business.id, mode: 'live' } as const;
    const item = await findFirst('VA', ({ pk }) => pk === `VA#${id}`);
    expect(await world.deps.ledger.readUnsettled(tenant, id)).toBeUndefined();
    await changeLikeNewerRelease(item, { status: 'frozen' });
    await expect(world.deps.ledger.readUnsettled(tenant, id)).rejects.toThrow(UnreadableItem);
    await expect(world.deps.ledger.readVirtualAccount(tenant, id)).rejects.toThrow(UnreadableItem);
    await changeLikeNewerRelease(item, { mode: 'preview' });
    await expect(world.deps.ledger.findTenant({ kind: 'virtual_account', id })).rejects.toThrow(UnreadableItem);
  });
});
