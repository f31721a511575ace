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
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/* Tests the payment page in a browser: every view in each size, with and without JavaScript, and the payers' tasks. */

const LIMIT_MS = 120_000;
const PHONE = { width: 390, height: 844 };
/** The layouts. 320 px is the width of a desktop window at 400 % zoom (WCAG 2.2, 1.4.10 Reflow). */
const LAYOUTS = listLayouts([PHONE, { width: 320, height: 640 }, { width: 1440, height: 900 }]);
/**
 * The most milliseconds from a landing until the page shows it. Two ordinary polls are five seconds apart, so a test fails if the page does not ask sooner
 * than that. The budgets are smaller: 2.5 s after "I've sent the money", and 1 s when somebody looks again. The tests print the measured times.
 */
const SHOWN_WITHIN_MS = 4_500;
const printTime = (situation: string, since: number): number => {
  const duration = Date.now() - since;
  process.stdout.write(`payment page, ${situation}: shown after ${duration} ms\n`);
  return duration;
};

const browserTest = inBrowser(LIMIT_MS);

describe('the payment page in a browser', () => {
  let stack: Stack;
  let merchant: Merchant;
  /** A stack whose sweeper never runs, so that checkouts stay in the state “time is up”. */
  let unswept: Stack;
  let unsweptMerchant: Merchant;
  let browser: Browser;
  let axe: string;
  const complaints: string[] = [];
  beforeAll(async () => {
    if (!isBrowserRun) return;
    stack = await startStack();
    unswept = await startStack({ env: { SWEEP_SECONDS: '3600' } });
    merchant = await openBusiness(stack, 'Ada Stores');
    unsweptMerchant = await openBusiness(unswept, 'Ada Stores');
    ({ browser, axe } = await openBrowser());
  }, LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([stack?.stop(), unswept?.stop()]);
  });
  afterEach(() => {
    // Complaints are failing scripts, violations of the page's policy, and requests to other hosts.
    expect(complaints.splice(0)).toEqual([]);
  });

  const start = async (seller: Merchant, more: object = {}): Promise<{ checkout_url: string; reference: string }> => {
    const body = { amount: 8_500.75, payer_email: 'tunde.bakare@example.com', description: 'Order 1042', ...more };
    const answer = await seller.api('POST', '/checkout/initialize', { body });
    expect(answer.status).toBe(201);
    return answer.json.data;
  };
  const pageFor = async (
    url: string,
    use: (page: BrowserPage, context: Context) => Promise<void>,
    view: { javaScriptEnabled?: boolean } = {},
  ): Promise<void> => {
    const context = await browser.newContext({ viewport: PHONE, ...view });
    const page = await context.newPage();
    const isOurs = (requested: string) => [stack, unswept].some(({ baseUrl }) => requested.startsWith(`${baseUrl}/`));
    watchPage(page, isOurs, complaints);
    await page.goto(url);
    await use(page, context);
    await context.close();
  };
  const heading = (page: BrowserPage): Promise<string | null> => page.textContent('h1');
  const shows = (page: BrowserPage, text: string): Promise<unknown> =>
    eventually(`the heading shows “${text}”`, async () => (await heading(page))?.includes(text) ?? false, LIMIT_MS / 4);
  const press = (page: BrowserPage, outcome: string): Promise<void> => page.click(`button[value=${outcome}]`);
  const SENT = 'form[action$="/sent"] button';
  /** Makes the page visible again, as when the payer comes back from the bank's app. */
  const comeBack = (page: BrowserPage): Promise<unknown> =>
    page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);

  const openSuspended = async (): Promise<string> => {
    const closed = await openBusiness(stack, 'Closed Stores');
    const { checkout_url } = await start(closed);
    await stack.ops('business', 'suspend', closed.id, '--yes');
    return checkout_url;
  };
  const simulate = async (url: string, version: number, outcome: string): Promise<void> => {
    const answer = await fetch(`${url}/simulate`, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ version: String(version), outcome }),
    });
    expect(await answer.json()).toMatchObject({ version: version + 1 });
  };
  const openAfter =
    (...outcomes: string[]) =>
    async (): Promise<string> => {
      const { checkout_url: url } = await start(merchant, { callback_url: 'http://localhost:9/done' });
      for (const [before, outcome] of outcomes.entries()) await simulate(url, before + 1, outcome);
      return url;
    };
  const openTakenBack = async (): Promise<string> => {
    const { checkout_url: url, reference } = await start(merchant);
    for (const outcome of ['accepted', 'reversed']) {
      await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference, outcome } });
    }
    return url;
  };
  const openExpired = async (): Promise<string> => {
    const { checkout_url: url, reference } = await start(merchant, { expires_in: 1 });
    const status = async () => (await merchant.api('GET', `/checkout/verify/${reference}`)).json.data.status;
    await eventually('the checkout has expired', async () => (await status()) === 'expired', LIMIT_MS / 2);
    return url;
  };
  const openChecking = async (): Promise<string> => {
    const { checkout_url: url } = await start(unsweptMerchant, { expires_in: 1 });
    await eventually('the checkout’s time is up', async () =>
      (await (await fetch(url)).text()).includes('>Time is up: '),
    );
    return url;
  };

  const openPartPaid = async (): Promise<string> => {
    const { checkout_url: url } = await start(unsweptMerchant, { expires_in: 4 });
    await simulate(url, 1, 'less');
    await eventually('the checkout’s time is up', async () =>
      (await (await fetch(url)).text()).includes('>Paid in part</h1>'),
    );
    return url;
  };

  const VIEWS: Readonly<Record<string, { heading: string; open: () => Promise<string> }>> = {
    pay: { heading: 'Transfer ₦8,500.75', open: openAfter() },
    confirming: { heading: 'Looking for your transfer', open: async () => `${await openAfter()()}?sent=${Date.now()}` },
    'confirming for long': {
      heading: 'Looking for your transfer',
      open: async () => `${await openAfter()()}?sent=${Date.now() - 11 * 60_000}`,
    },
    'sent back': { heading: 'Transfer ₦8,500.75', open: openAfter('returned') },
    underpaid: { heading: 'is still missing', open: openAfter('less') },
    'part paid': { heading: 'Paid in part', open: openPartPaid },
    checking: { heading: 'Time is up', open: openChecking },
    expired: { heading: 'This payment has expired', open: openExpired },
    paid: { heading: 'Payment received', open: openAfter('exact') },
    overpaid: { heading: 'Payment received', open: openAfter('more') },
    failed: { heading: 'could not be completed', open: openAfter('failed') },
    'taken back': { heading: '₦8,500.75 was taken back', open: openTakenBack },
    'closed shop': { heading: 'can’t take payments now', open: openSuspended },
  };

  const inEachLayout = (page: BrowserPage, layouts = LAYOUTS): Promise<void> => expectGoodLayouts(page, axe, layouts);

  for (const [name, { heading: words, open: openNew }] of Object.entries(VIEWS)) {
    let url: Promise<string> | undefined;
    /** Opens the view. Both tests use the same page. */
    const open = (): Promise<string> => {
      url ??= openNew();
      return url;
    };
    browserTest(`the view “${name}” has a good layout in each size`, async () => {
      const url = await open();
      const { headers } = await fetch(url);
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none';");
      // The page runs under its own policy, whose violations are complaints.
      await pageFor(url, async (page) => {
        expect(await heading(page)).toContain(words);
        await inEachLayout(page);
      });
    });

    browserTest(`the view “${name}” has a good layout without JavaScript`, async () => {
      const url = await open();
      const served = await (await fetch(url)).text();
      // axe does not run with JavaScript off, so the test removes the page's script instead.
      const withoutScript = served.replace(/<script type="module">.*<\/script>/s, '').replaceAll(/<\/?noscript>/g, '');
      expect(withoutScript).not.toContain('<script');
      await pageFor('about:blank', async (page) => {
        await page.evaluate(`document.write(${JSON.stringify(withoutScript)}); document.close();`);
        expect(await heading(page)).toContain(words);
        // Only the script's buttons are missing, so the smallest size is enough.
        await inEachLayout(page, LAYOUTS.slice(1, 2));
        expect(
          await page.evaluate(`[...document.querySelectorAll('.copy')].some((element) => element.checkVisibility())`),
        ).toBe(false);
      });
    });
  }

  const INVALID = '/pay/PAY-00000000000000000000.x';
  browserTest('a link that is not valid opens a page that says it', () =>
    pageFor(`${stack.baseUrl}${INVALID}`, async (page) => {
      expect(await heading(page)).toBe('This payment link is not valid');
      await inEachLayout(page);
      // The browser itself complains about the 404.
      complaints.splice(0);
    }),
  );

  browserTest('a page without a checkout asks the server for nothing when the payer looks at it again', () =>
    pageFor(`${stack.baseUrl}${INVALID}`, async (page) => {
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url?.().replace(stack.baseUrl, '') ?? ''));
      await comeBack(page);
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      // Any request of the page would go out before this one.
      await page.evaluate(`fetch('/health').then(({ status }) => status)`);
      expect(requests).toEqual(['/health']);
      complaints.splice(0);
    }),
  );

  for (const javaScriptEnabled of [true, false]) {
    describe(javaScriptEnabled ? 'when JavaScript is on' : 'when JavaScript is off', () => {
      const withPayer = (more: object, use: (page: BrowserPage, reference: string) => Promise<void>) => async () => {
        const { checkout_url: url, reference } = await start(merchant, more);
        await pageFor(url, (page) => use(page, reference), { javaScriptEnabled });
      };
      const reloadWithoutScript = async (page: BrowserPage): Promise<void> => {
        if (!javaScriptEnabled) await page.goto(page.url());
      };

      browserTest(
        'lets a payer send half, then the rest',
        withPayer({}, async (page) => {
          await page.click(SENT);
          await shows(page, 'Looking for your transfer');
          expect(page.url()).toMatch(/\?sent=\d{13}$/);
          if (!javaScriptEnabled) {
            await page.click('.unscripted button');
            expect(await page.textContent('main')).toMatch(/Checked at \d\d:\d\d:\d\d WAT: nothing new has arrived\./);
          }
          await press(page, 'less');
          await reloadWithoutScript(page);
          await shows(page, '₦4,250.38 is still missing');
          await press(page, 'exact');
          await reloadWithoutScript(page);
          await shows(page, 'Payment received');
        }),
      );

      browserTest(
        'says that a wrong amount was sent back, and then that the right amount arrived',
        withPayer({}, async (page) => {
          await press(page, 'returned');
          await eventually(
            'the page says that the transfer was sent back',
            async () => (await page.textContent('main'))?.includes('was sent back') ?? false,
          );
          await press(page, 'exact');
          await shows(page, 'Payment received');
        }),
      );

      browserTest(
        'says that more than was asked for arrived',
        withPayer({}, async (page) => {
          await press(page, 'more');
          await reloadWithoutScript(page);
          await shows(page, 'Payment received');
          expect(await page.textContent('main')).toContain('₦500.00 more than asked for');
        }),
      );

      browserTest(
        'says that the payment failed',
        withPayer({}, async (page) => {
          await press(page, 'failed');
          await reloadWithoutScript(page);
          await shows(page, 'could not be completed');
        }),
      );

      browserTest(
        'says that an expired payment was paid by late money, and then that the bank took the money back',
        withPayer({ expires_in: 2 }, async (page, reference) => {
          await eventually(
            'the checkout has expired',
            async () => (await merchant.api('GET', `/checkout/verify/${reference}`)).json.data.status === 'expired',
            LIMIT_MS / 2,
          );
          await reloadWithoutScript(page);
          if (javaScriptEnabled) await comeBack(page);
          await shows(page, 'This payment has expired');
          await press(page, 'late');
          await shows(page, 'Payment received');
          const body = { reference, outcome: 'reversed' };
          await merchant.api('POST', '/checkout/sandbox/simulate', { body });
          await page.goto(page.url());
          expect(await page.textContent('main')).toContain('₦8,500.75 was taken back');
        }),
      );
    });
  }

  const withCheckout =
    (
      use: (
        page: BrowserPage,
        context: Context,
        checkout: { checkout_url: string; reference: string },
      ) => Promise<void>,
      more: () => object = () => ({}),
    ) =>
    async () => {
      const checkout = await start(merchant, more());
      await pageFor(checkout.checkout_url, (page, context) => use(page, context, checkout));
    };
  const OFFLINE = 'You are offline. Your transfer is not affected. This page continues when you are online again.';
  const readOfflineBar = async (page: BrowserPage): Promise<string | null> =>
    (await page.evaluate(`document.querySelector('.offline')?.textContent ?? null`)) as string | null;
  const land = async (reference: string): Promise<void> => {
    await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } });
  };

  browserTest(
    'shows money seconds after it landed, focuses the heading, and announces the change',
    withCheckout(async (page, _, { reference }) => {
      await page.click(SENT);
      await shows(page, 'Looking for');
      await land(reference);
      const landedAt = Date.now();
      await shows(page, 'Payment received');
      expect(printTime('after “I’ve sent the money”', landedAt)).toBeLessThan(SHOWN_WITHIN_MS);
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
      await eventually(
        'the payment is announced',
        async () => (await page.textContent('#announcement'))?.includes('Payment received') ?? false,
      );
    }),
  );

  browserTest(
    'shows money that landed while the page was hidden as soon as somebody looks again',
    withCheckout(async (page, _, { reference }) => {
      await page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => window.away ?? false });
        window.away = true; document.dispatchEvent(new Event('visibilitychange'));`);
      await land(reference);
      const lookedAt = Date.now();
      await page.evaluate(`window.away = false; document.dispatchEvent(new Event('visibilitychange'));`);
      await shows(page, 'Payment received');
      expect(printTime('looked at again', lookedAt)).toBeLessThan(SHOWN_WITHIN_MS);
    }),
  );

  browserTest(
    'can be used with the keyboard alone',
    withCheckout(async (page) => {
      const focused = (): Promise<unknown> => page.evaluate(`document.activeElement.textContent`);
      const seen: unknown[] = [];
      for (let i = 0; i < 5 && !seen.includes('I’ve sent the money'); i++) {
        await page.keyboard.press('Tab');
        seen.push(await focused());
        const outline = await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`);
        expect(outline).toBe('solid');
      }
      expect(seen).toEqual(['Copy amount', 'Copy account number', 'Copy all details', 'I’ve sent the money']);
      await page.keyboard.press('Enter');
      await shows(page, 'Looking for your transfer');
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    }),
  );

  browserTest(
    'copies the amount and the account number for a bank app, or says how to copy them',
    withCheckout(async (page, context) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const copy = async (name: string, expected: RegExp): Promise<void> => {
        await page.click(`button[data-of=v-${name}]`);
        await eventually(`the clipboard has the ${name}`, async () =>
          expected.test(String(await page.evaluate('navigator.clipboard.readText()'))),
        );
        await eventually(
          'the copy is announced',
          async () => (await page.textContent('#announcement'))?.startsWith('Copied') ?? false,
        );
      };
      await copy('amount', /^8500\.75$/);
      await copy('number', /^\d{10}$/);
      await copy('all', /^Pay Ada Stores by bank transfer\nAmount: ₦8,500\.75\nBank: .*\nAccount number: \d{10}\n/);
      expect(await page.textContent('button[data-of=v-all]')).toBe('Copied');
      await eventually(
        'the button offers to copy again',
        async () => (await page.textContent('button[data-of=v-all]')) === 'Copy all details',
      );
      await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined });
        document.execCommand = () => false;`);
      await page.click('button[data-of=v-number]');
      await eventually(
        'the page says how to copy',
        async () => (await page.textContent('#announcement')) === 'Press and hold to copy',
      );
      expect(await page.evaluate('String(getSelection())')).toMatch(/^\d{10}$/);
    }),
  );

  browserTest(
    'keeps the focus and the selection while nothing changes',
    withCheckout(async (page) => {
      await page.evaluate(`document.querySelector('button[data-of=v-number]').focus();
        getSelection().selectAllChildren(document.querySelector('#v-amount')); window.shown = document.querySelector('.account');`);
      const asked = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/status')).length`;
      for (const times of [1, 2]) {
        await comeBack(page);
        await eventually(
          `the page has asked ${times} times for the status`,
          async () => Number(await page.evaluate(asked)) >= times,
        );
      }
      const unchanged = await page.evaluate(
        `[window.shown.isConnected, String(getSelection()), document.activeElement.dataset.of]`,
      );
      expect(unchanged).toEqual([true, '8500.75', 'v-number']);
    }),
  );

  browserTest('works on a phone without the browser features since 2021', async () => {
    const { checkout_url: url } = await start(merchant);
    const context = await browser.newContext({ viewport: PHONE });
    const page = await context.newPage();
    await page.addInitScript(`delete AbortSignal.timeout; delete AbortSignal.any; delete crypto.randomUUID;
      delete Navigator.prototype.clipboard; delete SubmitEvent.prototype.submitter;`);
    watchPage(page, (requested) => requested.startsWith(stack.baseUrl), complaints);
    await page.goto(url);
    await page.click(SENT);
    await shows(page, 'Looking for your transfer');
    await press(page, 'less');
    await shows(page, 'is still missing');
    await press(page, 'exact');
    await shows(page, 'Payment received');
    await context.close();
  });

  browserTest(
    'remembers in the browser that the money was sent, and asks at once when the payer comes back',
    withCheckout(async (page, context, { checkout_url: url, reference }) => {
      await page.click(SENT);
      await shows(page, 'Looking for your transfer');
      await page.goto(url);
      await shows(page, 'Looking for your transfer');
      // The phone sleeps while a request is under way, so the answer never comes.
      const stalled = await context.newCDPSession(page);
      await stalled.send('Network.enable');
      await stalled.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 60_000,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
      await comeBack(page);
      await land(reference);
      await stalled.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
      const lookedAt = Date.now();
      await comeBack(page);
      await shows(page, 'Payment received');
      expect(printTime('looked at again while a request is stuck', lookedAt)).toBeLessThan(SHOWN_WITHIN_MS);
    }),
  );

  browserTest(
    'asks a payer whose transfer went back to send again',
    withCheckout(async (page) => {
      await page.click(SENT);
      await shows(page, 'Looking for your transfer');
      await press(page, 'returned');
      await shows(page, 'Transfer ₦8,500.75');
      await eventually(
        'the returned transfer is announced',
        async () => (await page.textContent('#announcement'))?.includes('was sent back') ?? false,
      );
      await page.click(SENT);
      await shows(page, 'Looking for your transfer');
    }),
  );

  browserTest(
    'forgets a mistaken press of “I’ve sent the money”, asks for the rest when a part has arrived, and then looks for the rest',
    withCheckout(async (page, _, { checkout_url: url }) => {
      await page.click(SENT);
      await shows(page, 'Looking for your transfer');
      await page.click('[data-unsent]');
      await shows(page, 'Transfer ₦8,500.75');
      expect(page.url()).not.toContain('sent=');
      await page.goto(url);
      expect(await heading(page)).toContain('Transfer ₦8,500.75');
      // The payer presses before the part arrives.
      await page.click(SENT);
      await shows(page, 'Looking for your transfer of ₦8,500.75');
      await press(page, 'less');
      await shows(page, '₦4,250.38 is still missing');
      await page.click(SENT);
      await shows(page, 'Looking for your transfer of ₦4,250.38');
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
      expect(await page.textContent('main')).toContain('₦4,250.37 of ₦8,500.75 has arrived.');
      expect(await page.isVisible('.account')).toBe(false);
    }),
  );

  browserTest(
    'answers beside the pressed button when there is no network',
    withCheckout(async (page, context) => {
      await context.setOffline(true);
      await page.click(SENT);
      await eventually('the page says that it is offline', () => page.isVisible('.sent p'));
      expect(await page.textContent('.sent p')).toBe(
        'We will look for your transfer as soon as this page is online again.',
      );
      await context.setOffline(false);
      await shows(page, 'Looking for your transfer');
      complaints.splice(0);
    }),
  );

  browserTest(
    'makes the service ask the provider again while a payer waits',
    withCheckout(async (page, _, { checkout_url: url }) => {
      // The page's clock runs ten times as fast, so its fifteen seconds take 1.5 seconds.
      await page.addInitScript(`const real = performance.now.bind(performance); performance.now = () => 10 * real();`);
      await page.goto(url);
      await page.click(SENT);
      const asked = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/sent')).length`;
      await eventually(
        'the page asks the service to look again',
        async () => Number(await page.evaluate(asked)) >= 3,
        LIMIT_MS / 4,
      );
      expect(await heading(page)).toBe('Looking for your transfer of ₦8,500.75');
    }),
  );

  browserTest(
    'makes one payment of two clicks on a button',
    withCheckout(async (page, _, { reference }) => {
      await page.evaluate(
        `const button = document.querySelector('button[value=exact]'); button.click(); button.click();`,
      );
      await shows(page, 'Payment received');
      const { json } = await merchant.api('GET', `/checkout/verify/${reference}`);
      expect([json.data.paid_amount, json.data.payments]).toEqual([8_500.75, [expect.anything()]]);
    }),
  );

  browserTest('shows the right time on a phone whose clock is two hours ahead', async () => {
    const { checkout_url: url } = await start(merchant);
    const context = await browser.newContext({ viewport: PHONE });
    const page = await context.newPage();
    await page.addInitScript(`const real = Date.now; Date.now = () => real() + 7_200_000;`);
    await page.goto(url);
    await eventually('the page counts the minutes left', async () =>
      /in (29|28) minutes/.test((await page.textContent('.left')) ?? ''),
    );
    expect(await heading(page)).toContain('Transfer');
    await context.close();
  });

  browserTest(
    'says that it is offline, and continues when the network is back',
    withCheckout(async (page, context, { reference }) => {
      await context.setOffline(true);
      // The page says so at once, before it asks anything.
      await eventually('the page says that it is offline', async () => (await readOfflineBar(page)) === OFFLINE);
      await land(reference);
      await context.setOffline(false);
      await shows(page, 'Payment received');
      expect(await readOfflineBar(page)).toBe(null);
      complaints.splice(0);
    }),
  );

  browserTest(
    'says that it cannot reach the service as long as it cannot, even if the phone seems to be online',
    withCheckout(async (page) => {
      const STATUS = /\/status/;
      await page.route(STATUS, (request) => request.abort());
      for (let i = 0; i < 2; i++) {
        await comeBack(page);
        await eventually('a request has failed', () => complaints.splice(0).length > 0);
      }
      expect(await page.evaluate('navigator.onLine')).toBe(true);
      await eventually(
        'the page says that it cannot reach the service',
        async () => (await readOfflineBar(page))?.startsWith('This page can’t reach us right now.') ?? false,
      );
      await page.unroute(STATUS);
      await comeBack(page);
      await eventually(
        'the page no longer says that it cannot reach the service',
        async () => (await readOfflineBar(page)) === null,
      );
      complaints.splice(0);
    }),
  );

  browserTest(
    'makes the last five minutes before the account closes stand out',
    withCheckout(
      async (page) => {
        await page.waitForSelector('.closing.soon [role=timer]');
        expect(await page.textContent('.closing')).toMatch(
          /^The account closes at \d\d:\d\d WAT.* \(in 4 min \d+ s\)\./,
        );
        expect(await page.evaluate(`getComputedStyle(document.querySelector('.soon')).position`)).toBe('sticky');
      },
      () => ({ expires_in: 290 }),
    ),
  );

  browserTest('says that the time is up while somebody looks, and hides the account', async () => {
    const { checkout_url: url } = await start(unsweptMerchant, { expires_in: 4 });
    await pageFor(url, async (page) => {
      expect(await heading(page)).toContain('Transfer');
      await shows(page, 'Time is up');
      expect(await page.isVisible('.account')).toBe(false);
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
      await page.click(SENT);
      await eventually(
        'the page looks for the transfer',
        async () => (await heading(page)) === 'Looking for your transfer',
      );
    });
  });

  browserTest(
    'leads back to the merchant on Cancel, and changes nothing at the checkout',
    withCheckout(
      async (page, _, { reference }) => {
        await page.click('main a.quiet');
        await eventually('the page leads back to the merchant', () =>
          page.url().startsWith(`${stack.baseUrl}/docs?reference=${reference}`),
        );
        expect(page.url()).toContain('cancelled=true');
        expect((await merchant.api('GET', `/checkout/verify/${reference}`)).json.data.status).toBe('pending');
      },
      () => ({ cancel_url: `${stack.baseUrl}/docs` }),
    ),
  );

  browserTest(
    'leads back to the merchant with references and without a status, unless the payer stays',
    withCheckout(
      async (page, _, { reference }) => {
        const readHref = (selector: string): Promise<unknown> =>
          page.evaluate(`document.querySelector('${selector}').href`);
        const query = `reference=${reference}&trxref=${reference}&merchant_reference=A-417`;
        expect(await readHref('main a.quiet')).toBe(`${stack.baseUrl}/docs?${query}&cancelled=true`);
        await press(page, 'exact');
        await shows(page, 'Payment received');
        expect(await page.evaluate('document.title')).toBe('Receipt from Ada Stores');
        expect(await readHref('a[data-return]')).toBe(`${stack.baseUrl}/docs?${query}`);
        await page.click('[data-stay]');
        expect(await isLeadingBack(page)).toBe(false);
      },
      () => ({ callback_url: `${stack.baseUrl}/docs`, merchant_reference: 'A-417' }),
    ),
  );

  /** Whether the page counts down to leading back. */
  const isLeadingBack = async (page: BrowserPage): Promise<boolean> =>
    (await page.isVisible('.leaving')) || (await page.isVisible('[data-stay]'));
  /** Script that makes the page's intervals fifty times shorter. */
  const FASTER_INTERVALS = `const real = setInterval; window.setInterval = (work, after) => real(work, after / 50);`;
  /** Script that waits longer than the page's countdown. With the faster intervals, the countdown's eight seconds take 160 ms. */
  const AFTER_COUNTDOWN = `new Promise((done) => { let left = 12; const timer = setInterval(() => --left || (clearInterval(timer), done(true)), 1_000); })`;
  const withReturn =
    (use: (page: BrowserPage, url: string) => Promise<void>): (() => Promise<void>) =>
    async () => {
      const { checkout_url: url } = await start(merchant, { callback_url: `${stack.baseUrl}/docs` });
      const context = await browser.newContext({ viewport: PHONE });
      const page = await context.newPage();
      watchPage(page, (requested) => requested.startsWith(`${stack.baseUrl}/`), complaints);
      await page.addInitScript(FASTER_INTERVALS);
      await page.goto(url);
      await use(page, url);
      await context.close();
    };
  const expectToStay = async (page: BrowserPage, url: string): Promise<void> => {
    expect(await heading(page)).toContain('Payment received');
    expect(await isLeadingBack(page)).toBe(false);
    await page.evaluate(AFTER_COUNTDOWN);
    expect(page.url()).toBe(url);
  };

  browserTest(
    'leads back to the merchant once, and keeps the receipt after Back and when the link is opened again',
    withReturn(async (page, url) => {
      await press(page, 'exact');
      await eventually(
        'the page leads back to the merchant',
        () => page.url().startsWith(`${stack.baseUrl}/docs`),
        LIMIT_MS / 4,
      );
      await page.goBack();
      await expectToStay(page, url);
      await page.goto(url);
      await expectToStay(page, url);
    }),
  );

  browserTest(
    'keeps the receipt in a browser that blocks storage',
    withReturn(async (page, url) => {
      await page.addInitScript(`Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked'); } });
        Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('blocked'); } });`);
      await page.goto(url);
      await press(page, 'exact');
      await eventually(
        'the page leads back to the merchant',
        () => page.url().startsWith(`${stack.baseUrl}/docs`),
        LIMIT_MS / 4,
      );
      await page.goto(url);
      await expectToStay(page, url);
    }),
  );

  browserTest(
    'keeps the receipt for a payer who prints it during the countdown, or who leaves and comes back',
    async () => {
      for (const event of ['beforeprint', 'pagehide']) {
        await withReturn(async (page, url) => {
          await page.evaluate(`new MutationObserver(() => {
            if (document.querySelector('[data-stay]:not([hidden])')) { window.counted = true; dispatchEvent(new Event('${event}')); }
          }).observe(document.querySelector('main'), { subtree: true, childList: true, attributes: true })`);
          await press(page, 'exact');
          await shows(page, 'Payment received');
          expect(await page.evaluate('window.counted')).toBe(true);
          await expectToStay(page, url);
        })();
      }
    },
  );
});
