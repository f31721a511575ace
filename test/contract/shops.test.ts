import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { LANGUAGES, testIn } from '#test/support/worlds/guide-programs.ts';
import { eventually } from '#test/support/worlds/merchant.ts';
import { readOrderNumber, withShop } from '#test/support/worlds/shop-scene.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/* The guide's shop programs take money on a running service. */

const run = promisify(execFile);
const LIMIT_MS = 120_000;

let stack: Stack;
describe('the guide’s shop on a running service', () => {
  beforeAll(async () => {
    stack = await startStack({ env: { ROUTING_ORDER: JSON.stringify(['paystack', 'monnify']) } });
  }, LIMIT_MS);
  afterAll(async () => {
    await stack?.stop();
  });

  describe.each(LANGUAGES)('the shop in %s', (language) => {
    const shopTest = testIn(language);

    shopTest(
      'shows an account, offers another one after the expiry, and ships once however often money is reported',
      () =>
        withShop(stack, language, async (shopScene) => {
          const { merchant, order, pay, shop } = shopScene;
          expect((await order('GET')).status).toBe(404);
          const { view: firstView } = await order('POST');
          expect(firstView).toMatchObject({ show: 'pay', amount_to_pay: 8_500.75, account_number: expect.any(String) });
          // A second click shows the same account.
          expect((await order('POST')).view.account_number).toBe(firstView.account_number);
          expect(readOrderNumber(shopScene)).toMatch(/^ORDER-[0-9a-f]{8}-417$/);
          const [{ reference: expired }] = await shopScene.checkouts(readOrderNumber(shopScene), 1);
          await merchant.api('POST', `/checkouts/${expired}/expire`);
          expect((await order('GET')).view).toEqual({ show: 'expired, try again' });

          const { view: secondView } = await order('POST');
          expect(secondView.show).toBe('pay');
          expect(secondView.account_number).not.toBe(firstView.account_number);
          const [{ reference }] = await shopScene.checkouts(readOrderNumber(shopScene), 2);
          await pay({ reference, amount: 500.25 });
          expect((await order('GET')).view).toMatchObject({ show: 'pay', amount_to_pay: 8_000.5 });
          await pay({ reference, amount: 8_100.5 });
          await eventually('the webhook ships it', () => shop.printed().includes('ship order 417'));
          expect((await order('GET')).view).toEqual({ show: 'thanks', overpaid: 100 });
          const tooMuch = `pay back 100 naira of ${reference}: more than order 417 costs`;
          expect(shop.printed()).toContain(tooMuch);
          // Money on the expired checkout ships nothing, and the shop notes a refund once.
          await pay({ reference: expired });
          const refund = `refund 8500.75 naira of ${expired}: order 417 was shipped for ${reference}`;
          await eventually('it is to be refunded', () => shop.printed().includes(refund));
          // The newest transfer is taken back after the order was shipped.
          await pay({ reference, outcome: 'reversed' });
          expect((await order('GET')).view).toEqual({ show: 'contact us' });
          await shopScene.delivered(5);
          expect(shop.printed()).toContain(`8000.5 naira of ${reference} were taken back: order 417 was shipped`);
          for (const pattern of [/ship order/g, /refund/g, /pay back/g, /taken back/g]) {
            expect(shop.printed().match(pattern)).toHaveLength(1);
          }
          expect(shop.printed()).not.toContain('look into');
        }),
      LIMIT_MS,
    );

    shopTest(
      'shows the newest account of a checkout, and ships for money on the earlier one',
      () =>
        withShop(stack, language, async (shopScene) => {
          const { merchant, order, pay, shop } = shopScene;
          await stack.ops('business', 'set', merchant.id, '--routing');
          const { account_number: first } = (await order('POST')).view;
          const [{ reference }] = await shopScene.checkouts(readOrderNumber(shopScene), 1);
          const moved = await merchant.api('POST', `/checkouts/${reference}/another-account`);
          const { account_number: second, bank_name } = moved.json.data;
          expect([moved.status, second === first]).toEqual([200, false]);
          // A new POST must not show the first account, although its stored answer has that one.
          for (const method of ['GET', 'POST'] as const) {
            expect((await order(method)).view).toMatchObject({ show: 'pay', account_number: second, bank_name });
          }
          await pay({ reference, account_number: first });
          await eventually('it is shipped', () => shop.printed().includes('ship order 417'));
          expect((await order('GET')).view).toEqual({ show: 'thanks', overpaid: 0 });
          await pay({ reference, account_number: second, amount: 8_500.75 });
          const tooMuch = `pay back 8500.75 naira of ${reference}: more than order 417 costs`;
          await eventually('a person is told', () => shop.printed().includes(tooMuch));
          expect(shop.printed().match(/ship order/g)).toHaveLength(1);
        }),
      LIMIT_MS,
    );

    shopTest(
      'opens one checkout for several clicks at once',
      () =>
        withShop(stack, language, async (shopScene) => {
          const clicks = await Promise.all([1, 2, 3, 4].map(() => shopScene.order('POST')));
          expect(new Set(clicks.map(({ view }) => view.account_number)).size).toBe(1);
          expect(new Set(shopScene.proxy.openings.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
          expect(await shopScene.checkouts(readOrderNumber(shopScene), 1)).toHaveLength(1);
        }),
      LIMIT_MS,
    );

    shopTest(
      'tells a person of money on two checkouts of an order, before and after one of them is paid in full',
      () =>
        withShop(stack, language, async (shopScene) => {
          const { merchant, pay, shop } = shopScene;
          await shopScene.order('POST');
          const [{ reference: first }] = await shopScene.checkouts(readOrderNumber(shopScene), 1);
          await merchant.api('POST', `/checkouts/${first}/expire`);
          await shopScene.order('POST');
          const [{ reference: second }] = await shopScene.checkouts(readOrderNumber(shopScene), 2);
          await pay({ reference: first, amount: 3_000 });
          const late = `look into order 417, which costs 8500.75 naira: ${first} asked for 8500.75, and 3000 came`;
          await eventually('a person is told', () => shop.printed().includes(late));
          await pay({ reference: second });
          await eventually('the second is shipped', () => shop.printed().includes('ship order 417'));
          await pay({ reference: first, amount: 0.5 });
          const refund = `refund 3000.5 naira of ${first}: order 417 was shipped for ${second}`;
          await eventually('the first is to be refunded', () => shop.printed().includes(refund));
          expect(shop.printed().match(/ship order/g)).toHaveLength(1);
        }),
      LIMIT_MS,
    );

    shopTest(
      'redirects the payer to the payment page, stores its reference, and ignores a forged status on the return page',
      () =>
        withShop(stack, language, async ({ merchant, pay, shop: { url } }) => {
          const page = await fetch(`${url}/orders/418/pay`, { method: 'POST', redirect: 'manual' });
          expect(page.status).toBe(303);
          const link = page.headers.get('location') ?? '';
          expect((await fetch(link)).status).toBe(200);
          // The widget gets the same checkout.
          const started = await fetch(`${url}/orders/418/checkout`, { method: 'POST' });
          expect(await started.json()).toEqual({ checkoutUrl: link });
          const reference = /PAY-[0-9A-Z]{20}/.exec(link)?.[0] ?? '';
          const { json } = await merchant.api('GET', `/checkout/verify/${reference}`);
          expect(json.data).toMatchObject({
            description: 'Order 418',
            callback_url: `${url}/orders/418`,
            cancel_url: `${url}/orders/418`,
          });
          // A payer can forge the return URL.
          const fetchReturnPage = async () =>
            (await fetch(`${url}/orders/418?reference=${reference}&trxref=${reference}&status=paid`)).json();
          expect(await fetchReturnPage()).toMatchObject({ show: 'pay' });
          await pay({ reference });
          expect(await fetchReturnPage()).toMatchObject({ show: 'thanks' });
        }),
      LIMIT_MS,
    );

    shopTest(
      'accepts a webhook that the guide’s shell script signs with its secret, and rejects one with another secret',
      () =>
        withShop(stack, language, async ({ secret, shop }) => {
          const script = await readFile('infra/openapi/guide/programs/sign.sh', 'utf8');
          const post = async (key: string): Promise<string> => {
            const env = { ...process.env, WEBHOOK_SECRET: key, PORT: String(shop.port) };
            return (await run('sh', ['-c', script], { env })).stdout.trim();
          };
          expect([await post(secret), await post('whsec_bm90IHRoZSBzZWNyZXQ=')]).toEqual(['204', '400']);
        }),
      LIMIT_MS,
    );
  });
});
