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

/* The widget on a merchant's page of another origin, in a browser. */

const LIMIT_MS = 60_000;
const browserTest = inBrowser(LIMIT_MS);

describe('the widget', () => {
  let stack: Stack;
  let merchant: Merchant;
  let browser: Browser;
  let site: Server;

  /** The merchant's page: it notes what it was told, in order. */
  const SITE = (): string => `<!doctype html><html lang="en"><head><title>Shop</title></head><body>
<button id="pay">Pay</button><div id="place"></div>
<script src="${stack.baseUrl}/widget/v1.js"></script>
<script>
  window.told = [];
  window.start = (options) => {
    window.handle = PayByTransfer.open({
      ...options,
      onLoad: (said) => told.push(['load', said.status]),
      onStatus: (said) => told.push(['status', said.status]),
      onPaid: (said) => told.push(['paid', said.reference]),
      onError: (said) => told.push(['error', said.code]),
      onClose: (said) => told.push(['close', said.status]),
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

  const checkout = async (): Promise<{ checkout_url: string; reference: string }> => {
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
  const told = async (page: BrowserPage): Promise<string[][]> => (await page.evaluate('told')) as string[][];
  const tells = (page: BrowserPage, kind: string): Promise<unknown> =>
    eventually(kind, async () => (await told(page)).some(([one]) => one === kind), LIMIT_MS / 2);
  const framed = async (page: BrowserPage): Promise<BrowserPage> => {
    await tells(page, 'load');
    const found = page.frames().find((frame) => frame.url().includes('/pay/'));
    if (!found) throw new Error('There is no frame.');
    return found;
  };

  browserTest('in a dialog follows a payment to its end, closes once and last, and gives the focus back', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl, reference } = await checkout();
      await page.evaluate(`document.querySelector('#pay').focus()`);
      await start(page, { checkoutUrl });
      const frame = await framed(page);
      await frame.click('button[value=less]');
      await tells(page, 'status');
      await frame.click('button[value=exact]');
      await tells(page, 'paid');
      expect(page.frames()).toHaveLength(2);
      await frame.click('button[data-close]');
      await tells(page, 'close');
      await page.evaluate('handle.close()');
      expect(await told(page)).toEqual([
        ['load', 'pending'],
        ['status', 'underpaid'],
        ['status', 'paid'],
        ['paid', reference],
        ['close', 'paid'],
      ]);
      expect(await page.evaluate('document.activeElement.id')).toBe('pay');
      expect(await page.evaluate(`document.querySelectorAll('dialog, iframe').length`)).toBe(0);
      // It led nowhere.
      expect(page.url()).toMatch(/^http:\/\/localhost:\d+\/$/);
    }),
  );

  browserTest('shows another account to a payer whose bank cannot find the first, and tells of no transfer', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl, reference } = await checkout();
      // The widget keeps to itself what the page says of a transfer: its port is listened to.
      await page.evaluate(`window.ported = [];
        const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
        Object.defineProperty(MessagePort.prototype, 'onmessage', { set(listen) {
          set.call(this, (event) => { ported.push(event.data.type); listen(event); });
        } });`);
      await start(page, { checkoutUrl });
      const frame = await framed(page);
      const first = await frame.textContent('#v-number');
      await frame.click('form.other button');
      await frame.waitForSelector('.earlier');
      expect(await frame.textContent('.earlier')).toContain(first);
      expect(await frame.textContent('#v-number')).not.toBe(first);
      await frame.click('button[value=earlier]');
      await tells(page, 'paid');
      expect(await told(page)).toEqual([
        ['load', 'pending'],
        ['status', 'pending'],
        ['status', 'paid'],
        ['paid', reference],
      ]);
      const ported = (await page.evaluate('ported')) as string[];
      expect(ported).toEqual(expect.arrayContaining(['loaded', 'status']));
      expect(ported).not.toContain('transfer_reported');
    }),
  );

  browserTest('closes by Escape, inside of the frame as well, with what it knew', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl } = await checkout();
      await start(page, { checkoutUrl });
      const frame = await framed(page);
      await frame.click('h1');
      await page.keyboard.press('Escape');
      await tells(page, 'close');
      expect((await told(page)).at(-1)).toEqual(['close', 'pending']);
      await page.evaluate('told.length = 0');
      await start(page, { checkoutUrl });
      await framed(page);
      await page.click('dialog > button');
      await tells(page, 'close');
    }),
  );

  browserTest('closes last, whatever the merchant’s own callbacks throw, and needs no dialog', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl } = await checkout();
      await page.evaluate(`window.closings = 0; PayByTransfer.open({
        checkoutUrl: 'https://evil.example/',
        onError: () => { throw new Error('The shop fails.'); },
        onClose: () => { window.closings += 1; },
      })`);
      expect(await page.evaluate('closings')).toBe(1);
      await page.evaluate(`delete HTMLDialogElement.prototype.showModal`);
      // A widget that is loaded on an old phone leads to the page itself.
      await page.evaluate(`const old = document.createElement('script'); old.src = '${stack.baseUrl}/widget/v1.js';
        old.onload = () => PayByTransfer.open({ checkoutUrl: '${checkoutUrl}' }); document.body.append(old)`);
      await eventually('the page itself', () => page.url() === checkoutUrl);
    }),
  );

  browserTest('is used with the keyboard alone, from its button to the payment', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl } = await checkout();
      await page.evaluate(`document.querySelector('#pay').focus()`);
      await start(page, { checkoutUrl });
      const frame = await framed(page);
      const focused = async (): Promise<unknown> => frame.evaluate(`document.activeElement.textContent`);
      for (let i = 0; i < 8 && (await focused()) !== 'Pay the amount'; i++) await page.keyboard.press('Tab');
      expect(await focused()).toBe('Pay the amount');
      await page.keyboard.press('Enter');
      await tells(page, 'paid');
      await page.keyboard.press('Escape');
      await tells(page, 'close');
      expect(await page.evaluate('document.activeElement.id')).toBe('pay');
    }),
  );

  browserTest('shows the page in an element, as high as it is', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl } = await checkout();
      await start(page, { checkoutUrl, container: '#place' });
      const frame = await framed(page);
      const height = (await frame.evaluate('document.documentElement.offsetHeight')) as number;
      await eventually('its height', async () => {
        const shown = await page.evaluate(`document.querySelector('#place iframe').offsetHeight`);
        return Math.abs((shown as number) - height) < 2;
      });
      await page.evaluate('handle.close()');
      expect((await told(page)).at(-1)).toEqual(['close', 'pending']);
    }),
  );

  browserTest('may copy to the clipboard from its frame', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl } = await checkout();
      await start(page, { checkoutUrl });
      const frame = await framed(page);
      await frame.click('button[data-of=v-amount]');
      await eventually(
        'the answer',
        async () => (await frame.textContent('#said'))?.includes('Copied 8500.75') ?? false,
      );
    }),
  );

  browserTest('opened twice for the same wish, as by React’s strict mode, starts one checkout', () =>
    onSite(async (page) => {
      const key = merchant.publicTest.key;
      const wish = {
        key,
        businessId: merchant.id,
        amount: 3_200,
        payerEmail: 'ngozi.eze@example.com',
        merchantReference: 'ORDER-TWICE',
      };
      await start(page, wish);
      await page.evaluate('handle.close()');
      await start(page, wish);
      await framed(page);
      const { json } = await merchant.api('GET', '/checkouts?merchant_reference=ORDER-TWICE');
      expect(json.data).toHaveLength(1);
      expect((await told(page)).map(([kind]) => kind)).toEqual(['close', 'load']);
    }),
  );

  browserTest('says what the API says of a wish that it refuses, and closes', () =>
    onSite(async (page) => {
      await start(page, { key: merchant.publicTest.key, businessId: merchant.id, amount: -1 });
      await tells(page, 'close');
      expect(await told(page)).toEqual([
        ['error', 'validation_failed'],
        ['close', null],
      ]);
    }),
  );

  browserTest('shows pages of its own service alone, also when an element that a stranger wrote asks for another', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl } = await checkout();
      const others = ['https://evil.example/pay/PAY-1', `${stack.baseUrl}/docs`, 'javascript:alert(1)'];
      for (const other of others) await start(page, { checkoutUrl: other });
      expect(await told(page)).toEqual(
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
      await eventually('its frame', () => page.frames().some((frame) => frame.url() === `${checkoutUrl}?embed=1`));
    }),
  );

  browserTest('shows the logo of the business in its frame', () =>
    onSite(async (page) => {
      const folder = mkdtempSync(join(tmpdir(), 'payments-logo-'));
      const file = join(folder, 'logo.png');
      writeFileSync(file, png(240, 80));
      await stack.ops('business', 'set', merchant.id, '--logo', file);
      rmSync(folder, { recursive: true });
      const { checkout_url: checkoutUrl } = await checkout();
      await start(page, { checkoutUrl });
      const frame = await framed(page);
      const width = () => frame.evaluate(`document.querySelector('header img')?.naturalWidth`);
      await eventually('the logo is there', async () => (await width()) === 240);
    }),
  );

  browserTest('is refused on a site that is none of the business’s, and offers a link', () =>
    onSite(async (page) => {
      const { checkout_url: checkoutUrl } = await checkout();
      await start(page, { checkoutUrl });
      await tells(page, 'error');
      expect(await told(page)).toEqual([['error', 'load_timeout']]);
      expect(await page.textContent('dialog a')).toBe('Open the payment page');
    }, 'shop.localhost'),
  );
});
