import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jpeg, png } from '#test/support/pictures.ts';
import { type BrowserPage, inBrowser } from '#test/support/worlds/browser.ts';
import {
  BROWSER_LIMIT_MS,
  openDashboardForAllTests,
  PHONE,
  shop,
  site,
} from '#test/support/worlds/dashboard-browser.ts';
import { eventually } from '#test/support/worlds/merchant.ts';

/* Tests the name, colour and logo of a business, from the dashboard to the payment page. */

const browserTest = inBrowser(BROWSER_LIMIT_MS);
const folder = mkdtempSync(join(tmpdir(), 'payments-logo-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const writeFile = (name: string, content: Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const PROPERTIES = [
  ...['color', 'backgroundColor', 'fontSize', 'fontWeight', 'lineHeight', 'borderTopLeftRadius', 'textAlign'],
  ...['paddingTop', 'paddingLeft', 'borderTopWidth', 'borderTopColor', 'columnGap', 'objectFit'],
];

/** Reads how parts of a page look: the text and the style of each, and the size of an image. */
const readLooks = (page: BrowserPage, parts: readonly string[]): Promise<unknown> =>
  page.evaluate(`${JSON.stringify(parts)}.map((selector) => {
    const part = document.querySelector(selector);
    const style = getComputedStyle(part);
    const image = part instanceof HTMLImageElement && [part.width, part.height, part.naturalWidth];
    return [part.textContent, image, ...${JSON.stringify(PROPERTIES)}.map((name) => name + ': ' + style[name])];
  })`);

describe('the profile in the dashboard', () => {
  const { openPage, signIn, shows, goTo, addPasskey, inEachLayout, textOf } = openDashboardForAllTests();

  const usePasskey = (page: BrowserPage): Promise<void> => page.click('dialog button:has-text("Use passkey")');
  const waitForLogo = (page: BrowserPage, selector: string) =>
    eventually(`the logo is loaded: ${selector}`, async () =>
      Boolean(await page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.naturalWidth`)),
    );

  browserTest('shows its owner a preview of the payment page, and payers see the same after saving', async () => {
    const { page, context, email } = await signIn('owner');
    await addPasskey(context, page, email);
    await goTo(page, 'business');
    await page.fill('input[name=display_name]', 'Ada’s Fabrics & Lace');
    await page.fill('input[name=brand_color]', '#0B5C8F');
    await page.setInputFiles('input[name=logo]', writeFile('logo.png', png(240, 80)));
    await waitForLogo(page, '.sample img');
    await shows(page, 'The text on this colour is white: a contrast of 7.1 to 1.');
    await inEachLayout(page);
    await page.click('button:has-text("Save")');
    await usePasskey(page);
    await shows(page, 'Saved. Payment pages show the new profile within a minute.');
    await page.reload();
    await waitForLogo(page, '.sample img');
    const expected = await readLooks(page, [
      '.sample .head',
      '.sample .head p',
      '.sample img',
      '.sample b',
      '.sample .go',
    ]);

    const body = { amount: 8_500.75, payer_email: 'tunde.bakare@example.com', description: 'Order 1042' };
    const { checkout_url } = (await shop.api('POST', '/checkout/initialize', { body })).json.data;
    await page.goto(checkout_url.replace('127.0.0.1', 'localhost'));
    await waitForLogo(page, 'header img');
    expect(await readLooks(page, ['header', 'header p', 'header img', 'h1', 'button.primary'])).toEqual(expected);
    await inEachLayout(page);

    const phone = await openPage(PHONE);
    await phone.page.route(/\/logos\//, (request) =>
      request.fulfill({ status: 404, contentType: 'text/plain', body: 'gone' }),
    );
    await phone.page.goto(checkout_url.replace('127.0.0.1', 'localhost'));
    await eventually('the logo is gone', async () => !(await phone.page.isVisible('header img')));
    expect(await phone.page.textContent('header')).toBe('Ada’s Fabrics & Lace');
  });

  browserTest('says at the field why a file cannot be a logo, and lets a logo be removed', async () => {
    const { page, context, email } = await signIn('developer');
    await addPasskey(context, page, email);
    await goTo(page, 'business');
    await page.setInputFiles('input[name=logo]', writeFile('large.png', Buffer.alloc(82_000)));
    await page.click('button:has-text("Save")');
    await shows(page, 'A logo can have at most 64 kB. This file has 81 kB. Choose a smaller file.');
    expect(await page.isVisible('.sample img[src^=data]')).toBe(false);
    await page.setInputFiles('input[name=logo]', writeFile('page.png', Buffer.from('<script>alert(1)</script>')));
    await page.click('button:has-text("Save")');
    await usePasskey(page);
    await shows(page, 'A logo is a PNG or JPEG. This file is neither.');
    expect(await page.evaluate('[document.activeElement.name, document.activeElement.ariaInvalid]')).toEqual([
      'logo',
      'true',
    ]);
    await inEachLayout(page);
    await page.setInputFiles('input[name=logo]', writeFile('logo.jpg', jpeg(64, 64)));
    await waitForLogo(page, '.sample img');
    await page.click('button:has-text("Save")');
    await shows(page, 'Saved.');
    const src = await page.evaluate(`document.querySelector('.sample img').getAttribute('src')`);
    expect(src).toMatch(/^\/logos\/[0-9a-f]{32}$/);
    await page.click('button:has-text("Remove the logo")');
    expect(await page.evaluate('document.activeElement.name')).toBe('logo');
    await page.click('button:has-text("Save")');
    await shows(page, 'Saved.');
    await page.reload();
    await eventually('the business screen is loaded', async () => (await textOf(page)).includes('How payers see it'));
    expect(await page.isVisible('.sample img')).toBe(false);
    expect((await fetch(`${site}${src}`)).status).toBe(404);
  });
});
