import { setTimeout as wait } from 'node:timers/promises';
import { cursorTo } from '#shared/api/list-cursor.ts';
import { inBrowser } from '#test/support/worlds/browser.ts';
import { BROWSER_LIMIT_MS, openDashboardForAllTests, shop, stack } from '#test/support/worlds/dashboard-browser.ts';
import { waitForRoomInDay } from '#test/support/worlds/lagos-day.ts';
import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { startReceiver } from '#test/support/worlds/receiver.ts';

/* Tests the lists and figures of the dashboard. */

const DAY_MS = 86_400_000;
const PAYER = { payer_email: 'tunde.bakare@example.com', payer_name: 'Tunde Bakare' };
const CUSTOMER = {
  customer_name: 'Adaeze Okafor',
  customer_phone: '+2348031234567',
  customer_email: 'adaeze.okafor@example.com',
};
const LAGOS = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Lagos' });
const formatDay = (at: number): string => LAGOS.format(new Date(at));
const SHORT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'Africa/Lagos' });
/** Two payments, of 2,500.25 and 1,000.50 naira. */
const LANDED = '₦3,500.75\n2 payments';
const listFigures = () => [
  `Landed today\n${LANDED}`,
  `Landed yesterday, ${SHORT.format(Date.now() - DAY_MS)}\n₦0.00\n0 payments`,
  `Landed in 7 days\n${LANDED}`,
  `Landed in 30 days\n${LANDED}`,
];
/** Milliseconds between two refreshes of a list, and a script that makes them ten times as fast. */
const REFRESH_MS = 10_000;
const FAST = `const slow = setInterval; setInterval = (work, ms) => slow(work, ms / 10);`;
/** 14:05 in Lagos. */
const LOOKED_BACK_TO = '2026-11-03T13:05:00Z';
const browserTest = inBrowser(BROWSER_LIMIT_MS);

describe('the dashboard’s lists', () => {
  const { signIn, textOf, shows, goTo, inEachLayout } = openDashboardForAllTests();

  /** Starts a checkout and pays it. */
  const pay = async (amount: number, merchant: Merchant, rest: object = {}): Promise<string> => {
    const body = { amount, ...PAYER, ...rest };
    const { reference } = (await merchant.api('POST', '/checkout/initialize', { body })).json.data;
    await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } });
    return reference;
  };

  browserTest('can be filtered by day, and the days are in the URL', async () => {
    const { page } = await signIn('viewer');
    await waitForRoomInDay();
    const reference = await pay(2_500, shop);
    const [today, tomorrow, yesterday] = [0, DAY_MS, -DAY_MS].map((ms) => formatDay(Date.now() + ms));
    for (const [screen, listed, none] of [
      ['checkouts', reference, 'Nothing matches these filters.'],
      ['payments', '₦2,500.00', 'Nothing matches these filters.'],
      ['events', 'checkout.paid', 'Nothing matches these filters.'],
    ] as const) {
      await goTo(page, `${screen}?from=${today}&to=${today}`);
      await shows(page, listed);
      await page.fill('#filter-to', yesterday ?? '');
      await page.fill('#filter-from', yesterday ?? '');
      await shows(page, none);
      expect(page.url().split('?')[1]).toBe(`from=${yesterday}&to=${yesterday}`);
      await page.reload();
      await shows(page, none);
      expect(await page.evaluate(`document.querySelector('#filter-from').value`)).toBe(yesterday);
      await goTo(page, `${screen}?from=${tomorrow}`);
      await shows(page, none);
      await page.click(`nav.screens a[href$="/${screen}"]`);
      await eventually('the filter by day is gone', () =>
        page.evaluate(`document.querySelector('#filter-from').value === ''`),
      );
      await shows(page, listed);
      await inEachLayout(page);
    }
  });

  browserTest(
    'show older payments of a virtual account, and go back to the first list page after a new one',
    async () => {
      const { page } = await signIn('developer');
      const body = { ...CUSTOMER, banks: ['paystack'] };
      const account = (await shop.api('POST', '/virtual-accounts', { body })).json.accounts[0].id as string;
      for (let amount = 1; amount <= 27; amount += 1) {
        await shop.api('POST', `/virtual-accounts/${account}/sandbox/simulate`, { body: { amount } });
      }
      await goTo(page, `virtual-accounts/${account}`);
      await shows(page, '₦27.00');
      expect(await textOf(page)).not.toContain('₦2.00');
      await inEachLayout(page);
      await page.click('button:has-text("Older ones")');
      await shows(page, '₦2.00');
      await shows(page, '₦1.00');
      expect(await textOf(page)).not.toContain('₦27.00');
      await page.goBack();
      await shows(page, '₦27.00');
      await page.click('button:has-text("Older ones")');
      await shows(page, '₦2.00');
      await page.fill('input[name=amount]', '5000');
      await page.click('button:has-text("Transfer")');
      await shows(page, '₦5,000.00');
      expect(page.url()).not.toContain('cursor');
    },
  );

  browserTest('find a transfer by its amount, and the screen of its payment shows the whole history', async () => {
    const kiosk = await openBusiness(stack, 'Funke Fabrics');
    const receiver = await kiosk.listen('checkout.paid');
    const { page } = await signIn('viewer', kiosk);
    const reference = await pay(4_321.5, kiosk, { merchant_reference: 'ORDER-1077' });
    await pay(4_321, kiosk);
    await eventually('the webhooks arrived', () => receiver.received.length === 2);
    await goTo(page, 'overview', 'test', kiosk);
    await page.fill('#find', '₦4,321.50');
    await page.keyboard.press('Enter');
    await shows(page, '₦4,321.50');
    expect(page.url()).toMatch(/\/payments\?amount=4321\.50$/);
    expect(await textOf(page)).not.toContain('₦4,321.00');
    await page.fill('#filter-amount', 'much');
    await page.keyboard.press('Enter');
    await shows(page, 'Amount ₦ must be a number such as 8,500.75.');
    await page.fill('#filter-amount', '4,321.50');
    await page.keyboard.press('Enter');
    await page.click('td a:has-text("₦4,321.50")');
    await page.waitForSelector('h1:text-is("Payment of ₦4,321.50")');
    const { id, provider_reference } = (await kiosk.api('GET', '/payments?min_amount=4321.5')).json.data[0];
    for (const text of [
      ...[id, provider_reference, 'ORDER-1077', PAYER.payer_email, 'Adaeze Okafor, Sandbox Bank'],
      ...['The money landed and counts.', '₦0.00, which leaves ₦4,321.50', 'Adaeze Okafor paid ₦4,321.50 at the bank'],
      ...['Recorded here', 'checkout.paid', `Attempt 1 at ${receiver.url}: HTTP 200`],
    ]) {
      await shows(page, text);
    }
    await inEachLayout(page);
    await page.click(`a:has-text("${reference}")`);
    await page.waitForSelector('h1:text-is("Checkout of ₦4,321.50")');
    await page.fill('#find', id);
    await page.keyboard.press('Enter');
    await eventually('the payment is shown', () => page.url().endsWith(`/payments/${id}`));
    await eventually('the search box is empty, and the payment has the focus', () =>
      page.evaluate(`document.querySelector('#find').value === '' && document.activeElement.id === 'main'`),
    );
    await goTo(page, 'payments?amount=4321.51', 'test', kiosk);
    await shows(page, 'No payment of ₦4,321.51 has landed.');
    // No order has this number, so it is searched as an amount.
    await page.fill('#find', '4321');
    await page.keyboard.press('Enter');
    await shows(page, '₦4,321.00');
    // No endpoint is subscribed to the failure.
    const { json } = await kiosk.api('POST', '/checkout/initialize', { body: { amount: 100, ...PAYER } });
    const fail = { reference: json.data.reference, status: 'failed' };
    await kiosk.api('POST', '/checkout/sandbox/simulate', { body: fail });
    await goTo(page, 'events', 'test', kiosk);
    const row = (type: string) =>
      page.evaluate(
        `[...document.querySelectorAll('tbody tr')].find((row) => row.innerText.includes('${type}'))?.children[2].innerText`,
      );
    await eventually(
      'the event of the failed checkout is listed',
      async () => (await row('checkout.failed')) === 'No endpoint',
    );
    expect(await row('checkout.paid')).toBe('Arrived');
    await receiver.stop();
  });

  browserTest(
    'show on the overview how much landed, and to a newcomer the first steps until a webhook arrives',
    async () => {
      const kiosk = await openBusiness(stack, 'Chidi Kiosk');
      const { page } = await signIn('developer', kiosk);
      const receiver = await startReceiver();
      receiver.answer((response) => response.writeHead(500).end());
      const overview = () => goTo(page, 'overview', 'test', kiosk);
      await overview();
      await shows(page, 'First steps');
      expect(await textOf(page)).not.toContain('Done: ');
      await kiosk.api('POST', '/webhook-endpoints', { body: { url: receiver.url } });
      await waitForRoomInDay();
      await pay(2_500.25, kiosk);
      await pay(1_000.5, kiosk);
      await eventually('both webhooks were sent', () => receiver.received.length >= 2);
      await overview();
      await eventually('the figures count both payments', async () => {
        const figures = await page.evaluate(
          `[...document.querySelectorAll('.figure')].map((figure) => figure.innerText)`,
        );
        return JSON.stringify(figures) === JSON.stringify(listFigures());
      });
      const row = `document.querySelector('main details tbody tr').innerText`;
      await page.click('summary:has-text("Day by day")');
      expect(await page.evaluate(row)).toBe([SHORT.format(new Date()), 2, '₦3,500.75', '₦0.00'].join('\t'));
      // Every delivery fails, so the first steps are not complete.
      await shows(page, 'Done: Create a webhook endpoint');
      await shows(page, 'Done: Start a test checkout and pay it');
      await shows(page, 'See what your server answers');
      await inEachLayout(page);
      receiver.answer((response) => response.writeHead(200).end());
      await pay(100, kiosk);
      await eventually('a webhook arrived', async () => {
        await overview();
        await page.waitForSelector('.figure');
        return !(await textOf(page)).includes('First steps');
      });
      await receiver.stop();
    },
  );

  browserTest('show new entries without a reload, and ask nothing while the page is hidden', async () => {
    const { page } = await signIn('viewer');
    const requests: string[] = [];
    await page.addInitScript(FAST);
    page.on('request', (request) => requests.push(request.url?.() ?? ''));
    await goTo(page, 'payments');
    await pay(4_321, shop);
    await shows(page, '₦4,321.00');
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })`);
    await pay(5_432, shop);
    requests.splice(0);
    await wait((3 * REFRESH_MS) / 10);
    expect(requests).toEqual([]);
    await page.evaluate(`delete document.visibilityState`);
    await shows(page, '₦5,432.00');
    // The lists of keys, members and sessions refresh themselves too.
    for (const [screen, call] of [
      ['keys', '/v1/keys'],
      ['team', '/v1/members'],
      ['account', '/sessions'],
    ] as const) {
      await goTo(page, screen);
      requests.splice(0);
      await eventually(`the list of ${screen} is requested again`, () => requests.some((url) => url.endsWith(call)));
    }
  });

  browserTest('say how far back a search without results has looked, and let it go on', async () => {
    const { page } = await signIn('viewer');
    const cursor = cursorTo(
      'a key',
      { businessId: shop.id, mode: 'test' },
      'payments',
      `${Date.parse(LOOKED_BACK_TO)}#pay`,
    );
    const answer = { status: true, data: [], meta: { has_more: true, next_cursor: cursor } };
    await page.route('**/v1/payments?*', (request) =>
      request.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify(answer) }),
    );
    await goTo(page, 'payments?sender=Bakare');
    await shows(
      page,
      'Nothing found on this page. Searched back to 3 Nov 2026, 14:05:00 Lagos. There may be older ones.',
    );
    await inEachLayout(page);
    await page.click('button:has-text("Look further back")');
    await eventually('the next list page is requested', () => page.url().endsWith(`sender=Bakare&cursor=${cursor}`));
  });
});
