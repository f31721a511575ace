import { checkoutAssets } from '#infra/pages/checkout-assets.ts';
import { defaultProfile } from '#shared/businesses/domain/profile.ts';
import { checkoutPage } from '#shared/pages/checkout/document.ts';
import {
  type Browser,
  type BrowserPage,
  type Context,
  inBrowser,
  isBrowserRun,
  listLayouts,
  openBrowser,
  watchPage,
} from '#test/support/worlds/browser.ts';
import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { expectGoodLayouts } from '#test/support/worlds/page-layout.ts';
import { showCheckout } from '#test/support/worlds/payer-views.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';
import { pendingCheckout } from '#test/unit/api/examples.ts';

/* Tests in a browser a payer on a phone whose bank cannot find the account. The stage's third provider never answers. */

const LIMIT_MS = 120_000;
const PHONE = { width: 360, height: 640 };
const LAYOUTS = listLayouts([PHONE, { width: 320, height: 640 }, { width: 1440, height: 900 }]);
const ROUTING = {
  ROUTING_ORDER: JSON.stringify(['paystack', 'monnify', 'korapay']),
  SANDBOX: JSON.stringify({ korapay: 'silent' }),
};
const OTHER = 'form.other button';
const NO_OTHER =
  'We have no other account for this payment. If your bank can’t find this account, contact Ada Stores with reference';

const browserTest = inBrowser(LIMIT_MS);

describe('a payer whose bank cannot find the account', () => {
  let stack: Stack;
  let merchant: Merchant;
  let browser: Browser;
  let axe: string;
  const complaints: string[] = [];
  beforeAll(async () => {
    if (!isBrowserRun) return;
    stack = await startStack({ env: ROUTING });
    merchant = await openBusiness(stack, 'Ada Stores');
    await stack.ops('business', 'set', merchant.id, '--routing');
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

  interface StartedCheckout {
    readonly checkout_url: string;
    readonly reference: string;
    readonly account_number: string;
  }
  const start = async (more: object = {}): Promise<StartedCheckout> => {
    const body = { amount: 8_500.75, payer_email: 'tunde.bakare@example.com', description: 'Order 1042', ...more };
    const { status, json } = await merchant.api('POST', '/checkout/initialize', { body });
    expect([status, json.data.provider]).toEqual([201, 'paystack']);
    return json.data;
  };
  const verify = async (reference: string) => (await merchant.api('GET', `/checkout/verify/${reference}`)).json.data;
  const onPhone = async (use: (context: Context) => Promise<void>, javaScriptEnabled = true): Promise<void> => {
    const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled });
    await use(context);
    await context.close();
  };
  const show = async (context: Context, url: string): Promise<BrowserPage> => {
    const page = await context.newPage();
    watchPage(page, (requested) => requested.startsWith(`${stack.baseUrl}/`), complaints);
    await page.goto(url);
    return page;
  };
  const withCheckout =
    (use: (page: BrowserPage, checkout: StartedCheckout, context: Context) => Promise<void>, more: object = {}) =>
    async () => {
      const checkout = await start(more);
      await onPhone(async (context) => use(await show(context, checkout.checkout_url), checkout, context));
    };
  const readNumber = async (page: BrowserPage): Promise<string | null> => page.textContent('#v-number');
  const shows = (page: BrowserPage, text: string, withinMs = LIMIT_MS / 4): Promise<unknown> =>
    eventually(
      `the page shows “${text}”`,
      async () => (await page.textContent('main'))?.includes(text) ?? false,
      withinMs,
    );
  const says = (page: BrowserPage, text: string): Promise<unknown> =>
    eventually(
      `the page announces “${text}”`,
      async () => (await page.textContent('#announcement'))?.includes(text) ?? false,
    );
  const openOtherAccount = async (page: BrowserPage): Promise<void> => {
    await page.click(OTHER);
    await page.waitForSelector('.earlier');
  };

  browserTest(
    'sees another account and that the first one counts, copies the new number, and can still pay into the first account',
    withCheckout(async (page, { reference, account_number: first }, context) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const waiting = await page.evaluate(
        `(() => { const button = document.querySelector('${OTHER}'); button.click(); return [button.disabled, button.textContent]; })()`,
      );
      expect(waiting).toEqual([true, 'Opening another account…']);
      await page.waitForSelector('.earlier');
      const [, second] = (await verify(reference)).accounts;
      expect([second.provider, second.current, await readNumber(page)]).toEqual([
        'monnify',
        true,
        second.account_number,
      ]);
      const spaced = `${first.slice(0, 3)} ${first.slice(3, 6)} ${first.slice(6)}`;
      const sentence = `Pay into the account below. Already sent money to ${first} at Sandbox Bank (paystack)? It still counts. Don’t pay twice.`;
      expect((await page.textContent('.earlier'))?.replaceAll(/\s+/g, ' ')).toContain(sentence);
      // The page scrolls to the new account, and a screen reader announces it.
      const top = await page.evaluate(`document.querySelector('#v-number').getBoundingClientRect().top`);
      expect(top).toBeGreaterThan(0);
      expect(top).toBeLessThan(PHONE.height);
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
      const { account_number: newest } = second;
      await says(page, `Already sent money to ${spaced} at`);
      await says(page, `${newest.slice(0, 3)} ${newest.slice(3, 6)} ${newest.slice(6)}`);
      await page.click('button[data-of=v-number]');
      await says(page, `Copied ${newest}`);
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(newest);
      await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference, account_number: first } });
      await shows(page, 'Payment received');
      expect(await verify(reference)).toMatchObject({ status: 'paid', payments: [{ provider: 'paystack' }] });
    }),
  );

  browserTest(
    'sees in each size which account to pay into and what counts, also after “I’ve sent the money” and a half payment',
    withCheckout(async (page, { account_number: first }) => {
      await openOtherAccount(page);
      await expectGoodLayouts(page, axe, LAYOUTS);
      // The earlier account's number is on one line, and smaller than the number to pay into.
      const sizes = await page.evaluate(
        `['.earlier .ref', '#v-number'].map((selector) => { const { fontSize } = getComputedStyle(document.querySelector(selector));
          return [document.querySelector(selector).getClientRects().length, parseFloat(fontSize)]; })`,
      );
      const [[lines, small], [, large]] = sizes as [[number, number], [number, number]];
      expect(lines).toBe(1);
      expect(small).toBeLessThan(large);
      await page.click('form.sent button');
      await shows(page, 'Looking for your transfer');
      await shows(page, `Money that you sent to ${first} at Sandbox Bank (paystack) counts too.`);
      await page.click('button[value=less]');
      await shows(page, 'is still missing');
      await shows(page, `Money that you sent to ${first} at Sandbox Bank (paystack) counts too.`);
      await expectGoodLayouts(page, axe, LAYOUTS);
      await page.click('button[value=earlier]');
      await shows(page, 'Payment received');
    }),
  );

  browserTest(
    'can pay into both accounts in test mode, and reads that more was paid than asked for',
    withCheckout(async (page, { reference }) => {
      await openOtherAccount(page);
      await page.click('button[value=earlier]');
      await shows(page, 'Payment received');
      await page.click('button[value=exact]');
      await shows(page, '₦8,500.75 more than asked for');
      const { payments } = await verify(reference);
      expect(payments.map(({ provider }: { provider: string }) => provider)).toEqual(['monnify', 'paystack']);
    }),
  );

  browserTest(
    'waits while the other providers fail, asks only once, and reads whom to contact',
    withCheckout(
      async (page, { reference, account_number: first }) => {
        const requests: string[] = [];
        page.on('request', (request) => {
          if (request.url?.().includes('/another-account')) requests.push(request.url());
        });
        const began = Date.now();
        await page.evaluate(`for (let i = 0; i < 3; i++) document.querySelector('${OTHER}').click()`);
        await says(page, 'Opening another account…');
        // Meanwhile the payer goes to the bank's app and comes back.
        await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
        await shows(page, NO_OTHER, 40_000);
        // The page waits longer for this answer than for any other.
        expect(Date.now() - began).toBeGreaterThan(15_000);
        expect(requests).toHaveLength(1);
        expect(await page.evaluate(`document.querySelector('.offline')`)).toBeNull();
        await says(page, NO_OTHER);
        expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
        expect(await readNumber(page)).toBe(first);
        expect((await verify(reference)).accounts).toHaveLength(1);
        await expectGoodLayouts(page, axe, LAYOUTS);
        await page.click('button[value=exact]');
        await shows(page, 'Payment received');
      },
      { payer_email: 'fail+monnify@example.com' },
    ),
  );

  browserTest(
    'is asked to try again if no account can be opened now, and keeps the account',
    withCheckout(async (page, { account_number: first }) => {
      const status = (await page.evaluate(
        `fetch(location.pathname + '/status', { headers: { accept: 'application/json' } }).then((answer) => answer.text())`,
      )) as string;
      await page.route(/another-account/, (request) =>
        request.fulfill({ status: 200, contentType: 'application/json', body: status }),
      );
      const TRY_AGAIN = 'We can’t open another account right now. Try again in a minute.';
      expect(await page.isVisible('form.other p')).toBe(false);
      await page.click(OTHER);
      await says(page, TRY_AGAIN);
      expect(await page.isVisible('form.other p')).toBe(true);
      expect([await readNumber(page), await page.textContent(OTHER)]).toEqual([
        first,
        'My bank can’t find this account',
      ]);
      await page.unroute(/another-account/);
      await openOtherAccount(page);
    }),
  );

  browserTest('gets the page with the new account without JavaScript too', async () => {
    const { checkout_url: url, reference, account_number: first } = await start();
    await onPhone(async (context) => {
      const page = await show(context, url);
      await page.click(OTHER);
      await shows(page, 'Already sent money to');
      const [, second] = (await verify(reference)).accounts;
      expect([page.url(), await readNumber(page)]).toEqual([`${url}?pressed=other-1`, second.account_number]);
      expect(await page.textContent('.earlier')).toContain(first);
      await page.click('button[value=earlier]');
      await shows(page, 'Payment received');
    }, false);
  });

  browserTest(
    'sees the new account in a second tab as well',
    withCheckout(async (page, { checkout_url: url, account_number: first }, context) => {
      const tab = await show(context, url);
      expect(await readNumber(tab)).toBe(first);
      await openOtherAccount(page);
      await tab.waitForSelector('.earlier');
      expect(await readNumber(tab)).toBe(await readNumber(page));
      expect(await tab.evaluate('document.activeElement.tagName')).toBe('H1');
    }),
  );

  browserTest('can read in each size that transfers are slow at all banks', () =>
    onPhone(async (context) => {
      const checkout = { ...pendingCheckout(), mode: 'live' as const };
      const pageContext = showCheckout(checkout, defaultProfile('Ada Stores'), { isSlowEverywhere: true });
      const { html } = checkoutPage(pageContext, checkoutAssets());
      // The page is shown without its script, because no server can answer the script here.
      const page = await context.newPage();
      const unscripted = html.replace(/<script type="module">.*<\/script>/s, '');
      await page.evaluate(`document.write(${JSON.stringify(unscripted)}); document.close();`);
      expect(await page.textContent('.slow')).toContain('Transfers are slow at all banks right now.');
      expect(await page.isVisible(OTHER)).toBe(false);
      await expectGoodLayouts(page, axe, LAYOUTS);
    }),
  );
});
