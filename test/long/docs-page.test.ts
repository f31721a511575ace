import { makeSite } from '#infra/openapi/page/site.ts';
import {
  type Browser,
  type BrowserPage,
  inBrowser,
  isBrowserRun,
  listLayouts,
  openBrowser,
  type View,
  watchPage,
} from '#test/support/worlds/browser.ts';
import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/*
 * The pages at /docs in a browser: for eyes and screen readers, wide and narrow, light and dark, with the keyboard only, without
 * JavaScript, on a slow phone, and with requests sent from the page.
 */

const LIMIT_MS = 120_000;
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** A phone's slow connection: milliseconds of a round trip, and bytes a second (1.6 Mbit/s). */
const SLOW = { latency: 150, downloadThroughput: 200_000 };
const READABLE_WITHIN_MS = 2_000;

const [LONGEST = ''] = Object.entries(makeSite().pages)
  .filter(([path]) => !/^\/docs\/(api|objects)/.test(path))
  .sort(([, a], [, b]) => b.length - a.length)
  .map(([path]) => path.replace('/docs', ''));
/** The first page, the longest chapter, the errors, a group of endpoints, the objects, and a page that does not exist. */
const KINDS = ['', LONGEST, '/errors', '/api/checkout', '/objects', '/no-such-page'];

/** Finds elements that are wider than their box and cut off: they do not scroll, and are not only for screen readers. */
const CUT_OFF = `[...document.querySelectorAll('main, main *')].filter((one) => {
  const { overflowX, display } = getComputedStyle(one);
  const isCutOff = one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1;
  return isCutOff && display !== 'inline' && !['auto', 'scroll'].includes(overflowX);
}).map(({ outerHTML }) => outerHTML.slice(0, 200))`;

const browserTest = inBrowser(LIMIT_MS);

describe('the documentation pages in a browser', () => {
  let stack: Stack;
  let merchant: Merchant;
  let browser: Browser;
  let axe: string;
  const complaints: string[] = [];
  beforeAll(async () => {
    if (!isBrowserRun) return;
    stack = await startStack();
    merchant = await openBusiness(stack, 'Reader Limited');
    ({ browser, axe } = await openBrowser());
  }, LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });
  afterEach(() => {
    // Complaints are failing scripts, violations of the page's policy, and requests to other hosts.
    expect(complaints.splice(0)).toEqual([]);
  });

  const withPage = async (view: View, use: (page: BrowserPage) => Promise<void>, place = ''): Promise<void> => {
    const context = await browser.newContext(view);
    const page = await context.newPage();
    watchPage(page, (url) => url.startsWith(`${stack.baseUrl}/`), complaints);
    await page.goto(`${stack.baseUrl}/docs${place}`);
    await use(page);
    await context.close();
  };
  /** Waits until an expression is true in the page. The page's policy forbids to wait inside the page. */
  const awaitTrue = (page: BrowserPage, code: string): Promise<unknown> =>
    eventually(
      `the page fulfils ${code}`,
      // While the browser changes pages, an evaluation fails.
      async () => (await page.evaluate(code).catch(() => false)) === true,
      LIMIT_MS / 4,
    );
  const readResults = async (page: BrowserPage): Promise<unknown> =>
    page.evaluate(`[...document.querySelectorAll('#results li')].map((one) => one.innerText.replace('\\n', ' | '))`);

  for (const { viewport, colorScheme } of listLayouts([WIDE, PHONE])) {
    browserTest(`pass axe, and cut nothing off: ${viewport.width} px, ${colorScheme}`, () =>
      withPage({ viewport, colorScheme }, async (page) => {
        for (const place of KINDS) {
          await page.goto(`${stack.baseUrl}/docs${place}`);
          await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true;`);
          await page.fill('#search', 'amount');
          await page.waitForSelector('#results li');
          await page.evaluate(axe);
          const violations = await page.evaluate(
            `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
          );
          expect([place, violations]).toEqual([place, []]);
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
          expect([place, await page.evaluate(CUT_OFF)]).toEqual([place, []]);
        }
        // The browser reports the page that does not exist.
        expect(complaints.splice(0).map(String)).toEqual([expect.stringMatching(/404/)]);
      }),
    );
    browserTest(`open each page and section of the menu: ${viewport.width} px`, () =>
      withPage({ viewport }, async (page) => {
        const lastLinks = `[...document.querySelectorAll('nav > ul > li')].map((one) => [...one.querySelectorAll('a')].at(-1).getAttribute('href'))`;
        const links = (await page.evaluate(lastLinks)) as string[];
        expect(links.length).toBeGreaterThan(5);
        for (const link of links) {
          if (viewport === PHONE) await page.click('label.menu');
          await page.click(`nav a[href="${link}"]`);
          await awaitTrue(page, `location.pathname === '${link}'`);
          await awaitTrue(
            page,
            `document.querySelector('nav [aria-current=page]')?.getAttribute('href') === '${link}'`,
          );
        }
        await page.goto(`${stack.baseUrl}/docs/api/checkout`);
        if (viewport === PHONE) await page.click('label.menu');
        await page.click('nav a[href="#simulateCheckoutPayment"]');
        const top = `document.querySelector(':target').getBoundingClientRect().top`;
        await awaitTrue(page, `${top} >= 0 && ${top} < innerHeight`);
        await awaitTrue(
          page,
          `document.querySelector('nav [aria-current=location]')?.hash === '#simulateCheckoutPayment'`,
        );
      }),
    );
  }

  browserTest('lead to the next page at their end, and redirect anchors of the former single page', () =>
    withPage({ viewport: PHONE }, async (page) => {
      await page.goto(`${stack.baseUrl}/docs/idempotency`);
      await page.click('a[rel=next]');
      await awaitTrue(page, `location.pathname === '/docs/rate-limits'`);
      for (const [former, today] of [
        ['/docs#verifyCheckout', '/docs/api/checkout#verifyCheckout'],
        ['/docs#error-rate_limited', '/docs/errors#error-rate_limited'],
        ['/docs#initializeCheckout.body.amount', '/docs/api/checkout#initializeCheckout.body.amount'],
      ] as const) {
        await page.goto(stack.baseUrl + former);
        await awaitTrue(page, `location.pathname + location.hash === '${today}'`);
      }
    }),
  );

  browserTest('show menu, text and samples side by side if there is room', () =>
    withPage(
      { viewport: WIDE },
      async (page) => {
        const boxes = `['nav > ul', '#initializeCheckout .text', '#initializeCheckout .side'].map((one) => {
        const { left, right, top } = document.querySelector(one).getBoundingClientRect();
        return { left, right, top };
      })`;
        await awaitTrue(page, `document.querySelector(':target') !== null`);
        const [menu, text, samples] = (await page.evaluate(boxes)) as { left: number; right: number; top: number }[];
        expect(menu?.right).toBeLessThanOrEqual(text?.left ?? 0);
        expect(text?.right).toBeLessThanOrEqual(samples?.left ?? 0);
        expect(samples?.right).toBeLessThanOrEqual(WIDE.width);
        expect(samples?.top).toBe(text?.top);
      },
      '/api/checkout#initializeCheckout',
    ),
  );

  browserTest('find a field of another page with the keyboard only, and go there', () =>
    withPage({ viewport: WIDE }, async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('expires_in');
      await page.waitForSelector('#results li');
      expect(await readResults(page)).toContain('expires_in | Initialize a checkout · Body');
      await page.keyboard.press('Enter');
      await awaitTrue(
        page,
        `location.pathname + location.hash === '/docs/api/checkout#initializeCheckout.body.expires_in'`,
      );
      const top = `document.querySelector(':target').getBoundingClientRect().top`;
      await awaitTrue(page, `${top} > 50 && ${top} < innerHeight / 2`);
      await page.fill('#search', 'rate limit');
      await page.waitForSelector('#results li');
      expect(await readResults(page)).toEqual(
        expect.arrayContaining(['Rate limits | Guide', 'rate_limited | Error 429']),
      );
      // A section of the same page.
      await page.fill('#search', 'requery a checkout');
      await page.keyboard.press('Enter');
      await awaitTrue(page, `location.hash === '#requeryCheckout'`);
      // Tab stops at the skip link first.
      await page.goto(`${stack.baseUrl}/docs`);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    }),
  );

  browserTest('find sections by the words that readers search for', () =>
    withPage({ viewport: PHONE }, async (page) => {
      for (const [query, expected] of [
        ['go live', 'Going live | Guide'],
        ['whitelist', 'ip_not_whitelisted | Error 403'],
        ['whitelist', 'IP whitelist: the addresses of your servers | Going live'],
        ['websites', 'Websites: where payers are led back | Going live'],
        ['passkey', 'Signing in, the passkey and its day | Going live'],
        ['settlement', 'Settlement: whose account the money reaches | Going live'],
        ['addresses', 'Addresses that webhooks come from | Webhooks'],
        ['websites', 'Websites, and what payers see | The dashboard'],
        ['first owner', 'Your business and its first owner | Going live'],
        ['live keys', 'Live keys | Going live'],
        ['passkey day', 'Signing in, the passkey and its day | Going live'],
        ["the provider's own steps", 'The provider’s own steps before live mode | Going live'],
        ['source ip', 'Addresses that webhooks come from | Webhooks'],
        ['changelog', 'Changelog | Guide'],
        ['contact', 'Contact | Going live'],
        ['checklist', 'Checklist before going live | Going live'],
        ['timeout', 'Idempotency | Guide'],
        ['lost answer', 'Idempotency | Guide'],
        ['pagination', 'Lists | Guide'],
        ['rotate api key', 'Live keys | Going live'],
        ['overpayment', 'Short, over, late and second transfers | Guide'],
        ['golang', 'Generated clients | Guide'],
        ['laravel', 'Laravel and WooCommerce | Guide'],
        ['postman', 'Postman | Generated clients'],
        ['how do I verify a webhook', 'Verifying webhooks | Guide'],
        ['/checkout/initialize', 'Initialize a checkout | Checkout'],
        ['checkout.paid', 'checkout.paid | Webhooks'],
        ['VirtualAccount', 'VirtualAccount | Objects'],
      ] as const) {
        await page.fill('#search', query);
        await page.waitForSelector('#results li');
        expect([query, await readResults(page)]).toEqual([query, expect.arrayContaining([expected])]);
      }
      await page.fill('#search', 'zwingli');
      await awaitTrue(page, `document.querySelector('#results').textContent === 'Nothing found.'`);
    }),
  );

  browserTest('send requests with a test key, and refuse a live key', () =>
    withPage(
      { viewport: PHONE },
      async (page) => {
        const form = (operation: string): string => `#${operation} .try`;
        const awaitAnswer = (operation: string, text: string) =>
          awaitTrue(page, `document.querySelector('${form(operation)} output').textContent.includes('${text}')`);
        await page.click(`${form('initializeCheckout')} summary`);
        await page.fill(`${form('initializeCheckout')} input[type=password]`, merchant.secretLive.key);
        await page.click(`${form('initializeCheckout')} button[type=submit]`);
        expect(await page.textContent(`${form('initializeCheckout')} .problem`)).toContain('Use a test key');
        await page.fill(`${form('initializeCheckout')} input[type=password]`, merchant.secretTest.key);
        await page.click(`${form('initializeCheckout')} button[type=submit]`);
        await awaitAnswer('initializeCheckout', '"reference": "PAY-');
        // The next forms are filled with the new reference.
        for (const [operation, text] of [
          ['simulateCheckoutPayment', '"status": "paid"'],
          ['verifyCheckout', '"paid": true'],
        ] as const) {
          await page.click(`${form(operation)} summary`);
          await page.click(`${form(operation)} button[type=submit]`);
          await awaitAnswer(operation, text);
        }
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
        const stored = await page.evaluate(
          'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
        );
        expect(stored).not.toContain('_test_');
      },
      '/api/checkout',
    ),
  );

  browserTest('send a request with the keyboard only', () =>
    withPage(
      { viewport: WIDE },
      async (page) => {
        const { reference } = (
          await merchant.api('POST', '/checkout/initialize', {
            body: { amount: 8_500, payer_email: 'ada@example.com' },
          })
        ).json.data;
        const form = '#verifyCheckout .try';
        /** Presses Tab until the focused element matches. */
        const tabTo = async (selector: string) => {
          for (let stops = 0; stops < 20; stops++) {
            if (await page.evaluate(`document.activeElement.matches('${selector}')`)) return;
            await page.keyboard.press('Tab');
          }
          throw new Error(`Tab does not lead to ${selector}.`);
        };
        await page.focus('#verifyCheckout h2 a');
        await tabTo(`${form} summary`);
        const ring = `getComputedStyle(document.activeElement).outlineStyle`;
        expect(await page.evaluate(ring)).not.toBe('none');
        await page.keyboard.press('Enter');
        await page.waitForSelector(`${form} input[type=password]`);
        await tabTo(`${form} input[type=password]`);
        await page.keyboard.type(merchant.secretTest.key);
        await tabTo(`${form} input[type=text]`);
        await page.keyboard.type(reference);
        await tabTo(`${form} button[type=submit]`);
        await page.keyboard.press('Enter');
        await awaitTrue(page, `document.querySelector('${form} output').textContent.includes('${reference}')`);
      },
      '/api/checkout',
    ),
  );

  browserTest('keep one language for all samples, and the reader’s choice of light or dark', () =>
    withPage(
      { viewport: WIDE, colorScheme: 'light' },
      async (page) => {
        await page.click('label[for=verifyCheckout-python]');
        const selected = `[...new Set([...document.querySelectorAll('.samples input:checked')].map(({ value }) => value))]`;
        expect(await page.evaluate(selected)).toEqual(['Python']);
        await page.click('.theme');
        await page.goto(`${stack.baseUrl}/docs/api/payments`);
        expect(await page.evaluate(selected)).toEqual(['Python']);
        expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
        const code = await page.textContent('#listPayments .samples input:checked + label + .code');
        expect(code).toContain(`"${stack.baseUrl}/api/v1/payments`);
        // A link to a program selects its language on all pages.
        await page.goto(`${stack.baseUrl}/docs/a-shop`);
        expect(await page.evaluate(selected)).toEqual(['Python']);
        await page.goto(`${stack.baseUrl}/docs/a-shop#a-shop-the-shop-in-php`);
        await awaitTrue(page, `document.querySelector('#a-shop-the-shop-in-php-choice').checked`);
        await page.goto(`${stack.baseUrl}/docs/a-wallet`);
        expect(await page.evaluate(selected)).toEqual(['PHP']);
      },
      '/api/checkout',
    ),
  );

  browserTest('work without JavaScript: menu, samples, links and addresses', () =>
    withPage({ viewport: PHONE, javaScriptEnabled: false }, async (page) => {
      expect(await page.isVisible('nav a[href="/docs/api/checkout"]')).toBe(false);
      await page.click('label.menu');
      await page.click('nav a[href="/docs/api/checkout"]');
      expect(page.url()).toMatch(/\/docs\/api\/checkout$/);
      await page.click('label.menu');
      await page.click('nav a[href="#initializeCheckout"]');
      expect(page.url()).toMatch(/#initializeCheckout$/);
      await page.click('label.menu');
      for (const title of ['node', 'python', 'curl']) {
        await page.click(`label[for=initializeCheckout-${title}]`);
        const code = `#initializeCheckout-${title} + label + .code`;
        expect(await page.isVisible(code)).toBe(true);
        expect(await page.textContent(code)).toContain(`${stack.baseUrl}/api/v1/checkout/initialize`);
      }
      expect(await page.isVisible('#search')).toBe(false);
    }),
  );

  browserTest(`are drawn within ${READABLE_WITHIN_MS} ms on a slow connection, without waiting for a script`, () =>
    withPage({ viewport: PHONE }, async (page) => {
      for (const place of ['', '/api/checkout']) {
        await page.goto(`${stack.baseUrl}/docs${place}`, { waitUntil: 'load' });
        const blocking = (await page.evaluate(`performance.getEntriesByType('resource')
          .filter(({ renderBlockingStatus }) => renderBlockingStatus === 'blocking')
          .map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))`)) as {
          name: string;
          encodedBodySize: number;
        }[];
        const pageBytes = (await page.evaluate(
          `performance.getEntriesByType('navigation')[0].encodedBodySize`,
        )) as number;
        const bytes = blocking.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, pageBytes);
        expect(bytes).toBeGreaterThan(5_000);
        // Allow round trips for the connection, the document and its style sheets.
        expect(3 * SLOW.latency + (bytes / SLOW.downloadThroughput) * 1_000).toBeLessThan(READABLE_WITHIN_MS);
        expect(blocking.map(({ name }) => name).filter((name) => name.endsWith('.js'))).toEqual([]);
      }
    }),
  );
});
