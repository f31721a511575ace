import { type BrowserPage, inBrowser } from '#test/support/worlds/browser.ts';
import {
  BROWSER_LIMIT_MS,
  openDashboardForAllTests,
  shop,
  site,
  stack,
} from '#test/support/worlds/dashboard-browser.ts';
import { openBusiness } from '#test/support/worlds/merchant.ts';

/* Tests the dashboard for members who may not make changes, in live mode, and for members who just joined. */

const browserTest = inBrowser(BROWSER_LIMIT_MS);

describe('access to the dashboard', () => {
  const { openPage, codeFor, invite, signIn, textOf, shows, goTo, addWaitingPasskey, inEachLayout } =
    openDashboardForAllTests();

  const openAll = (page: BrowserPage): Promise<unknown> =>
    page.evaluate(`document.querySelectorAll('main details').forEach((details) => { details.open = true; })`);

  browserTest('a member who may not change keys sees the whitelists of keys, and when a rolled key ends', async () => {
    const store = await openBusiness(stack, 'Dayo Books');
    for (const { id } of [store.secretTest, store.secretLive]) {
      await stack.ops('whitelist', 'set', id, '102.89.23.0/24');
      await stack.ops('key', 'roll', id, '--grace', '24h');
    }
    for (const [role, mode] of [
      ['viewer', 'test'],
      ['viewer', 'live'],
      ['owner', 'live'],
    ] as const) {
      const { page } = await signIn(role, store);
      await goTo(page, 'keys', mode, store);
      await shows(page, 'The key works only from 102.89.23.0/24.');
      await shows(page, ', works until');
      for (const absent of ['Create a key', 'Roll', 'Revoke', 'Save the whitelist']) {
        expect([role, mode, await textOf(page)]).toEqual([role, mode, expect.not.stringContaining(absent)]);
      }
      await inEachLayout(page);
    }
  });

  browserTest(
    'live mode has a good layout in each size: without a passkey, with one that waits, and with a confirmed one',
    async () => {
      const { page, context, email } = await signIn();
      const bar = async (): Promise<string> => (await page.textContent('.live-bar')) ?? '';
      for (const screen of ['overview', 'keys', 'webhooks', 'business', 'team']) {
        await goTo(page, screen, 'live');
        expect(await bar()).toContain('It is read-only until you add a passkey');
        await inEachLayout(page);
      }
      for (const screen of ['business', 'team']) {
        await goTo(page, screen);
        await shows(page, 'You need a passkey to make changes here, and you have none.');
      }
      await addWaitingPasskey(context, page);
      for (const screen of ['business', 'team']) {
        await goTo(page, screen);
        await shows(page, 'You need a passkey to make changes here. Yours works here from');
      }
      for (const screen of ['keys', 'account']) {
        await goTo(page, screen, 'live');
        expect(await bar()).toMatch(/It is read-only until .+, a day after your passkey was added\./);
        await inEachLayout(page);
      }
      const { passkeys } = await stack.ops('member', 'passkeys', email, '--business', shop.id);
      await stack.ops('member', 'confirm-passkey', email, passkeys[0].id, '--business', shop.id);
      for (const screen of ['keys', 'checkouts', 'virtual-accounts', 'webhooks', 'business', 'team', 'account']) {
        await goTo(page, screen, 'live');
        expect(await bar()).toBe('Live mode: money is real.');
        await openAll(page);
        await inEachLayout(page);
      }
      await goTo(page, 'keys', 'live');
      await page.click('button:has-text("Create a key")');
      await page.waitForSelector('dialog[open]');
      await inEachLayout(page);
      await page.click('dialog button:has-text("Use passkey")');
      await shows(page, 'It is shown only this once.');
      await openAll(page);
      await inEachLayout(page);
    },
  );

  browserTest(
    'the screens and forms of test mode have a good layout in each size with everything unfolded',
    async () => {
      const { page } = await signIn();
      const { id } = (await shop.api('POST', '/webhook-endpoints', { body: { url: `${stack.baseUrl}/_local/inbox` } }))
        .json.data;
      for (const screen of ['overview', 'keys', 'webhooks', `webhooks/${id}`, 'team', 'account']) {
        await goTo(page, screen);
        await openAll(page);
        await inEachLayout(page);
      }
      for (const [screen, button] of [
        ['checkouts', 'New checkout'],
        ['virtual-accounts', 'New virtual account'],
      ] as const) {
        await goTo(page, screen);
        await page.click(`button:has-text("${button}")`);
        await openAll(page);
        await inEachLayout(page);
      }
    },
  );

  browserTest('a sign-in code can be pasted with spaces in and around it', async () => {
    const email = await invite();
    const { page, context } = await openPage();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${site}/dashboard`);
    await page.fill('input[name=email]', email);
    await page.click('text=Mail me a code');
    await page.waitForSelector('input[name=code]');
    const code = await codeFor(email);
    await page.evaluate(`navigator.clipboard.writeText(' ${code.slice(0, 3)} ${code.slice(3)}\\n')`);
    await page.focus('input[name=code]');
    await page.keyboard.press('Control+V');
    expect(await page.evaluate(`document.querySelector('input[name=code]').value.trim()`)).toBe(
      `${code.slice(0, 3)} ${code.slice(3)}`,
    );
    await page.keyboard.press('Enter');
    await page.waitForSelector('nav.screens');
  });
});
