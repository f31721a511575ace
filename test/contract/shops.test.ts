import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { LANGUAGES, testIn } from '#test/support/worlds/guide-programs.ts';
import { eventually } from '#test/support/worlds/merchant.ts';
import { numberOf, withShop } from '#test/support/worlds/shop-scene.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/* The shops of the guide take money on a running service. */

const run = promisify(execFile);
const LIMIT_MS = 120_000;

let stack: Stack;
describe('on a running service', () => {
  beforeAll(async () => {
    stack = await startStack({ env: { ROUTING_ORDER: JSON.stringify(['paystack', 'monnify']) } });
  }, LIMIT_MS);
  afterAll(async () => {
    await stack?.stop();
  });

  describe.each(LANGUAGES)('the shop of the guide in %s', (language) => {
    const scene = testIn(language);

    scene(
      'shows an account, offers another after the expiry, and ships once however often it is told of money',
      () =>
        withShop(stack, language, async (it) => {
          const { merchant, order, pay, shop } = it;
          expect((await order('GET')).status).toBe(404);
          const { view: first } = await order('POST');
          expect(first).toMatchObject({ show: 'pay', amount_to_pay: 8_500.75, account_number: expect.any(String) });
          // The button pressed again shows the same account.
          expect((await order('POST')).view.account_number).toBe(first.account_number);
          expect(numberOf(it)).toMatch(/^ORDER-[0-9a-f]{8}-417$/);
          const [{ reference: expired }] = await it.checkouts(numberOf(it), 1);
          await merchant.api('POST', `/checkouts/${expired}/expire`);
          expect((await order('GET')).view).toEqual({ show: 'expired, try again' });

          const { view: second } = await order('POST');
          expect(second.show).toBe('pay');
          expect(second.account_number).not.toBe(first.account_number);
          const [{ reference }] = await it.checkouts(numberOf(it), 2);
          await pay({ reference, amount: 500.25 });
          expect((await order('GET')).view).toMatchObject({ show: 'pay', amount_to_pay: 8_000.5 });
          await pay({ reference, amount: 8_100.5 });
          await eventually('the webhook ships it', () => shop.printed().includes('ship order 417'));
          expect((await order('GET')).view).toEqual({ show: 'thanks', overpaid: 100 });
          const tooMuch = `pay back 100 naira of ${reference}: more than order 417 costs`;
          expect(shop.printed()).toContain(tooMuch);
          // Somebody had paid the first account too: nothing is shipped for it, and a person is told once.
          await pay({ reference: expired });
          const refund = `refund 8500.75 naira of ${expired}: order 417 was shipped for ${reference}`;
          await eventually('it is to be refunded', () => shop.printed().includes(refund));
          // The payer's bank takes the newest transfer back after the order was shipped.
          await pay({ reference, outcome: 'reversed' });
          expect((await order('GET')).view).toEqual({ show: 'contact us' });
          await it.delivered(5);
          expect(shop.printed()).toContain(`8000.5 naira of ${reference} were taken back: order 417 was shipped`);
          for (const once of [/ship order/g, /refund/g, /pay back/g, /taken back/g]) {
            expect(shop.printed().match(once)).toHaveLength(1);
          }
          expect(shop.printed()).not.toContain('look into');
        }),
      LIMIT_MS,
    );

    scene(
      'shows the newest account of a checkout, and ships for money on the one before',
      () =>
        withShop(stack, language, async (it) => {
          const { merchant, order, pay, shop } = it;
          await stack.ops('business', 'set', merchant.id, '--routing');
          const { account_number: first } = (await order('POST')).view;
          const [{ reference }] = await it.checkouts(numberOf(it), 1);
          const moved = await merchant.api('POST', `/checkouts/${reference}/another-account`);
          const { account_number: second, bank_name } = moved.json.data;
          expect([moved.status, second === first]).toEqual([200, false]);
          // The page that asks again, and the button pressed again, whose key was answered with the first account.
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

    scene(
      'opens one checkout for several clicks at once',
      () =>
        withShop(stack, language, async (it) => {
          const clicks = await Promise.all([1, 2, 3, 4].map(() => it.order('POST')));
          expect(new Set(clicks.map(({ view }) => view.account_number)).size).toBe(1);
          expect(new Set(it.net.openings.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
          expect(await it.checkouts(numberOf(it), 1)).toHaveLength(1);
        }),
      LIMIT_MS,
    );

    scene(
      'tells a person of money on two checkouts of an order, before one of them is paid in full and after',
      () =>
        withShop(stack, language, async (it) => {
          const { merchant, pay, shop } = it;
          await it.order('POST');
          const [{ reference: first }] = await it.checkouts(numberOf(it), 1);
          await merchant.api('POST', `/checkouts/${first}/expire`);
          await it.order('POST');
          const [{ reference: second }] = await it.checkouts(numberOf(it), 2);
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

    scene(
      'leads the payer to the payment page, keeps its reference, and tells the truth on the way back',
      () =>
        withShop(stack, language, async ({ merchant, pay, shop: { url } }) => {
          const page = await fetch(`${url}/orders/418/pay`, { method: 'POST', redirect: 'manual' });
          expect(page.status).toBe(303);
          const link = page.headers.get('location') ?? '';
          expect((await fetch(link)).status).toBe(200);
          // For the widget, the same checkout.
          const started = await fetch(`${url}/orders/418/checkout`, { method: 'POST' });
          expect(await started.json()).toEqual({ checkoutUrl: link });
          const reference = /PAY-[0-9A-Z]{20}/.exec(link)?.[0] ?? '';
          const { json } = await merchant.api('GET', `/checkout/verify/${reference}`);
          expect(json.data).toMatchObject({
            description: 'Order 418',
            callback_url: `${url}/orders/418`,
            cancel_url: `${url}/orders/418`,
          });
          // Anybody may write the address that a payer comes back to.
          const back = async () =>
            (await fetch(`${url}/orders/418?reference=${reference}&trxref=${reference}&status=paid`)).json();
          expect(await back()).toMatchObject({ show: 'pay' });
          await pay({ reference });
          expect(await back()).toMatchObject({ show: 'thanks' });
        }),
      LIMIT_MS,
    );

    scene(
      'takes a webhook that the recipe signs in the shell, and no other',
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
