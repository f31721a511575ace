import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { png } from '#test/support/pictures.ts';
import { type Browser, type BrowserPage, inBrowser, isBrowserRun, openBrowser } from '#test/support/worlds/browser.ts';
import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/* Tests the widget in a browser, on a merchant's page of another origin. */

const LIMIT_MS = 60_000;
const browserTest = inBrowser(LIMIT_MS);

describe('the widget', () => {
  let stack: Stack;
  let merchant: Merchant;
  let browser: Browser;
  let site: Server;

  /** The merchant's page. The page records the widget's callbacks in order. */
  const SITE = (): string => `<!doctype html><html lang="en"><head><title>Shop</title></head><body>
<button id="pay">Pay</button><div id="place"></div>
<script src="${stack.baseUrl}/widget/v1.js"></script>
<script>
  window.callbacks = [];
  window.start = (options) => {
    window.handle = PayByTransfer.open({
      ...options,
      onLoad: (state) => callbacks.push(['load', state.status]),
      onStatus: (state) => callbacks.push(['status', state.status]),
      onPaid: (state) => callbacks.push(['paid', state.reference]),
      onError: (error) => callbacks.push(['error', error.code]),
      onClose: (state) => callbacks.push(['close', state.status]),
    });
  };
</script></body></html>`;

  beforeAll(async () => {
    if (!isBrowserRun) return;
    stack = await startStack({ env: { ROUTING_ORDER: JSON.stringify(['paystack', 'monnify']) } });
    merchant = await openBusiness(stack, 'Ada Stores');
    await stack.ops('business', 'set', merchant.id, '--routing');
    ({ browser } = await openBrowser());
    site = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(SITE()));
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
  }, LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    site?.close();
    await stack?.stop();
  });

  const startCheckout = async (): Promise<{ checkout_url: string; reference: string }> => {
    const body = { amount: 8_500.75, payer_email: 'tunde.bakare@example.com', description: 'Order 1042' };
    const { json } = await merchant.api('POST', '/checkout/initialize', { body });
    return json.data;
  };
  const onSite = async (use: (page: BrowserPage) => Promise<void>, host = 'localhost'): Promise<void> => {
    const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
    const page = await context.newPage();
    await page.goto(`http://${host}:${(site.address() as AddressInfo).port}/`);
    await use(page);
    await context.close();
  };
  const start = (page: BrowserPage, options: object): Promise<unknown> =>
    page.evaluate(`start(${JSON.stringify(options)})`);
  const readCallbacks = async (page: BrowserPage): Promise<string[][]> =>
    (await page.evaluate('callbacks')) as string[][];
  const waitFor = (page: BrowserPage, kind: string): Promise<unknown> =>
    eventually(
      `the widget calls back with ${kind}`,
      async () => (await readCallbacks(page)).some(([name]) => name === kind),
      LIMIT_MS / 2,
    );
  const findFrame = async (page: BrowserPage): Promise<BrowserPage> => {
    await waitFor(page, 'load');
    const paymentFrame = page.frames().find((frame) => frame.url().includes('/pay/'));
    if (!paymentFrame) throw new Error('There is no frame.');
    return paymentFrame;
  };

  browserTest(
    'follows a payment in a dialog to its end, reports its closing once and last, and gives the focus back',
    () =>
      onSite(async (page) => {
        const { checkout_url: checkoutUrl, reference } = await startCheckout();
        await page.evaluate(`document.querySelector('#pay').focus()`);
        await start(page, { checkoutUrl });
        const frame = await findFrame(page);
        await frame.click('button[value=less]');
        await waitFor(page, 'status');
        await frame.click('button[value=exact]');
        await waitFor(page, 'paid');
        expect(page.frames()).toHaveLength(2);
        await frame.click('button[data-close]');
        await waitFor(page, 'close');
        await page.evaluate('handle.close()');
        expect(await readCallbacks(page)).toEqual([
          ['load', 'pending'],
          ['status', 'underpaid'],
          ['status', 'paid'],
          ['paid', reference],
          ['close', 'paid'],
        ]);
        expect(await page.evaluate('document.activeElement.id')).toBe('pay');
        expect(await page.evaluate(`document.querySelectorAll('dialog, iframe').length`)).toBe(0);
        // The merchant's page has not changed its URL.
        expect(page.url()).toMatch(/^http:\/\/localhost:\d+\/$/);
      }),
  );

  browserTest('calls onClose last if the merchant closes it within onStatus', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl } = await startCheckout();
      await page.evaluate(`window.handle = PayByTransfer.open({
        checkoutUrl: ${JSON.stringify(checkoutUrl)},
        onLoad: () => callbacks.push(['load']),
        onStatus: ({ status }) => { callbacks.push(['status', status]); handle.close(); },
        onPaid: () => callbacks.push(['paid']),
        onClose: ({ status }) => callbacks.push(['close', status]),
      })`);
      const frame = await findFrame(page);
      await frame.click('button[value=exact]');
      await waitFor(page, 'close');
      expect(await readCallbacks(page)).toEqual([['load'], ['status', 'paid'], ['close', 'paid']]);
    }),
  );

  browserTest('shows another account to a payer whose bank cannot find the first, and reports no transfer', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl, reference } = await startCheckout();
      // The widget has no callback for a reported transfer, so the test listens to the port itself.
      await page.evaluate(`window.messages = [];
        const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
        Object.defineProperty(MessagePort.prototype, 'onmessage', { set(listen) {
          set.call(this, (event) => { messages.push(event.data.type); listen(event); });
        } });`);
      await start(page, { checkoutUrl });
      const frame = await findFrame(page);
      const first = await frame.textContent('#v-number');
      await frame.click('form.other button');
      await frame.waitForSelector('.earlier');
      expect(await frame.textContent('.earlier')).toContain(first);
      expect(await frame.textContent('#v-number')).not.toBe(first);
      await frame.click('button[value=earlier]');
      await waitFor(page, 'paid');
      expect(await readCallbacks(page)).toEqual([
        ['load', 'pending'],
        ['status', 'pending'],
        ['status', 'paid'],
        ['paid', reference],
      ]);
      const messages = (await page.evaluate('messages')) as string[];
      expect(messages).toEqual(expect.arrayContaining(['loaded', 'status']));
      expect(messages).not.toContain('transfer_reported');
    }),
  );

  browserTest('closes by Escape inside the frame and by its button, and reports the last state', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl } = await startCheckout();
      await start(page, { checkoutUrl });
      const frame = await findFrame(page);
      await frame.click('h1');
      await page.keyboard.press('Escape');
      await waitFor(page, 'close');
      expect((await readCallbacks(page)).at(-1)).toEqual(['close', 'pending']);
      await page.evaluate('callbacks.length = 0');
      await start(page, { checkoutUrl });
      await findFrame(page);
      await page.click('dialog > button');
      await waitFor(page, 'close');
    }),
  );

  browserTest(
    'closes even if the merchant’s callbacks throw, and opens the payment page itself in a browser without dialogs',
    () =>
      onSite(async (page) => {
        const { checkout_url: checkoutUrl } = await startCheckout();
        await page.evaluate(`window.closings = 0; PayByTransfer.open({
        checkoutUrl: 'https://evil.example/',
        onError: () => { throw new Error('The shop fails.'); },
        onClose: () => { window.closings += 1; },
      })`);
        expect(await page.evaluate('closings')).toBe(1);
        await page.evaluate(`delete HTMLDialogElement.prototype.showModal`);
        // On an old phone without dialogs the widget goes to the payment page itself.
        await page.evaluate(`const old = document.createElement('script'); old.src = '${stack.baseUrl}/widget/v1.js';
        old.onload = () => PayByTransfer.open({ checkoutUrl: '${checkoutUrl}' }); document.body.append(old)`);
        await eventually('the browser opens the payment page', () => page.url() === checkoutUrl);
      }),
  );

  browserTest('can be used with the keyboard alone, from the shop’s button to the payment', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl } = await startCheckout();
      await page.evaluate(`document.querySelector('#pay').focus()`);
      await start(page, { checkoutUrl });
      const frame = await findFrame(page);
      const focused = async (): Promise<unknown> => frame.evaluate(`document.activeElement.textContent`);
      for (let i = 0; i < 8 && (await focused()) !== 'Pay the amount'; i++) await page.keyboard.press('Tab');
      expect(await focused()).toBe('Pay the amount');
      await page.keyboard.press('Enter');
      await waitFor(page, 'paid');
      await page.keyboard.press('Escape');
      await waitFor(page, 'close');
      expect(await page.evaluate('document.activeElement.id')).toBe('pay');
    }),
  );

  browserTest('shows the payment page in an element, which becomes as high as the page', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl } = await startCheckout();
      await start(page, { checkoutUrl, container: '#place' });
      const frame = await findFrame(page);
      const height = (await frame.evaluate('document.documentElement.offsetHeight')) as number;
      await eventually('the frame is as high as the payment page', async () => {
        const frameHeight = await page.evaluate(`document.querySelector('#place iframe').offsetHeight`);
        return Math.abs((frameHeight as number) - height) < 2;
      });
      await page.evaluate('handle.close()');
      expect((await readCallbacks(page)).at(-1)).toEqual(['close', 'pending']);
    }),
  );

  browserTest('lets the payer copy to the clipboard from its frame', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl } = await startCheckout();
      await start(page, { checkoutUrl });
      const frame = await findFrame(page);
      await frame.click('button[data-of=v-amount]');
      await eventually(
        'the copy is announced',
        async () => (await frame.textContent('#announcement'))?.includes('Copied 8500.75') ?? false,
      );
    }),
  );

  browserTest('starts one checkout if it is opened twice with the same options, as in React’s strict mode', () =>
    onSite(async (page) => {
      const key = merchant.publicTest.key;
      const options = {
        key,
        businessId: merchant.id,
        amount: 3_200,
        payerEmail: 'ngozi.eze@example.com',
        merchantReference: 'ORDER-TWICE',
      };
      await start(page, options);
      await page.evaluate('handle.close()');
      await start(page, options);
      await findFrame(page);
      const { json } = await merchant.api('GET', '/checkouts?merchant_reference=ORDER-TWICE');
      expect(json.data).toHaveLength(1);
      expect((await readCallbacks(page)).map(([kind]) => kind)).toEqual(['close', 'load']);
    }),
  );

  browserTest('reports the API’s error and closes if the API refuses the checkout', () =>
    onSite(async (page) => {
      await start(page, { key: merchant.publicTest.key, businessId: merchant.id, amount: -1 });
      await waitFor(page, 'close');
      expect(await readCallbacks(page)).toEqual([
        ['error', 'validation_failed'],
        ['close', null],
      ]);
    }),
  );

  browserTest('shows only pages of its own service, even if a stranger’s element asks for another page', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl } = await startCheckout();
      const others = ['https://evil.example/pay/PAY-1', `${stack.baseUrl}/docs`, 'javascript:alert(1)'];
      for (const other of others) await start(page, { checkoutUrl: other });
      expect(await readCallbacks(page)).toEqual(
        others.flatMap(() => [
          ['error', 'invalid_checkout_url'],
          ['close', null],
        ]),
      );
      await page.evaluate(
        `document.querySelector('#place').innerHTML = '<a data-pay-checkout="https://evil.example/">Pay</a>'`,
      );
      await page.click('#place a');
      expect(await page.evaluate(`document.querySelectorAll('dialog, iframe').length`)).toBe(0);
      await page.evaluate(`document.querySelector('#place a').dataset.payCheckout = ${JSON.stringify(checkoutUrl)}`);
      await page.click('#place a');
      await eventually('the payment page is in a frame', () =>
        page.frames().some((frame) => frame.url() === `${checkoutUrl}?embed=1`),
      );
    }),
  );

  browserTest('shows the logo of the business in its frame', () =>
    onSite(async (page) => {
      const folder = mkdtempSync(join(tmpdir(), 'payments-logo-'));
      const file = join(folder, 'logo.png');
      writeFileSync(file, png(240, 80));
      await stack.ops('business', 'set', merchant.id, '--logo', file);
      rmSync(folder, { recursive: true });
      const { checkout_url: checkoutUrl } = await startCheckout();
      await start(page, { checkoutUrl });
      const frame = await findFrame(page);
      const width = () => frame.evaluate(`document.querySelector('header img')?.naturalWidth`);
      await eventually('the logo is loaded', async () => (await width()) === 240);
    }),
  );

  browserTest('does not show the payment page on a foreign website, and offers a link instead', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl } = await startCheckout();
      await start(page, { checkoutUrl });
      await waitFor(page, 'error');
      expect(await readCallbacks(page)).toEqual([['error', 'load_timeout']]);
      expect(await page.textContent('dialog a')).toBe('Open the payment page');
    }, 'shop.localhost'),
  );
});
