import { type BrowserPage, inBrowser } from '#test/support/worlds/browser.ts';
import {
  BROWSER_LIMIT_MS,
  openDashboardForAllTests,
  shop,
  site,
  stack,
} from '#test/support/worlds/dashboard-browser.ts';
import { eventually } from '#test/support/worlds/merchant.ts';

/* Tests how forms of the dashboard show errors, and that nothing typed is lost. */

const browserTest = inBrowser(BROWSER_LIMIT_MS);

/** Reads the label, the descriptions and the validity of the control that has the focus. */
const readFocused = (page: BrowserPage): Promise<unknown> =>
  page.evaluate(`(() => {
    const control = document.activeElement;
    const described = (control.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean);
    return {
      label: control.labels?.[0]?.textContent,
      isWrong: control.getAttribute('aria-invalid') === 'true',
      described: described.map((id) => document.getElementById(id).textContent),
    };
  })()`);

describe('the forms of the dashboard', () => {
  const { openPage, signIn, signInAs, invite, addPasskey, codeFor, textOf, shows, goTo, inEachLayout } =
    openDashboardForAllTests();

  const openCheckoutForm = async (page: BrowserPage): Promise<void> => {
    await goTo(page, 'checkouts');
    await page.click('button:has-text("New checkout")');
    await page.fill('input[name=amount]', '8500.75');
  };
  const signInAgain = async (page: BrowserPage, email: string): Promise<void> => {
    await page.fill('dialog input[name=email]', email);
    await page.click('dialog button:has-text("Mail me a code")');
    await page.fill('dialog input[name=code]', await codeFor(email));
    await page.click('dialog button[type=submit]');
  };
  /** Ends a member's session from another browser of the same member. */
  const endSession = async (email: string): Promise<void> => {
    const other = await signInAs(email);
    await goTo(other.page, 'account');
    await other.page.click('button:has-text("End this session")');
    await eventually('only one session is left', async () => !(await textOf(other.page)).includes('End this session'));
  };

  browserTest('show an error at its field with its label, and move the focus there', async () => {
    const { page } = await signIn('developer');
    await openCheckoutForm(page);
    await page.fill('input[name=amount]', '2500');
    await page.click('button:has-text("Start it")');
    const missing = 'Payer’s e-mail must be filled in.';
    expect(await readFocused(page)).toEqual({ label: 'Payer’s e-mail', isWrong: true, described: [missing] });
    await page.fill('input[name=payer_email]', 'tunde.bakare');
    await page.keyboard.press('Enter');
    await shows(page, 'Payer’s e-mail must be an e-mail address, such as ada@example.ng.');
    await page.fill('input[name=payer_email]', 'tunde.bakare@example.com');
    await page.fill('input[name=amount]', '99999999999');
    await page.keyboard.press('Enter');
    await page.waitForSelector('input[name=amount][aria-invalid]');
    expect(await readFocused(page)).toEqual({
      label: 'Amount in naira',
      isWrong: true,
      described: [expect.stringMatching(/^Amount in naira must be /), 'Such as 8500 or 8500.75.'],
    });
    expect(await page.isVisible('input[name=payer_email][aria-invalid]')).toBe(false);
    expect(await page.isVisible('.problem')).toBe(false);
    await inEachLayout(page);
  });

  browserTest('show the errors of a used order number and of a wrong sign-in code at their fields', async () => {
    const { page } = await signIn('developer');
    const body = { amount: 2_500, payer_email: 'tunde.bakare@example.com', merchant_reference: 'ORDER-2026-0417' };
    await shop.api('POST', '/checkout/initialize', { body });
    await openCheckoutForm(page);
    await page.fill('input[name=payer_email]', 'tunde.bakare@example.com');
    await page.fill('input[name=merchant_reference]', 'ORDER-2026-0417');
    await page.click('button:has-text("Start it")');
    await shows(page, 'Order number was used before, by checkout PAY-');
    expect(await readFocused(page)).toMatchObject({ label: 'Order number', isWrong: true });
    const email = await invite('viewer');
    const { page: entrance } = await openPage();
    await entrance.goto(`${site}/dashboard`);
    await entrance.fill('input[name=email]', email);
    await entrance.click('text=Mail me a code');
    await entrance.waitForSelector('input[name=code]');
    await entrance.fill('input[name=code]', (await codeFor(email)) === '00000000' ? '00000001' : '00000000');
    await entrance.click('button[type=submit]');
    await shows(entrance, 'This is not the code that was mailed.');
    expect(await readFocused(entrance)).toMatchObject({ isWrong: true });
  });

  browserTest('show the error of one address of a whitelist at the field of the whitelist', async () => {
    const { page } = await signIn('developer');
    await goTo(page, 'keys');
    await page.click('li.card:has-text("secret") summary:has-text("whitelist")');
    await page.fill('textarea[name=ip_whitelist]', '102.89.23.17\n102.89.23.x');
    await page.click('button:has-text("Save the whitelist")');
    await shows(page, ', number 2, must be an IP address or a CIDR range');
    expect(await readFocused(page)).toMatchObject({ isWrong: true });
  });

  browserTest(
    'keep what was typed when the session ends, and send it after the member has signed in again',
    async () => {
      const { page, email } = await signIn('developer');
      await openCheckoutForm(page);
      await page.fill('input[name=payer_email]', 'tunde.bakare@example.com');
      await page.fill('input[name=amount]', '2500');
      await page.fill('input[name=merchant_reference]', 'ORDER-2291');
      await endSession(email);
      await page.click('button:has-text("Start it")');
      await page.waitForSelector('dialog.again[open]');
      await inEachLayout(page);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog.again[open]');
      expect([await page.isVisible('main h1'), await page.isVisible('dialog h1')]).toEqual([false, true]);
      const valueIn = (selector: string) => page.evaluate(`document.querySelector('${selector}').value`);
      expect(await valueIn('dialog input[name=email]')).toBe(email);
      expect(await valueIn('main input[name=merchant_reference]')).toBe('ORDER-2291');
      await signInAgain(page, email);
      await shows(page, 'ORDER-2291');
      expect(page.url()).toContain('/checkouts/PAY-');
      const query = '/checkouts?merchant_reference=ORDER-2291';
      expect((await shop.api('GET', query)).json.data).toHaveLength(1);
    },
  );

  browserTest('do not send a request that waits for a passkey if the passkey of another member is used', async () => {
    const ada = await signIn('owner');
    await addPasskey(ada.context, ada.page, ada.email);
    const bola = await signIn('owner');
    await addPasskey(bola.context, bola.page, bola.email);
    const { page } = bola;
    await page.click('button:has-text("Sign out")');
    await page.fill('input[name=email]', ada.email);
    await page.click('text=Mail me a code');
    await page.fill('input[name=code]', await codeFor(ada.email));
    await page.click('button[type=submit]');
    await page.waitForSelector('nav.screens');
    await goTo(page, 'keys', 'live');
    const keys = () => page.evaluate('document.querySelectorAll("li.card").length');
    const before = await keys();
    await page.click('button:has-text("Create a key")');
    await page.waitForSelector('dialog[open]');
    await page.click('dialog button:has-text("Use passkey")');
    await page.waitForSelector(`text=${bola.email}`);
    await shows(page, 'API keys');
    await page.waitForSelector('li.card');
    expect(await keys()).toBe(before);
  });

  browserTest(
    'give a key a name and a whitelist, and the audit log says who did what and what was refused',
    async () => {
      const { page, email } = await signIn('developer');
      await goTo(page, 'keys');
      await page.fill('#field-name-new', 'Checkout server');
      await page.click('button:has-text("Create a key")');
      await shows(page, 'Key created. It is shown above, only this once.');
      const key = (await page.textContent('main .strong code')) ?? '';
      await page.click('text=I have stored it');
      const card = `li.card:has(h2:has-text("${key.slice(-4)}"))`;
      await page.waitForSelector(`${card} h2:has-text("Checkout server")`);
      await page.waitForSelector(`${card} dd:text-is("Never")`);
      const headers = { authorization: `Bearer ${key}` };
      expect((await fetch(`${stack.baseUrl}/api/v1/checkouts`, { headers })).status).toBe(200);
      await page.waitForSelector(`${card} dd:has-text("Between ")`);
      await page.click(`${card} summary:has-text("IP whitelist")`);
      await page.fill(`${card} textarea`, '102.89.23.17');
      await page.click(`${card} button:has-text("Save the whitelist")`);
      await page.waitForSelector(`${card} .success:has-text("Saved.")`);
      await shows(page, 'The key works only from 102.89.23.17.');
      await eventually(
        'the warning is gone',
        async () => !(await textOf(page)).includes('From the next request on, this key fails'),
      );
      await inEachLayout(page);
      await openCheckoutForm(page);
      await page.fill('input[name=payer_email]', 'tunde.bakare@example.com');
      await page.fill('input[name=merchant_reference]', 'ORDER-2293');
      await page.click('button:has-text("Start it")');
      await shows(page, 'ORDER-2293');
      await page.click('button:has-text("Open another account")');
      await shows(page, 'No other provider can open an account for this checkout.');

      await goTo(page, `audit-log?actor=${encodeURIComponent(email)}`);
      const name = `the test secret key “Checkout server” sk_test_…${key.slice(-4)}`;
      await shows(page, `created ${name}`);
      await shows(page, `set the whitelist of ${name} to 102.89.23.17; before, it was any address`);
      await shows(page, 'started a checkout (amount: 8500.75, merchant reference: "ORDER-2293")');
      await shows(page, 'Refused asked to open another account for a checkout and was refused: ');
      await inEachLayout(page);
      await page.selectOption('#filter-action', 'POST /v1/checkout/initialize');
      await eventually(
        'the key’s creation is filtered out',
        async () => !(await textOf(page)).includes('created the test'),
      );
      await page.click('td a:has-text("PAY-")');
      await shows(page, 'ORDER-2293');
    },
  );

  browserTest(
    'are empty for another member who signs in after a refreshing list noticed that the session has ended',
    async () => {
      const { page, email } = await signIn('developer');
      await openCheckoutForm(page);
      await page.fill('input[name=merchant_reference]', 'ORDER-2292');
      await endSession(email);
      await page.waitForSelector('dialog.again[open]');
      await signInAgain(page, await invite('viewer'));
      await page.waitForSelector('nav.screens');
      await eventually(
        'the first member’s form is gone',
        async () => !(await page.isVisible('input[name=merchant_reference]')),
      );
      expect(await page.isVisible('dialog.again')).toBe(false);
      await eventually('the list of checkouts is loaded', async () => (await textOf(page)).includes('Checkouts'));
      expect(await page.isVisible('button:has-text("New checkout")')).toBe(false);
    },
  );
});
