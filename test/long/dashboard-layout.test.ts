import { type BrowserPage, inBrowser } from '#test/support/worlds/browser.ts';
import {
  BROWSER_LIMIT_MS,
  CONTACT,
  openDashboardForAllTests,
  PHONE,
  shop,
  site,
  stack,
} from '#test/support/worlds/dashboard-browser.ts';
import { waitForRoomInDay } from '#test/support/worlds/lagos-day.ts';
import { eventually, openBusiness } from '#test/support/worlds/merchant.ts';

/* Tests the layout and the navigation of the dashboard, on a laptop and a phone. */

const PAYER = {
  payer_email: 'chidinma.oluwaseun.adebayo-okonkwo@customers.ada-stores.example',
  payer_name: 'Chidinma Adebayo',
};
const CUSTOMER = {
  customer_name: 'Adaeze Okafor',
  customer_phone: '+2348031234567',
  customer_email: PAYER.payer_email,
};
/** 83 characters each. */
const LONG_WORD = 'AdaezeAndSonsInternationalBuildingMaterialsAndHouseholdElectronicsLimitedOfLagosIsl';
const LONG_WORDS = 'Adaeze and Sons International Building Materials and Household Electronics Ltd Lagos';
/** 60 characters. */
const LONG_EMAIL = 'adaeze.ngozi.okonkwo-adebayo@head-office.ada-and-sons.example';
const SMALL_PHONE = { width: 320, height: 640 };
const LAPTOP = { width: 1366, height: 768 };
const SCREENS = [
  ...['overview', 'checkouts', 'payments', 'virtual-accounts', 'events', 'webhooks', 'keys', 'business', 'team'],
  ...['audit-log', 'account', 'find?q=nobody@example.com', 'nowhere'],
];
/** Script that waits until a page is drawn again. A moment after the width changed, the word "Lagos" moves between head and rows. */
const UNTIL_DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))';
const browserTest = inBrowser(BROWSER_LIMIT_MS);

describe('the layout and navigation of the dashboard', () => {
  const { signIn, signInAs, shows, textOf, goTo, inEachLayout } = openDashboardForAllTests();

  const pay = async (merchant = shop, rest: object = {}): Promise<string> => {
    const body = { amount: 8_500.75, ...PAYER, ...rest };
    const { reference } = (await merchant.api('POST', '/checkout/initialize', { body })).json.data;
    await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } });
    return reference;
  };
  const readPath = (page: BrowserPage): string => new URL(page.url()).pathname.split('/').slice(4).join('/');
  const isMenuOpen = async (page: BrowserPage): Promise<boolean> =>
    (await page.evaluate(`document.querySelector('.menu').getAttribute('aria-expanded')`)) === 'true';

  browserTest('fits on a laptop and a phone with the longest names of businesses and people', async () => {
    const [long, other] = [await openBusiness(stack, LONG_WORD), await openBusiness(stack, LONG_WORDS)];
    for (const { id } of [long, other]) {
      await stack.ops('member', 'invite', LONG_EMAIL, '--business', id, '--role', 'owner');
    }
    await long.listen();
    const reference = await pay(long, { merchant_reference: `ORDER-${'1042'.repeat(20)}`, description: LONG_WORD });
    const account = (await long.api('POST', '/virtual-accounts', { body: { ...CUSTOMER, banks: ['paystack'] } })).json
      .accounts[0].id;
    await long.api('POST', `/virtual-accounts/${account}/sandbox/simulate`, { body: { amount: 12_345_678.9 } });
    const [event, payment, endpoint] = await Promise.all(
      ['events', 'payments', 'webhook-endpoints'].map(
        async (list) => (await long.api('GET', `/${list}`)).json.data[0].id,
      ),
    );
    const { page } = await signInAs(LONG_EMAIL);
    const tooWide: string[] = [];
    for (const business of [long, other]) {
      const details = [
        ...[`checkouts/${reference}`, `virtual-accounts/${account}`, `payments/${payment}`],
        ...[`events/${event}`, `webhooks/${endpoint}`],
      ];
      for (const screen of [...SCREENS, ...(business === long ? details : [])]) {
        await goTo(page, screen, 'test', business);
        for (const viewport of [LAPTOP, PHONE, SMALL_PHONE]) {
          await page.setViewportSize(viewport);
          await page.evaluate(UNTIL_DRAWN);
          const width = await page.evaluate('document.documentElement.scrollWidth');
          if (width !== viewport.width) tooWide.push(`${screen} is ${width} px wide at ${viewport.width}`);
          const scrolls = `[...document.querySelectorAll('.scrolls')].some((list) => list.scrollWidth > list.clientWidth)`;
          if (await page.evaluate(scrolls)) tooWide.push(`a list of ${screen} at ${viewport.width}`);
        }
      }
    }
    expect(tooWide).toEqual([]);
    await inEachLayout(page);
  });

  browserTest('shows the first row of each list below its folded filters on a phone', async () => {
    const store = await openBusiness(stack, 'Funke Fashion');
    await store.listen();
    await pay(store);
    await store.api('POST', '/virtual-accounts', { body: { ...CUSTOMER, banks: ['paystack'] } });
    const { page } = await signIn('developer', store);
    await page.setViewportSize(PHONE);
    for (const screen of ['checkouts', 'payments', 'events', 'virtual-accounts']) {
      await goTo(page, screen, 'test', store);
      await page.waitForSelector('.list tbody tr');
      const end = await page.evaluate(`document.querySelector('.list tbody tr').getBoundingClientRect().bottom`);
      expect([screen, end]).toEqual([screen, expect.any(Number)]);
      expect(Number(end)).toBeLessThan(PHONE.height);
      expect(await page.isVisible('.filters input')).toBe(false);
      await page.click('.filters summary');
      expect(await page.isVisible('.filters input')).toBe(true);
      await inEachLayout(page);
      await page.setViewportSize(PHONE);
    }
    await goTo(page, 'payments?outcome=accepted&from=2026-01-01', 'test', store);
    expect(await page.textContent('.filters summary')).toBe(' Filters (2)');
  });

  browserTest(
    'has a menu on a phone that works by touch and by keyboard, and that a chosen screen or Escape closes',
    async () => {
      const { page } = await signIn('viewer');
      await page.setViewportSize(PHONE);
      await goTo(page, 'overview');
      expect(await page.isVisible('nav.screens')).toBe(false);
      await page.click('.menu');
      await eventually('the menu is open', () => isMenuOpen(page));
      await inEachLayout(page);
      await page.setViewportSize(PHONE);
      await goTo(page, 'overview');
      await page.click('.menu');
      await page.click('nav.screens a:has-text("Payments")');
      await page.waitForSelector('h1:has-text("Payments")');
      await eventually('the menu is closed', async () => !(await isMenuOpen(page)));
      expect(await page.isVisible('nav.screens')).toBe(false);
      await page.focus('.menu');
      await page.keyboard.press('Enter');
      await eventually('the menu is open again', () => isMenuOpen(page));
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Overview');
      await page.keyboard.press('Escape');
      await eventually('the menu is closed again', async () => !(await isMenuOpen(page)));
      expect(await page.evaluate(`document.activeElement.className`)).toBe('menu');
    },
  );

  browserTest('opens a row by a click anywhere, but not while its text is selected', async () => {
    const { page } = await signIn('viewer');
    const reference = await pay(shop, { merchant_reference: 'ORDER-1042' });
    await goTo(page, 'checkouts?merchant_reference=ORDER-1042');
    await page.waitForSelector('td:has-text("ORDER-1042")');
    await page.evaluate(
      `getSelection().selectAllChildren(document.querySelector('.list tbody td:nth-child(2)')); document.querySelector('.list tbody td:nth-child(2)').click()`,
    );
    expect(readPath(page)).toBe('checkouts');
    await page.click('td:has-text("₦8,500.75")');
    await eventually('the checkout’s screen is open', async () => readPath(page) === `checkouts/${reference}`);
  });

  browserTest('undoes one filter after the other with Back, and all of them with a button', async () => {
    const { page } = await signIn('viewer');
    await goTo(page, 'payments');
    await page.selectOption('#filter-outcome', 'rejected');
    await page.fill('#filter-sender', 'Bakare');
    await page.keyboard.press('Enter');
    await eventually('both filters are in the URL', async () => page.url().endsWith('?outcome=rejected&sender=Bakare'));
    await shows(page, 'Nothing matches these filters.');
    await page.goBack();
    await eventually('one filter is left', async () => page.url().endsWith('/payments?outcome=rejected'));
    await eventually(
      'the field of the sender is empty',
      async () => (await page.evaluate(`document.querySelector('#filter-sender').value`)) === '',
    );
    await page.goBack();
    await eventually('no filter is left', async () => page.url().endsWith('/payments'));
    await goTo(page, 'payments?outcome=rejected&sender=Bakare');
    await page.click('button:has-text("Clear filters")');
    await eventually('no filter is left', async () => page.url().endsWith('/payments'));
    await eventually('the list is unfiltered again', async () => !(await textOf(page)).includes('Nothing matches'));
  });

  browserTest('finds an amount as people write it, and the name of a sender', async () => {
    const { page } = await signIn('viewer');
    await pay(shop, { amount: 1_234.5, merchant_reference: 'ORDER-1043' });
    const find = async (text: string): Promise<void> => {
      await goTo(page, 'overview');
      await page.fill('#find', text);
      await page.keyboard.press('Enter');
    };
    for (const text of ['₦1,234.50', '1234.5', 'NGN 1,234.50']) {
      await find(text);
      await page.waitForSelector('h1:has-text("Payments")');
      await page.waitForSelector('td:has-text("₦1,234.50")');
    }
    await find('Okafor');
    await eventually('the payments are listed', () => page.url().endsWith('/payments?sender=Okafor'));
    await page.waitForSelector('td:has-text("₦1,234.50")');
  });

  browserTest(
    'says on every screen of a suspended business that it is suspended and whom to ask, and offers no change',
    async () => {
      const suspended = await openBusiness(stack, 'Gbenga Gadgets');
      const { page } = await signIn('owner', suspended);
      await stack.ops('business', 'suspend', suspended.id);
      for (const [screen, absent] of [
        ['overview', 'New checkout'],
        ['checkouts', 'New checkout'],
        ['team', 'Invite somebody'],
        ['business', 'Save'],
      ] as const) {
        await goTo(page, screen, 'test', suspended);
        expect(await page.textContent('.suspended-bar')).toContain('This business is suspended.');
        expect(await page.textContent('.suspended-bar')).toContain(`Ask whoever runs this service (${CONTACT.email})`);
        expect([screen, await textOf(page)]).toEqual([screen, expect.not.stringContaining(absent)]);
        await inEachLayout(page);
      }
    },
  );

  browserTest(
    'opens no business at the URL of somebody else’s business, and links to the member’s own business',
    async () => {
      const theirs = await openBusiness(stack, 'Halima Homes');
      const { page } = await signIn('owner');
      const address = `${site}/dashboard/${theirs.id}/live/payments`;
      for (const [path, heading] of [
        [address, 'You are not a member of this business'],
        [`${site}/dashboard/${shop.id}/prod/payments`, 'There is no such page'],
        [`${site}/dashboard/${shop.id}/test/refunds`, 'There is no such screen'],
      ] as const) {
        await page.goto(path);
        await page.waitForSelector(`h1:has-text("${heading}")`);
        expect(page.url()).toBe(path);
        await inEachLayout(page);
      }
      await page.goto(address);
      await page.click('a:has-text("Ada Stores")');
      await page.waitForSelector('h1:has-text("Overview")');
      expect(page.url()).toBe(`${site}/dashboard/${shop.id}/test/overview`);
    },
  );

  browserTest('has a chart that shows the money of each day, by pointer and by keyboard', async () => {
    const { page } = await signIn('viewer');
    await waitForRoomInDay();
    await pay();
    await goTo(page, 'overview');
    await page.waitForSelector('.chart svg');
    const readOut = () => page.textContent('.readout');
    const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'Africa/Lagos' });
    const [today, before] = [0, 86_400_000].map((ms) => day.format(Date.now() - ms));
    expect(await readOut()).toMatch(new RegExp(`^Landed on ${today}: ₦`));
    await page.focus('.chart');
    await page.keyboard.press('ArrowLeft');
    await eventually(
      'the chart shows yesterday',
      async () => (await readOut()) === `Landed on ${before}: ₦0.00 in 0 payments`,
    );
    const spoken = await page.evaluate(`document.querySelector('.chart').getAttribute('aria-valuetext')`);
    expect(spoken).toBe(`${before}: ₦0.00 in 0 payments`);
    await page.keyboard.press('End');
    await eventually(
      'the chart shows today',
      async () => (await readOut())?.startsWith(`Landed on ${today}: ₦`) ?? false,
    );
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    expect(await page.evaluate(`document.querySelector('.chart').getAttribute('aria-valuenow')`)).toBe('0');
    await inEachLayout(page);
  });
});
