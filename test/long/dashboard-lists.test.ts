import { type BrowserPage, inBrowser, isBrowserRun } from '#test/support/worlds/browser.ts';
import { dashboardInBrowser } from '#test/support/worlds/dashboard-browser.ts';
import type { Merchant } from '#test/support/worlds/merchant.ts';

/* What the lists and figures of the dashboard show: all of it, by day, and as it is now. */

const LIMIT_MS = 180_000;
const DAY_MS = 86_400_000;
const PAYER = { payer_email: 'tunde.bakare@example.com', payer_name: 'Tunde Bakare' };
const LAGOS = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Lagos' });
const dayOf = (at: number): string => LAGOS.format(new Date(at));
const browserTest = inBrowser(LIMIT_MS);

describe('the lists of the dashboard', () => {
  const dashboard = dashboardInBrowser();
  const { signIn, shows, goTo } = dashboard;
  let shop: Merchant;
  beforeAll(async () => {
    if (isBrowserRun) ({ shop } = await dashboard.open());
  }, LIMIT_MS);
  afterAll(dashboard.close);
  afterEach(async () => expect(await dashboard.endTest()).toEqual([]));

  const inEachLayout = async (page: BrowserPage): Promise<void> =>
    expect(await dashboard.faultsInEachLayout(page)).toEqual([]);
  /** A checkout that is paid. */
  const pay = async (amount: number, merchant: Merchant, rest: object = {}): Promise<string> => {
    const body = { amount, ...PAYER, ...rest };
    const { reference } = (await merchant.api('POST', '/checkout/initialize', { body })).json.data;
    await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } });
    return reference;
  };

  browserTest('checkouts, payments and events are listed by day, and the days stand in the URL', async () => {
    const { page } = await signIn('viewer');
    const reference = await pay(2_500, shop);
    const [today, tomorrow, yesterday] = [0, DAY_MS, -DAY_MS].map((ms) => dayOf(Date.now() + ms));
    for (const [screen, listed, none] of [
      ['checkouts', reference, 'No checkout yet, or none with these filters.'],
      ['payments', '₦2,500.00', 'No payment yet, or none with these filters.'],
      ['events', 'checkout.paid', 'No event yet, or none with these filters.'],
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
      await shows(page, listed);
      expect(await page.evaluate(`document.querySelector('#filter-from').value`)).toBe('');
      await inEachLayout(page);
    }
  });
});
