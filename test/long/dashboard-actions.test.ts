import { type BrowserPage, inBrowser } from '#test/support/worlds/browser.ts';
import { BROWSER_LIMIT_MS, openDashboardForAllTests, shop, stack } from '#test/support/worlds/dashboard-browser.ts';
import { eventually } from '#test/support/worlds/merchant.ts';
import { startReceiver } from '#test/support/worlds/receiver.ts';

/* Tests what members change in the dashboard, and what they export from it. */

const PAYER = { payer_email: 'tunde.bakare@example.com', payer_name: 'Tunde Bakare' };
const CUSTOMER = {
  customer_name: 'Adaeze Okafor',
  customer_phone: '+2348031234567',
  customer_email: 'adaeze.okafor@example.com',
};
/** Script that keeps the text of each file that a page saves. */
const KEEP_FILES = `
  window.files = [];
  const urlOf = URL.createObjectURL;
  URL.createObjectURL = (blob) => { void blob.text().then((text) => window.files.push(text)); return urlOf(blob); };`;
const browserTest = inBrowser(BROWSER_LIMIT_MS);

describe('changes in the dashboard', () => {
  const { signIn, signInAs, textOf, shows, goTo, addPasskey, inEachLayout } = openDashboardForAllTests();

  const startCheckout = async (rest: object = {}) =>
    (await shop.api('POST', '/checkout/initialize', { body: { amount: 2_500, ...PAYER, ...rest } })).json.data;
  const usePasskey = (page: BrowserPage): Promise<void> => page.click('dialog button:has-text("Use passkey")');

  browserTest('a checkout can be overpaid, paid late or failed, and the link to its payment page copied', async () => {
    const { page, context } = await signIn('developer');
    const simulate = async (button: string): Promise<void> => {
      const { reference } = await startCheckout();
      await goTo(page, `checkouts/${reference}`);
      await page.click(`button:has-text("${button}")`);
    };
    await simulate('Pay more');
    await shows(page, 'Paid, with ₦100.00 too much.');
    await shows(page, 'You decide what happens with it.');
    await simulate('Pay late');
    await page.waitForSelector('main li .badge:has-text("late")');
    await shows(page, 'Paid, after its time was up.');
    await simulate('Fail');
    await shows(page, 'It failed and no longer waits for a transfer.');
    expect(await page.isVisible('button:text-is("Fail")')).toBe(false);

    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { reference, checkout_url } = await startCheckout();
    await goTo(page, `checkouts/${reference}`);
    await page.click('button[aria-label="Copy the link"]');
    await page.waitForSelector('button:has-text("Copied")');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(checkout_url.replace('127.0.0.1', 'localhost'));
  });

  browserTest('a checkout is started with everything that the payer reads, and ended before its time', async () => {
    const { page } = await signIn('developer');
    await goTo(page, 'checkouts');
    await page.click('button:has-text("New checkout")');
    await page.fill('input[name=amount]', '8500.75');
    await page.fill('input[name=payer_email]', PAYER.payer_email);
    await page.fill('input[name=payer_name]', PAYER.payer_name);
    await page.fill('input[name=description]', 'Two bags of rice');
    await page.fill('input[name=merchant_reference]', 'ORDER-3101');
    await page.selectOption('select[name=expires_in]', '300');
    await page.fill('input[name=callback_url]', 'http://shop.example.ng/thanks');
    await page.click('button:has-text("Start it")');
    await shows(page, 'Where the payer goes afterwards must be an https URL.');
    await page.fill('input[name=callback_url]', 'https://shop.example.ng/thanks');
    await page.click('button:has-text("Start it")');
    await page.waitForSelector('a:has-text("Open the payment page")');
    const [, reference] = /checkouts\/(PAY-\w+)$/.exec(page.url()) ?? [];
    const stored = async () => (await shop.api('GET', `/checkout/verify/${reference}`)).json.data;
    const { created_at, expires_at, checkout_url, ...checkout } = await stored();
    expect(checkout).toMatchObject({
      ...PAYER,
      ...{ amount: 8_500.75, description: 'Two bags of rice', merchant_reference: 'ORDER-3101' },
      callback_url: 'https://shop.example.ng/thanks',
    });
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(300_000);
    const link = `document.querySelector('a[target=_blank][href*="/pay/"]').href`;
    expect(await page.evaluate(link)).toBe(checkout_url.replace('127.0.0.1', 'localhost'));
    // In test mode there is no provider to ask.
    expect(await page.isVisible('button:has-text("Ask the provider again")')).toBe(false);
    await page.click('summary:has-text("End it now")');
    await inEachLayout(page);
    await page.click('button:has-text("End this checkout")');
    await shows(page, 'It was ended before its time.');
    await shows(page, 'checkout.expired');
    expect((await stored()).status).toBe('expired');
    expect(await page.isVisible('summary:has-text("End it now")')).toBe(false);
  });

  browserTest(
    'the message to a customer who sent too little says what to do, also when the account has closed',
    async () => {
      const { page, context } = await signIn('developer');
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const sendLess = async (rest: object) => {
        const checkout = await startCheckout({ merchant_reference: 'ORDER-3102', ...rest });
        const body = { reference: checkout.reference, amount: 2_000 };
        await shop.api('POST', '/checkout/sandbox/simulate', { body });
        await goTo(page, `checkouts/${checkout.reference}`);
        return checkout;
      };
      const { account_number } = await sendLess({});
      await page.click('button[aria-label="Copy the message"]');
      await page.waitForSelector('button:has-text("Copied")');
      const copied = String(await page.evaluate('navigator.clipboard.readText()'));
      expect(copied).toContain('We received ₦2,000.00 of ₦2,500.00 for order ORDER-3102. ₦500.00 is missing.');
      expect(copied).toContain(
        `Please send exactly ₦500.00 in one transfer to account ${account_number} at Sandbox Bank`,
      );
      await sendLess({ merchant_reference: 'ORDER-3103', expires_in: 4 });
      await shows(page, 'Please send nothing more to account');
      await inEachLayout(page);
      await page.click('a:has-text("Start a checkout of ₦500.00")');
      await page.waitForSelector('input[name=amount]');
      const typed = (name: string) => page.evaluate(`document.querySelector('input[name=${name}]').value`);
      expect([await typed('amount'), await typed('payer_email')]).toEqual(['500', PAYER.payer_email]);
      await page.click('button:has-text("Start it")');
      await shows(page, 'Waiting for the transfer.');
      await page.click('button:has-text("Pay exactly")');
      await eventually('the checkout is paid', async () => (await page.textContent('main .badge')) === 'Paid');
      expect(await textOf(page)).not.toContain('What to tell the customer');
    },
  );

  browserTest(
    'the provider of a live checkout is asked again, and the screen shows whether the provider reports anything new',
    async () => {
      const { page, context, email } = await signIn('owner');
      const { reference } = await startCheckout();
      const { data } = (await shop.api('GET', `/checkout/verify/${reference}`)).json;
      const answer = (version: number) => ({
        status: 200,
        contentType: 'application/json',
        body: JSON.stringify({ status: true, data: { ...data, mode: 'live', version } }),
      });
      let version = data.version;
      await page.route('**/v1/checkout/verify/*', (request) => request.fulfill(answer(data.version)));
      await page.route('**/requery', (request) => request.fulfill(answer(version)));
      const ask = () => page.click('button:has-text("Ask the provider again")');
      await goTo(page, `checkouts/${reference}`, 'live');
      expect(await page.isVisible('button:has-text("Ask the provider again")')).toBe(false);
      await addPasskey(context, page, email);
      await goTo(page, `checkouts/${reference}`, 'live');
      await ask();
      await shows(page, 'Paystack reports no new money. You can ask again in ten seconds.');
      version += 1;
      await ask();
      await shows(page, 'The provider reports something new. Read the status above.');
    },
  );

  browserTest('a developer opens one other account for a payer if there are two providers', async () => {
    const { page } = await signIn('developer');
    const { reference } = await startCheckout();
    await goTo(page, `checkouts/${reference}`);
    await page.click('button:has-text("Open another account")');
    await shows(page, 'No other provider can open an account for this checkout.');
    await stack.ops('business', 'set', shop.id, '--routing');
    const routed = await startCheckout();
    await goTo(page, `checkouts/${routed.reference}`);
    expect(await textOf(page)).not.toContain('also counts');
    await page.click('button:has-text("Open another account")');
    await shows(page, 'at Sandbox Bank (monnify) now.');
    await shows(page, 'at Monnify, current, open until');
    await shows(page, `${routed.account_number} Sandbox Bank (paystack), at Paystack, also counts, open until`);
    await inEachLayout(page);
    await page.click('button:has-text("Open another account")');
    await shows(page, 'No other provider can open an account for this checkout.');
    await stack.ops('business', 'set', shop.id, '--no-routing');
    await page.click('button:has-text("Pay exactly")');
    await eventually(
      'the paid checkout offers no other account',
      async () => !(await page.isVisible('button:has-text("Open another account")')),
    );
    const viewer = await signIn('viewer');
    await goTo(viewer.page, `checkouts/${reference}`);
    expect(await viewer.page.isVisible('button:has-text("Open another account")')).toBe(false);
  });

  browserTest('a virtual account can be closed for good', async () => {
    const { page } = await signIn('developer');
    const body = { ...CUSTOMER, banks: ['paystack'] };
    const { id } = (await shop.api('POST', '/virtual-accounts', { body })).json.accounts[0];
    await goTo(page, `virtual-accounts/${id}`);
    await page.click('summary:has-text("Deactivate")');
    await page.click('button:has-text("Deactivate it")');
    await page.waitForSelector('main .badge:not([title=active])');
    await eventually(
      'the closed account has no button to deactivate it',
      async () => !(await textOf(page)).includes('Deactivate it'),
    );
    const { status } = (await shop.api('GET', `/virtual-accounts/${id}`)).json.data;
    expect(status).not.toBe('active');
    expect(await page.evaluate(`document.querySelector('main .badge').title`)).toBe(status);
  });

  browserTest('an endpoint can be switched off and on, changed and deleted', async () => {
    const { page } = await signIn('developer');
    const receiver = await startReceiver();
    const { id } = (await shop.api('POST', '/webhook-endpoints', { body: { url: receiver.url } })).json.data;
    const stored = async () => (await shop.api('GET', `/webhook-endpoints/${id}`)).json.data;
    const card = `li.card:has-text("${id}")`;
    await goTo(page, 'webhooks');
    await page.click(`${card} button:has-text("Switch off")`);
    await shows(page, 'Switched off by the business.');
    expect((await stored()).enabled).toBe(false);
    expect(await page.isVisible(`${card} button:has-text("Send a test")`)).toBe(false);
    await page.click(`${card} button:has-text("Switch on")`);
    await shows(page, 'No delivery is failing.');
    expect((await stored()).enabled).toBe(true);

    await page.click(`${card} summary:has-text("URL and events")`);
    await page.fill(`${card} input[name=url]`, `${receiver.url}/moved`);
    await page.click(`${card} label:has-text("checkout.paid")`);
    await page.click(`${card} button:has-text("Save")`);
    await shows(page, 'Saved. The change also applies to events that are already on their way.');
    expect(await stored()).toMatchObject({ url: `${receiver.url}/moved`, events: ['checkout.paid'] });
    await page.waitForSelector(`${card} h2:has-text("/moved")`);

    await page.click(`${card} summary:has-text("Delete")`);
    await page.click(`${card} button:has-text("Delete it")`);
    await shows(page, 'No endpoint yet');
    expect((await shop.api('GET', `/webhook-endpoints/${id}`)).status).toBe(404);
    await receiver.stop();
  });

  browserTest('a key is revoked only if its last four characters are typed', async () => {
    const { page } = await signIn('developer');
    await goTo(page, 'keys');
    await page.click('button:has-text("Create a key")');
    await shows(page, 'It is shown only this once.');
    const key = (await page.textContent('main .strong code')) ?? '';
    await page.click('text=I have stored it');
    const call = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${stack.baseUrl}/api/v1/checkouts`, { headers })).status;
    };
    const lastFour = key.slice(-4);
    const card = `li.card:has(h2:has-text("${lastFour}"))`;
    await page.click(`${card} summary:has-text("Revoke")`);
    await page.fill(`${card} input[name=last_four]`, lastFour === 'aaaa' ? 'bbbb' : 'aaaa');
    await page.click(`${card} button:has-text("Revoke this key")`);
    await shows(page, 'These are not the last four characters of this key.');
    expect(await call()).toBe(200);
    await page.fill(`${card} input[name=last_four]`, lastFour);
    await page.click(`${card} button:has-text("Revoke this key")`);
    await page.waitForSelector(`${card} .badge:has-text("ended")`);
    expect(await call()).toBe(401);
    expect(await page.isVisible(`${card} summary`)).toBe(false);
  });

  browserTest('payments and the audit log are exported as CSV without formulas', async () => {
    const email = '+clerk@ada-stores.example.com';
    await stack.ops('member', 'invite', email, '--business', shop.id, '--role', 'developer');
    const { page } = await signInAs(email);
    await page.addInitScript(KEEP_FILES);
    const { reference } = await startCheckout({ merchant_reference: '@ORDER' });
    const sender = { reference, amount: 2_500, sender_name: '=HYPERLINK("https://evil.example")' };
    await shop.api('POST', '/checkout/sandbox/simulate', { body: sender });
    const save = async (screen: string, name: string): Promise<readonly string[]> => {
      await goTo(page, screen);
      await page.click('button:has-text("Export as CSV")');
      await shows(page, `Saved as ${name}.`);
      const text = await eventually('the exported file is saved', () => page.evaluate('window.files.at(-1)'));
      return String(text).split('\r\n');
    };
    const payments = await save('payments?payer_email=tunde.bakare@example.com', 'payments-test.csv');
    expect(payments[0]).toMatch(/^id,recorded_at,paid_at,mode,outcome,currency,amount,/);
    const line = payments.find((row) => row.includes(reference));
    expect(line).toContain(`,"'@ORDER",`);
    expect(line).toContain(`,"'=HYPERLINK(""https://evil.example"")",`);
    expect(await save('payments?payer_email=nobody@example.com', 'payments-test.csv')).toEqual([payments[0], '']);

    await goTo(page, 'keys');
    await page.click('button:has-text("Create a key")');
    await shows(page, 'It is shown only this once.');
    await page.click('text=I have stored it');
    const log = await save(`audit-log?actor=${encodeURIComponent(email)}`, 'audit-log.csv');
    expect(log[0]).toBe('id,at,who,what,outcome,error,target,mode,address');
    expect(log[1]).toMatch(/^"log_\w{26}","[^"]+","'\+clerk@ada-stores\.example\.com","created the test secret key /);
    expect(log.slice(2)).toEqual(['']);
  });

  browserTest('the profile is changed with a passkey, and a viewer can read it', async () => {
    const { page, context, email } = await signIn('owner');
    await addPasskey(context, page, email);
    await goTo(page, 'business');
    await page.fill('input[name=display_name]', 'Ada’s Stores');
    await page.fill('input[name=support]', 'help@ada-stores.example.com');
    await page.click('button:has-text("Save")');
    await usePasskey(page);
    await shows(page, 'Saved. Payment pages show the new profile within a minute.');
    const viewer = await signIn('viewer');
    await goTo(viewer.page, 'business');
    await shows(viewer.page, 'Ada’s Stores');
    await shows(viewer.page, 'help@ada-stores.example.com');
  });

  browserTest('an owner without a passkey chooses which mails to get, and a reload keeps the choice', async () => {
    const { page } = await signIn('owner');
    await goTo(page, 'account');
    const chosen = () =>
      Promise.all(
        ['daily_summary', 'endpoints'].map((name) =>
          page.evaluate(`document.querySelector('input[name=${name}]').checked`),
        ),
      );
    expect(await chosen()).toEqual([false, true]);
    await page.click('input[name=daily_summary]');
    await page.click('input[name=endpoints]');
    await page.click('button:has-text("Save")');
    await shows(page, 'Saved.');
    await page.reload();
    await page.waitForSelector('input[name=daily_summary]');
    expect(await chosen()).toEqual([true, false]);
  });

  browserTest('a member ends the session of another browser, and removes a passkey', async () => {
    const { page, context, email } = await signIn('owner');
    const other = await signInAs(email);
    await goTo(page, 'account');
    await page.click('button:has-text("End this session")');
    await eventually('only one session is left', async () => !(await textOf(page)).includes('End this session'));
    await other.page.reload();
    await other.page.waitForSelector('text=Mail me a code');
    await addPasskey(context, page, email);
    await goTo(page, 'account');
    await page.click('main li.card summary:has-text("Remove")');
    await page.click('button:has-text("Remove this passkey")');
    await usePasskey(page);
    await eventually(
      'the passkey is gone',
      async () => !(await page.isVisible('button:has-text("Remove this passkey")')),
    );
  });

  browserTest('an owner resets the passkeys of a member who lost them', async () => {
    const lost = await signIn('developer');
    await addPasskey(lost.context, lost.page, lost.email);
    const { page, context, email } = await signIn('owner');
    await addPasskey(context, page, email);
    await goTo(page, 'team');
    const card = `li.card:has-text("${lost.email}")`;
    await page.click(`${card} summary:has-text("Reset passkeys")`);
    await page.click(`${card} button:has-text("Reset the passkeys")`);
    await usePasskey(page);
    await eventually('the developer has no passkey', async () => {
      const { passkeys } = await stack.ops('member', 'passkeys', lost.email, '--business', shop.id);
      return passkeys.length === 0;
    });
    await lost.page.reload();
    await lost.page.waitForSelector('text=Mail me a code');
  });
});
