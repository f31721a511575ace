import { createHmac } from 'node:crypto';
import { LANGUAGES, testIn } from '#test/support/worlds/guide-programs.ts';
import { call, eventually } from '#test/support/worlds/merchant.ts';
import { LOSE_THE_ANSWER, readOrderNumber, type ShopScene, withShop } from '#test/support/worlds/shop-scene.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/* The shops of the guide survive lost answers and API errors, and ship only for their own payments. */

const LIMIT_MS = 120_000;
const WRONG = { show: 'Something went wrong on our side. Please try again in a minute.' };

/** Sends a shop an event that is signed with its endpoint's secret. Returns the status of the answer. */
const sendSigned = async ({ shop, secret }: ShopScene, event: object): Promise<number> => {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const mac = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'));
  const signature = `v1,${mac.update(`evt_0.${timestamp}.${body}`).digest('base64')}`;
  const headers = { 'webhook-id': 'evt_0', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return (await fetch(`${shop.url}/webhooks`, { method: 'POST', headers, body })).status;
};

describe('the shops on a running service', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  }, LIMIT_MS);
  afterAll(async () => {
    await stack?.stop();
  });

  describe.each(LANGUAGES)('the shop of the guide in %s', (language) => {
    const shopTest = testIn(language);

    shopTest(
      'gives up an attempt after a permanent error, and succeeds with the next attempt',
      () =>
        withShop(stack, language, async ({ proxy, order, shop }) => {
          proxy.faults.push({ status: 422, code: 'provider_not_enabled' });
          expect(await order('POST')).toEqual({ status: 502, view: WRONG });
          expect(shop.printed()).toContain('provider_not_enabled: Not now.');
          // An order without a checkout has no page either.
          expect((await order('GET')).status).toBe(404);
          expect((await order('POST')).view).toMatchObject({ show: 'pay', amount_to_pay: 8_500.75 });
          expect(proxy.openings).toHaveLength(2);
          expect(proxy.openings[1]?.key).not.toBe(proxy.openings[0]?.key);
        }),
      LIMIT_MS,
    );

    shopTest(
      'begins a new attempt at the next click after the provider failed three times',
      () =>
        withShop(stack, language, async ({ proxy, order }) => {
          for (const _ of [1, 2, 3]) proxy.faults.push({ status: 502, code: 'provider_error', retryAfter: 0 });
          expect((await order('POST')).status).toBe(502);
          expect(new Set(proxy.openings.map(({ key }) => key)).size).toBe(1);
          expect((await order('POST')).view).toMatchObject({ show: 'pay', amount_to_pay: 8_500.75 });
          expect(proxy.openings).toHaveLength(4);
          expect(proxy.openings[3]?.key).not.toBe(proxy.openings[0]?.key);
        }),
      LIMIT_MS,
    );

    shopTest(
      'repeats the same key and body after a lost answer, and has one checkout',
      () =>
        withShop(stack, language, async (scene) => {
          scene.proxy.faults.push(LOSE_THE_ANSWER);
          expect((await scene.order('POST')).view).toMatchObject({ show: 'pay', amount_to_pay: 8_500.75 });
          expect(scene.proxy.openings).toHaveLength(2);
          expect(scene.proxy.openings[1]).toEqual(scene.proxy.openings[0]);
          expect(await scene.checkouts(readOrderNumber(scene), 1)).toHaveLength(1);
        }),
      LIMIT_MS,
    );

    testIn(language, { isLong: true })(
      'waits as long as Retry-After says, gives up after three tries, and keeps key and body for the next click',
      () =>
        withShop(stack, language, async ({ proxy, order }) => {
          const started = Date.now();
          proxy.faults.push({ status: 429, code: 'rate_limited', retryAfter: 2 });
          proxy.faults.push({ status: 409, code: 'idempotency_in_progress', retryAfter: 1 });
          proxy.faults.push({ status: 502 });
          expect(await order('POST')).toEqual({ status: 502, view: WRONG });
          expect(proxy.openings).toHaveLength(3);
          expect(Date.now() - started).toBeGreaterThanOrEqual(3_000);
          // The delay is longer than a payer waits, so the shop does not retry by itself.
          proxy.faults.push({ status: 503, code: 'provider_busy', retryAfter: 60 });
          expect((await order('POST')).status).toBe(502);
          expect(proxy.openings).toHaveLength(4);
          expect((await order('POST')).view).toMatchObject({ show: 'pay' });
          expect(new Set(proxy.openings.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
        }),
      LIMIT_MS,
    );

    shopTest(
      'finds the checkout whose answer was lost, and ignores checkouts of a public key',
      () =>
        withShop(stack, language, async (scene) => {
          const { merchant, proxy, order, shop } = scene;
          // The first try opens the checkout, and the second fails: the shop gives the attempt up.
          proxy.faults.push(LOSE_THE_ANSWER, { status: 422, code: 'validation_failed' });
          expect((await order('POST')).status).toBe(502);
          const [lost] = await scene.checkouts(readOrderNumber(scene), 1);
          // A browser opens another checkout of one naira with the shop's order number, and pays it.
          const body = {
            amount: 1,
            payer_email: 'tunde.bakare@example.com',
            merchant_reference: readOrderNumber(scene),
          };
          const headers = { 'x-business-id': merchant.id };
          const path = '/api/v1/checkout/initialize';
          const opened = await call(stack, 'POST', path, { key: merchant.publicTest.key, body, headers });
          const { reference } = opened.json.data;
          await scene.checkouts(readOrderNumber(scene), 2);
          await scene.pay({ reference });
          await scene.delivered(1);
          expect((await order('GET')).status).toBe(404);
          // The next click finds the first checkout and shows it.
          expect((await order('POST')).view).toMatchObject({ show: 'pay', account_number: lost.account_number });
          expect(shop.printed()).not.toMatch(/ship|look into|refund/);
          await scene.pay({ reference: lost.reference });
          await eventually('the order is shipped', () => shop.printed().includes('ship order 417'));
          expect(await scene.checkouts(readOrderNumber(scene), 2)).toHaveLength(2);
        }),
      LIMIT_MS,
    );

    shopTest(
      'ships for money on a checkout whose answer was lost, but not for an example event',
      () =>
        withShop(stack, language, async (scene) => {
          const { json } = await scene.merchant.api('GET', '/webhook-endpoints');
          await scene.merchant.api('PATCH', `/webhook-endpoints/${json.data[0].id}`, { body: { enabled: false } });
          scene.proxy.faults.push(LOSE_THE_ANSWER, { status: 422, code: 'validation_failed' });
          expect((await scene.order('POST')).status).toBe(502);
          const [{ reference }] = await scene.checkouts(readOrderNumber(scene), 1);
          await scene.pay({ reference });
          const { data } = (await scene.merchant.api('GET', `/checkout/verify/${reference}`)).json;
          const event = { id: 'evt_0', type: 'checkout.paid', data };
          expect(await sendSigned(scene, { ...event, example: true })).toBe(204);
          expect(scene.shop.printed()).not.toContain('ship');
          expect(await sendSigned(scene, event)).toBe(204);
          await eventually('the order is shipped', () => scene.shop.printed().includes('ship order 417'));
        }),
      LIMIT_MS,
    );

    shopTest(
      "ships nothing if a paid checkout has less than the order's price, or another amount",
      () =>
        withShop(stack, language, async ({ proxy, order, shop }) => {
          proxy.verifyAs((data) => ({
            ...data,
            status: 'paid',
            paid: true,
            paid_amount: 8_500,
            difference: -0.75,
          }));
          for (const _ of [1, 2]) expect((await order('POST')).view).toEqual({ show: 'contact us' });
          proxy.verifyAs((data) => ({
            ...data,
            status: 'paid',
            paid: true,
            amount: 1,
            paid_amount: 1,
            difference: 0,
          }));
          for (const _ of [1, 2]) expect((await order('POST')).view).toEqual({ show: 'contact us' });
          const lines = shop.printed().match(/look into order 417, which costs 8500.75 naira: PAY-.*/g) ?? [];
          expect(lines.map((line) => line.replace(/.*PAY-\w+ /, ''))).toEqual([
            'asked for 8500.75, and 8500 came',
            'asked for 1, and 1 came',
          ]);
          expect(shop.printed()).not.toContain('ship');
        }),
      LIMIT_MS,
    );
  });
});
