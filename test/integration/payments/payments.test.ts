import { landMoney } from '#shared/payments/use-cases/land-money.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { readCsv } from '#test/support/read-csv.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import {
  merchant as live,
  world as liveWorld,
  openWorld as openLiveWorld,
} from '#test/support/worlds/live-merchant.ts';
import { makeCumulativeReport } from '#test/support/worlds/reports.ts';
import { api, business, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

openMerchantForEachTest({ urls: [] });

const CUSTOMER = { customer_name: 'Bola Ade', customer_phone: '+2348031234567', customer_email: 'bola@example.com' };

/** Opens and pays a checkout. Returns its reference and its payment's id. */
const pay = async (amount: number, more: Record<string, unknown> = {}, email = 'sade@example.com', fields = {}) => {
  world.clock.advance(SECOND);
  const { reference } = (await api.initialize({ amount, payer_email: email, ...fields })).json.data;
  const { data } = (await api.simulate({ reference, ...more })).json;
  return { reference, id: data.payments[0].id };
};
const transfer = async (amount: number, more: Record<string, unknown> = {}, customer = CUSTOMER) => {
  world.clock.advance(SECOND);
  const [{ id: account }] = (await api.createAccounts({ ...customer, provider: 'paystack' })).json.accounts;
  const { data } = (await api.simulateAccount(account, { amount, ...more })).json;
  return { account, id: data.id };
};
const list = (query: Record<string, string> = {}) => api.listAllPayments(undefined, {}, query);
const idsOf = (answer: { json: { data: { id: string }[] } }): string[] => answer.json.data.map(({ id }) => id);

test('a payment has its owner, mode, currency and time of recording, in the list and by its id', async () => {
  const paid = await pay(2_500, {}, 'sade@example.com', { merchant_reference: 'ORDER-2026-00417' });
  const transferred = await transfer(900.5, { sender_name: 'CHIDI EZE' });
  const listed = await list();
  expect(listed.json.data).toMatchObject([
    {
      id: transferred.id,
      amount: 900.5,
      mode: 'test',
      currency: 'NGN',
      checkout_reference: null,
      merchant_reference: null,
      virtual_account_id: transferred.account,
      recorded_at: '2026-11-20T12:00:02.000000Z',
      sender_name: 'CHIDI EZE',
    },
    {
      id: paid.id,
      amount: 2_500,
      mode: 'test',
      currency: 'NGN',
      checkout_reference: paid.reference,
      merchant_reference: 'ORDER-2026-00417',
      virtual_account_id: null,
      recorded_at: '2026-11-20T12:00:01.000000Z',
    },
  ]);
  expect(listed.json.meta).toEqual({ has_more: false, next_cursor: null });
  expect((await api.getPayment(paid.id)).json).toEqual({ status: true, data: listed.json.data[1] });
  expect((await api.getPayment(transferred.id)).json.data).toEqual(listed.json.data[0]);
  expect((await api.listPayments(transferred.account)).json.data).toEqual([listed.json.data[0]]);
});

longTest('payments are invisible to another business and in the other mode', async () => {
  const { id } = await pay(2_500);
  const other = await world.addBusiness([]);
  const strangers = [other.keys.secret_test, business.keys.secret_live].map((key) => createApiClient(world, key));
  for (const stranger of strangers) {
    expect((await stranger.listAllPayments()).json.data).toEqual([]);
    expect(await stranger.getPayment(id)).toMatchObject({ status: 404, json: { code: 'payment_not_found' } });
  }
  const { next_cursor: cursor } = (await list({ limit: '1' })).json.meta;
  expect(cursor).toBeNull();
});

test.each(['pay_01KDVDNX1Q7B3W9E5R2T8Y6U4C', 'pay_x', 'x'.repeat(100)])('the id %s gets a 404', async (id) => {
  expect(await api.getPayment(id)).toMatchObject({ status: 404, json: { message: 'Payment not found.' } });
});

test('each page continues after the last one, and a cursor is only valid with its filters', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift((await pay(100 + i)).id);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await list({ limit: '2', ...(cursor && { cursor }) });
    seen.push(...idsOf(page));
    cursor = page.json.meta.next_cursor;
  }
  expect(seen).toEqual(ids);
  const { next_cursor } = (await list({ limit: '2' })).json.meta;
  expect(await list({ limit: '2', cursor: next_cursor, outcome: 'accepted' })).toMatchObject({ status: 422 });
});

test('filters select payments by time, amount, sender and e-mail address', async () => {
  const first = await pay(1_000, { sender_name: 'ADAEZE OKAFOR' });
  const second = await pay(2_000.5, { sender_name: 'Chidi Eze' }, 'Tunde@example.com');
  const third = await transfer(3_000, { sender_name: 'chidi obi' });
  const at = (seconds: number) => `2026-11-20T12:00:0${seconds}Z`;
  const select = async (query: Record<string, string>) => idsOf(await list(query));
  expect(await select({ from: at(2) })).toEqual([third.id, second.id]);
  expect(await select({ from: at(1), to: at(3) })).toEqual([second.id, first.id]);
  expect(await select({ from: at(3), to: at(3) })).toEqual([]);
  expect(await select({ min_amount: '2000.5' })).toEqual([third.id, second.id]);
  expect(await select({ max_amount: '2000.49' })).toEqual([first.id]);
  expect(await select({ outcome: 'accepted', min_amount: '1000', max_amount: '2000.50' })).toEqual([
    second.id,
    first.id,
  ]);
  expect(await select({ outcome: 'rejected' })).toEqual([]);
  expect(await select({ sender: 'CHIDI' })).toEqual([third.id, second.id]);
  expect(await select({ payer_email: 'tunde@EXAMPLE.com' })).toEqual([second.id]);
  expect(await select({ payer_email: CUSTOMER.customer_email })).toEqual([third.id]);
  expect(await select({ payer_email: CUSTOMER.customer_email, sender: 'eze' })).toEqual([]);
  const firstOnly = await list({ sender: 'chidi', limit: '1' });
  expect(idsOf(firstOnly)).toEqual([third.id]);
  const { next_cursor: cursor } = firstOnly.json.meta;
  expect(await select({ sender: 'chidi', limit: '1', cursor })).toEqual([second.id]);
});

test('a sender is found regardless of spaces, case, accents and width of letters, in the name and in the search', async () => {
  const name = 'ADÉBÁYỌ̀\u00a0 ỌLÁ';
  const paid = await pay(1_000, { sender_name: name });
  await pay(1_000, { sender_name: 'Chidi Eze' });
  const typed = ['adebayo ola', ' adébáyọ̀  ọlá ', 'Ａｄｅｂａｙｏ　Ｏｌａ', 'bayo\u202fol', name];
  for (const sender of typed) {
    expect([sender, idsOf(await list({ sender }))]).toEqual([sender, [paid.id]]);
    expect(idsOf(await list({ sender, payer_email: 'sade@example.com' }))).toEqual([paid.id]);
    const { rows } = readCsv((await api.exportPayments(undefined, {}, { sender })).text);
    expect(rows.map(({ id, sender_name }) => [id?.text, sender_name?.text])).toEqual([[paid.id, name]]);
  }
  expect(idsOf(await list({ sender: 'adebayoola' }))).toEqual([]);
});

test.each(['\u0301', '\u200b', '\u200b \u0301'])(
  'a sender without comparable characters, such as %j, is refused, because it would match every name',
  async (sender) => {
    await pay(1_000, { sender_name: 'Chidi Eze' });
    const refused = {
      status: 422,
      json: { errors: [{ field: 'sender', message: 'sender must hold at least one visible character.' }] },
    };
    expect(await list({ sender })).toMatchObject(refused);
    expect(await api.exportPayments(undefined, {}, { sender })).toMatchObject(refused);
  },
);

testRows([
  ['few', 3],
  ['too many to merge their lists', 51],
])('a payer’s payments on several checkouts and an account are in order, page by page: %s', async (_, checkouts) => {
  const email = 'guest@example.com';
  const opened: string[] = [];
  for (let i = 0; i < checkouts; i++) {
    opened.push((await api.initialize({ amount: 100 + i, payer_email: email })).json.data.reference);
  }
  await pay(900, {}, 'somebody@example.com');
  const account = await transfer(500, {}, { ...CUSTOMER, customer_email: email });
  const expected = [account.id];
  // They are paid in another order than they were opened.
  for (const reference of [opened[1], opened[0], opened[2]]) {
    world.clock.advance(SECOND);
    const { data } = (await api.simulate({ reference })).json;
    expected.unshift(data.payments[0].id);
    await pay(900, {}, 'somebody@example.com');
  }
  expect(idsOf(await list({ payer_email: email }))).toEqual(expected);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await list({ payer_email: email.toUpperCase(), limit: '1', ...(cursor && { cursor }) });
    seen.push(...idsOf(page));
    cursor = page.json.meta.next_cursor;
  }
  expect(seen).toEqual(expected);
  const { data } = (await list({ payer_email: email })).json;
  const [from, to] = [data[2].recorded_at, data[0].recorded_at];
  expect(idsOf(await list({ payer_email: email, from, to }))).toEqual(expected.slice(1, 3));
  expect(idsOf(await list({ payer_email: email, max_amount: '499' }))).toEqual(expected.slice(0, 3));
});

test('a range that ends before it begins is refused, because an empty result would mislead', async () => {
  const [early, late] = ['2026-11-19T23:00:00Z', '2026-11-20T23:00:00Z'];
  const query = { from: late, to: early, min_amount: '2', max_amount: '1' };
  const errors = [
    { field: 'to', message: 'to must not be below from.' },
    { field: 'max_amount', message: 'max_amount must not be below min_amount.' },
  ];
  const refused = { status: 422, json: { errors } };
  expect(await list(query)).toMatchObject(refused);
  expect(await api.exportPayments(undefined, {}, query)).toMatchObject(refused);
  expect(await api.listCheckouts(undefined, {}, { from: late, to: early })).toMatchObject({ status: 422 });
  expect(await api.listEvents(undefined, {}, { since: late, until: early })).toMatchObject({
    status: 422,
    json: { errors: [{ field: 'until', message: 'until must not be below since.' }] },
  });
  expect((await list({ from: early, to: early, min_amount: '1', max_amount: '1' })).status).toBe(200);
});

test('an export is a CSV file with the same filters, and has a cursor for its next part', async () => {
  const first = await pay(1_000, { sender_name: '＝1+1, "x"' });
  const second = await pay(2_000, { sender_name: 'Chidi Eze' });
  const all = await api.exportPayments();
  expect([all.status, all.headers['content-type'], all.headers['x-next-cursor']]).toEqual([
    200,
    'text/csv; charset=utf-8',
    undefined,
  ]);
  const { header, rows } = readCsv(all.text);
  expect(header.slice(0, 2)).toEqual(['id', 'recorded_at']);
  const text = (shown: string) => ({ text: shown, isQuoted: true });
  expect(rows).toMatchObject([
    { id: text(second.id), sender_name: text('Chidi Eze'), amount: { text: '2000', isQuoted: false } },
    { id: text(first.id), sender_name: text('\'＝1+1, "x"'), amount: { text: '1000', isQuoted: false } },
  ]);
  const filtered = await api.exportPayments(undefined, {}, { sender: 'chidi', min_amount: '2000' });
  expect(readCsv(filtered.text).rows).toEqual([rows[0]]);
  expect(await api.exportPayments(undefined, {}, { min_amount: 'much' })).toMatchObject({
    status: 422,
    json: { errors: [{ field: 'min_amount' }] },
  });
});

test('an export continues in its next call with the cursor of its header, which no other list accepts', async () => {
  const { payments } = world.deps;
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift((await pay(100 + i)).id);
  // The test exports two payments a call, because five thousand would take long.
  const limits: number[] = [];
  const small: typeof payments.list = (tenant, filter, { limit, after }) => {
    limits.push(limit);
    return payments.list(tenant, filter, { limit: 2, after });
  };
  world.deps.payments = { ...payments, list: small };
  const exporting = createApiClient(world, business.keys.secret_test);
  const first = await exporting.exportPayments();
  const cursor = String(first.headers['x-next-cursor']);
  const rest = await exporting.exportPayments(undefined, {}, { cursor });
  expect(rest.headers['x-next-cursor']).toBeUndefined();
  const exported = [first, rest].flatMap(({ text }) => readCsv(text).rows);
  expect(exported.map(({ id }) => id?.text)).toEqual(ids);
  expect(limits).toEqual([5_000, 5_000]);
  expect(await list({ cursor })).toMatchObject({ status: 422 });
});

test('the remainder of a partly returned payment is found at the time of that payment', async () => {
  await openLiveWorld();
  try {
    const { reference } = await live.checkout('monnify');
    const land = async (kept: number, returned: number) => {
      liveWorld.clock.advance(MINUTE);
      const money = makeCumulativeReport(reference, kept, returned);
      expect(await landMoney(liveWorld.deps, 'monnify', money, { askedAt: liveWorld.clock.now() })).toBe('landed');
    };
    await land(850_000, 0);
    await land(600_000, 250_000);
    const { data } = (await live.api.listAllPayments()).json;
    expect(data).toHaveLength(2);
    expect(new Set(data.map(({ recorded_at }: { recorded_at: string }) => recorded_at)).size).toBe(1);
    for (const payment of data) expect((await live.api.getPayment(payment.id)).json.data).toEqual(payment);
  } finally {
    await liveWorld.stop();
  }
});
