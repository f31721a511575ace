import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import type { PaymentReport } from '#shared/providers/domain/report.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import {
  createDeath,
  makeProvidersWith,
  makeUnreachableSettings,
  untilReached,
} from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { payersPage } from '#test/support/worlds/payers-page.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';
import { makeCumulativeReport } from '#test/support/worlds/reports.ts';

/* Tests the requery of a checkout by its merchant. */

openWorldForEachTest();

/** This provider reports the money of a checkout as one total, which can fall. */
const PROVIDER = 'korapay';

describeAtProviders('a requery at %s', (provider) => {
  test('lands money without a notification, and asks at most once in ten seconds', async () => {
    await world.holdNotifications(provider);
    const { reference, accountNumber } = await merchant.checkout(provider);
    const asked = world.countLookUps(provider);
    expect(await merchant.api.requery(reference)).toMatchObject({
      status: 200,
      json: { data: { status: 'pending', version: 1 } },
    });
    const once = asked();
    expect(once).toBeGreaterThan(0);
    await world.pay(provider, accountNumber, ASKED);
    world.clock.advance(10 * SECOND - 1);
    expect(await merchant.api.requery(reference)).toMatchObject({
      status: 200,
      json: { data: { status: 'pending', version: 1 } },
    });
    expect(asked()).toBe(once);
    world.clock.advance(1);
    expect(await merchant.api.requery(reference)).toMatchObject({
      status: 200,
      json: { data: { status: 'paid', version: 2 } },
    });
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    await world.expectBooksToAgree();
  });

  test('asks once for ten simultaneous requests, and answers all of them', async () => {
    const { reference } = await merchant.checkout(provider);
    const asked = world.countLookUps(provider);
    await merchant.api.requery(reference);
    const once = asked();
    world.clock.advance(10 * SECOND);
    const answers = await Promise.all(Array.from({ length: 10 }, () => merchant.api.requery(reference)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(asked()).toBe(2 * once);
  });

  test('answers 502 and changes nothing while the provider is unreachable, and may be repeated at once', async () => {
    await world.holdNotifications(provider);
    const { reference } = await merchant.paidCheckout(provider);
    const away = merchant.apiWith(makeProvidersWith(world, makeUnreachableSettings(world, [provider])));
    for (let i = 0; i < 2; i++) {
      expect(await away.requery(reference)).toMatchObject({
        status: 502,
        json: { code: 'provider_error', message: `${provider} could not complete the request.` },
      });
    }
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', version: 1 });
    expect((await merchant.api.requery(reference)).json.data.status).toBe('paid');
  });

  test('blocks other requeries for at most ten seconds if its process dies', async () => {
    await world.holdNotifications(provider);
    const { reference } = await merchant.paidCheckout(provider);
    const { die, dead } = createDeath();
    await untilReached(dead, merchant.apiWith({ ledger: { ...world.deps.ledger, record: die } }).requery(reference));
    expect((await merchant.api.requery(reference)).json.data.status).toBe('pending');
    world.clock.advance(10 * SECOND);
    expect((await merchant.api.requery(reference)).json.data.status).toBe('paid');
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
  });
});

/** Makes the provider give these reports, one after the other, and then always the last report. */
const scriptReports = (...reports: PaymentReport[]) =>
  world.scripted(PROVIDER, () => ({
    requery: async () => (reports.length > 1 ? reports.shift() : reports[0]) as PaymentReport,
  }));
const totals = (reference: string, kept: number, returned = 0): PaymentReport => ({
  state: 'open',
  money: [makeCumulativeReport(reference, kept, returned)],
});
const REVERSED = { status: 'pending', paid_amount: 0, version: 3 };

/** Makes a checkout that was paid and reversed. Then its provider reports again that it was paid. Returns the checkout and its API. */
const makeContradicted = async () => {
  const { reference } = await merchant.checkout(PROVIDER);
  const api = merchant.apiWith(
    scriptReports(totals(reference, 850_000), totals(reference, 0, 850_000), totals(reference, 850_000)),
  );
  expect((await api.requery(reference)).json.data.status).toBe('paid');
  world.clock.advance(MINUTE);
  expect((await api.requery(reference)).json.data).toMatchObject(REVERSED);
  world.clock.advance(10 * SECOND);
  return { reference, api };
};

test('a requery whose answer may be older than our records changes nothing and gets a 200, and the answer counts later', async () => {
  const { reference, api } = await makeContradicted();
  expect(await api.requery(reference)).toMatchObject({ status: 200, json: { status: true, data: REVERSED } });
  expect(await world.eventsOf(reference)).toEqual(['checkout.paid', 'checkout.payment_reversed']);
  world.clock.advance(MINUTE);
  expect((await api.requery(reference)).json.data).toMatchObject({ status: 'paid', paid_amount: 8_500 });
});

test('an answer that may be older than a recorded payment does not reduce the payment', async () => {
  const { reference } = await merchant.checkout(PROVIDER);
  const api = merchant.apiWith(scriptReports(totals(reference, 850_000), totals(reference, 0, 850_000)));
  const { data: paid } = (await api.requery(reference)).json;
  expect(paid.status).toBe('paid');
  world.clock.advance(10 * SECOND);
  expect(await api.requery(reference)).toMatchObject({ status: 200, json: { data: paid } });
});

test('after a stale answer the provider is not asked for ten seconds, as after every answer', async () => {
  const { reference, api } = await makeContradicted();
  const asked = world.countLookUps(PROVIDER);
  expect((await api.requery(reference)).status).toBe(200);
  // A requery within these ten seconds gets the stored state.
  expect((await merchant.api.requery(reference)).json.data).toMatchObject(REVERSED);
  expect(asked()).toBe(0);
});

test('a stale answer leaves the checkout unchanged when the payer reports that the money was sent', async () => {
  const { reference } = await makeContradicted();
  const page = payersPage({ deps: { ...world.deps, ...scriptReports(totals(reference, 850_000)) } });
  expect((await page.sent(page.linkOf(reference))).status).toBe(200);
  expect(await merchant.fetch(reference)).toMatchObject(REVERSED);
});

test('a stale answer expires no checkout: the request gets a 502, nothing changes, and later the money counts', async () => {
  const { reference, api } = await makeContradicted();
  for (let i = 0; i < 2; i++) {
    expect(await api.expire(reference, undefined, { 'idempotency-key': 'end-0042' })).toMatchObject({
      status: 502,
      json: { code: 'provider_error', message: `${PROVIDER} could not complete the request.` },
    });
  }
  expect(await merchant.fetch(reference)).toMatchObject(REVERSED);
  world.clock.advance(MINUTE);
  expect(await api.expire(reference)).toMatchObject({ status: 409, json: { code: 'checkout_not_payable' } });
  expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
});

test('a requery of an unknown, foreign or test checkout asks no provider', async () => {
  const stranger = await world.addBusiness([], 'live');
  const { reference } = await merchant.checkout('paystack');
  const asked = world.countLookUps('paystack');
  expect((await merchant.api.requery('PAY-00000000000000000000')).json.code).toBe('checkout_not_found');
  const theirs = createApiClient(world, stranger.keys.secret_live);
  expect(await theirs.requery(reference)).toMatchObject({ status: 404, json: { code: 'checkout_not_found' } });
  const test = createApiClient(world, stranger.keys.secret_test);
  const opened = (await test.initialize({ amount: 100, payer_email: 'a@example.com' })).json.data;
  expect((await test.requery(opened.reference)).json.data).toEqual(opened);
  expect(asked()).toBe(0);
});
