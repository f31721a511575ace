import {
  type Browser,
  type BrowserPage,
  inBrowser,
  isBrowserRun,
  openBrowser,
  type View,
  watchPage,
} from '#test/support/worlds/browser.ts';
import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/*
 * The page at /docs in a browser: for eyes and for screen readers, wide and narrow, light and dark, with the keyboard alone, without
 * JavaScript, on a slow phone, and as a place to send requests from.
 */

const LIMIT_MS = 120_000;
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** A phone with a slow connection: 1.6 Mbit/s with 150 ms, and a quarter of this machine's speed. */
const SLOW = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000, offline: false };
const SLOWER_BY = 4;
const READABLE_WITHIN_MS = 2_000;

/** What is wider than its box, and cut off there: neither scrolls, nor is it for screen readers alone. */
const CUT_OFF = `[...document.querySelectorAll('main, main *')].filter((one) => {
  const { overflowX, display } = getComputedStyle(one);
  const isCutOff = one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1;
  return isCutOff && display !== 'inline' && !['auto', 'scroll'].includes(overflowX);
}).map(({ outerHTML }) => outerHTML.slice(0, 200))`;

const browserTest = inBrowser(LIMIT_MS);

describe('the page in a browser', () => {
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
    // A script that fails, whatever the page's policy refuses, and requests to other hosts.
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
  /** Waits until an expression holds in the page, whose policy lets nothing wait there. */
  const holds = (page: BrowserPage, code: string): Promise<unknown> =>
    eventually(code, async () => (await page.evaluate(code)) === true, LIMIT_MS / 4);
  const results = async (page: BrowserPage): Promise<unknown> =>
    page.evaluate(`[...document.querySelectorAll('#results li')].map((one) => one.innerText.replace('\\n', ' | '))`);

  for (const viewport of [WIDE, PHONE]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      browserTest(`has nothing that axe finds, and nothing beyond its edge: ${viewport.width} px, ${colorScheme}`, () =>
        withPage({ viewport, colorScheme }, async (page) => {
          await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true;`);
          await page.fill('#search', 'amount');
          await page.waitForSelector('#results li');
          await page.evaluate(axe);
          const found = await page.evaluate(
            `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
          );
          expect(found).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
          expect(await page.evaluate(CUT_OFF)).toEqual([]);
        }),
      );
    }
    browserTest(`goes where the last link of each group of the menu leads: ${viewport.width} px`, () =>
      withPage({ viewport }, async (page) => {
        const lasts = `[...document.querySelectorAll('nav > ul > li')].map((one) => [...one.querySelectorAll('a')].at(-1).getAttribute('href'))`;
        const links = (await page.evaluate(lasts)) as string[];
        expect(links.length).toBeGreaterThan(5);
        for (const link of links) {
          if (viewport === PHONE) await page.click('label.menu');
          await page.click(`nav a[href="${link}"]`);
          await holds(page, `location.hash === '${link}'`);
          const top = `document.querySelector(':target').getBoundingClientRect().top`;
          await holds(page, `${top} >= 0 && ${top} < innerHeight`);
        }
      }),
    );
  }

  browserTest('has menu, text and samples side by side where there is room', () =>
    withPage(
      { viewport: WIDE },
      async (page) => {
        const boxes = `['nav > ul', '#initializeCheckout .text', '#initializeCheckout .side'].map((one) => {
        const { left, right, top } = document.querySelector(one).getBoundingClientRect();
        return { left, right, top };
      })`;
        await holds(page, `document.querySelector(':target') !== null`);
        const [menu, text, samples] = (await page.evaluate(boxes)) as { left: number; right: number; top: number }[];
        expect(menu?.right).toBeLessThanOrEqual(text?.left ?? 0);
        expect(text?.right).toBeLessThanOrEqual(samples?.left ?? 0);
        expect(samples?.right).toBeLessThanOrEqual(WIDE.width);
        expect(samples?.top).toBe(text?.top);
      },
      '#initializeCheckout',
    ),
  );

  browserTest('finds a field with the keyboard alone, and goes there', () =>
    withPage({ viewport: WIDE }, async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('expires_in');
      await page.waitForSelector('#results li');
      expect(await results(page)).toContain('expires_in | Initialize a checkout · Body');
      await page.keyboard.press('Enter');
      await holds(page, `location.hash === '#initializeCheckout.body.expires_in'`);
      const top = `document.querySelector(':target').getBoundingClientRect().top`;
      await holds(page, `${top} > 50 && ${top} < innerHeight / 2`);
      await page.fill('#search', 'rate limit');
      expect(await results(page)).toEqual(expect.arrayContaining(['Rate limits | Guide', 'rate_limited | Error 429']));
      // The skip link is the first stop.
      await page.goto(`${stack.baseUrl}/docs`);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    }),
  );

  browserTest('sends requests with a test key, and refuses a live one', () =>
    withPage({ viewport: PHONE }, async (page) => {
      const form = (operation: string): string => `#${operation} .try`;
      const answered = (operation: string, text: string) =>
        holds(page, `document.querySelector('${form(operation)} output').textContent.includes('${text}')`);
      await page.click(`${form('initializeCheckout')} summary`);
      await page.fill(`${form('initializeCheckout')} input[type=password]`, merchant.secretLive.key);
      await page.click(`${form('initializeCheckout')} button[type=submit]`);
      expect(await page.textContent(`${form('initializeCheckout')} .problem`)).toContain('Use a test key');
      await page.fill(`${form('initializeCheckout')} input[type=password]`, merchant.secretTest.key);
      await page.click(`${form('initializeCheckout')} button[type=submit]`);
      await answered('initializeCheckout', '"reference": "PAY-');
      // The forms that follow know what was made.
      for (const [operation, text] of [
        ['simulateCheckoutPayment', '"status": "paid"'],
        ['verifyCheckout', '"paid": true'],
        ['checkHealth', '"status": true'],
      ] as const) {
        await page.click(`${form(operation)} summary`);
        await page.click(`${form(operation)} button[type=submit]`);
        await answered(operation, text);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
      const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
      expect(kept).not.toContain('_test_');
    }),
  );

  browserTest('sends a request with the keyboard alone', () =>
    withPage({ viewport: WIDE }, async (page) => {
      const { reference } = (
        await merchant.api('POST', '/checkout/initialize', { body: { amount: 8_500, payer_email: 'ada@example.com' } })
      ).json.data;
      const form = '#verifyCheckout .try';
      /** Goes on to the next stop that fits, as a reader does. */
      const tabTo = async (selector: string) => {
        for (let stops = 0; stops < 20; stops++) {
          if (await page.evaluate(`document.activeElement.matches('${selector}')`)) return;
          await page.keyboard.press('Tab');
        }
        throw new Error(`Tab does not lead to ${selector}.`);
      };
      await page.focus('#verifyCheckout h3 a');
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
      await holds(page, `document.querySelector('${form} output').textContent.includes('${reference}')`);
    }),
  );

  browserTest('keeps one language for all samples, and the reader’s choice of light or dark', () =>
    withPage({ viewport: WIDE, colorScheme: 'light' }, async (page) => {
      await page.click('label[for=verifyCheckout-python]');
      const chosen = `[...new Set([...document.querySelectorAll('.samples input:checked')].map(({ value }) => value))]`;
      expect(await page.evaluate(chosen)).toEqual(['Python']);
      await page.click('.theme');
      await page.goto(`${stack.baseUrl}/docs`);
      expect(await page.evaluate(chosen)).toEqual(['Python']);
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
      const code = await page.textContent('#initializeCheckout .samples input:checked + label + .code');
      expect(code).toContain(`"${stack.baseUrl}/api/v1/checkout/initialize"`);
    }),
  );

  browserTest('is whole without JavaScript: menu, samples and links', () =>
    withPage({ viewport: PHONE, javaScriptEnabled: false }, async (page) => {
      expect(await page.isVisible('nav a[href="#initializeCheckout"]')).toBe(false);
      await page.click('label.menu');
      await page.click('nav a[href="#initializeCheckout"]');
      expect(page.url()).toMatch(/#initializeCheckout$/);
      await page.click('label.menu');
      for (const title of ['node', 'python', 'curl']) {
        await page.click(`label[for=initializeCheckout-${title}]`);
        expect(await page.isVisible(`#initializeCheckout-${title} + label + .code`)).toBe(true);
      }
      expect(await page.isVisible('#search')).toBe(false);
    }),
  );

  browserTest(`can be read on a slow phone within ${READABLE_WITHIN_MS} ms`, async () => {
    const context = await browser.newContext({ viewport: PHONE });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_BY });
    await page.addInitScript(`new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) window.drawn = startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });`);
    await page.goto(`${stack.baseUrl}/docs`, { waitUntil: 'load' });
    await holds(page, 'window.drawn > 0');
    expect(await page.evaluate('window.drawn')).toBeLessThan(READABLE_WITHIN_MS);
    await context.close();
  });
});
