import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkoutAssets } from '#infra/pages/checkout-assets.ts';
import type { BusinessProfile } from '#shared/businesses/domain/profile.ts';
import { checkoutPage, type PageDocument } from '#shared/pages/checkout/document.ts';
import {
  type Browser,
  type BrowserPage,
  inBrowser,
  isBrowserRun,
  openBrowser,
  watchPage,
} from '#test/support/worlds/browser.ts';
import { expectGoodLayouts } from '#test/support/worlds/page-layout.ts';
import { everyView } from '#test/support/worlds/payer-views.ts';
import { pendingCheckout, shownAttempt } from '#test/unit/api/examples.ts';

/*
 * Tests every view of the payment page under hard conditions: the longest names, 180 px width, letters of double size, and paper. A server in this file serves
 * the views with their own policy, and answers nothing else.
 */

const LIMIT_MS = 60_000;
const NARROW = { width: 180, height: 640 };

const PROFILE: BusinessProfile = {
  displayName: 'Bukola & Daughters Fabrics, Tailoring and Interior Decoration (Surulere), Nigeria Ltd.',
  support: { kind: 'email', address: 'customer.support.and.complaints@bukola-and-daughters-fabrics.example.ng' },
  websites: [],
  brandColor: '#0a7d4f',
  isRouted: true,
  logo: { id: 'lgo_wide', type: 'image/png', width: 1, height: 1 },
};
/** A white dot for the logo. The page reserves the logo's space. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==',
  'base64',
);
const PENDING = {
  ...pendingCheckout(
    {
      description: 'Six yards of ankara, tailoring and delivery to Surulere',
      merchantReference: 'ORDER-2026-00417-SURULERE-BRANCH-REPEATED-ORDER-0000000001',
      payerName: 'Oluwaseunfunmilayorotimikehinde Chukwuemekadibia-Nwachukwuemeka',
      callbackUrl: 'https://shop.example.ng/done',
    },
    {
      account: {
        ...shownAttempt().account,
        accountName: 'PAYBRIDGE COLLECTIONS/CUSTOMERPAYMENTSACCOUNTNUMBERSEVENTEEN',
        bankName: 'Paystack-Titan Trust Microfinance Bank (Nigeria)',
      },
    },
  ),
};
const VIEWS = everyView(PENDING, PROFILE);

const browserTest = inBrowser(LIMIT_MS);

describe('the view of the payment page', () => {
  let browser: Browser;
  let axe: string;
  let server: Server;
  let baseUrl: string;
  const pages = new Map<string, PageDocument>(
    Object.entries(VIEWS).map(([name, page]) => [`/${encodeURIComponent(name)}`, checkoutPage(page, checkoutAssets())]),
  );
  const complaints: string[] = [];

  beforeAll(async () => {
    if (!isBrowserRun) return;
    server = createServer(({ url = '' }, response) => {
      const page = pages.get(url);
      if (page) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...page.headers }).end(page.html);
      else if (url.startsWith('/logos/')) response.writeHead(200, { 'content-type': 'image/png' }).end(DOT);
      // The script's requests are answered with 304, not modified.
      else response.writeHead(304).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    ({ browser, axe } = await openBrowser());
  }, LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });

  const onPage = async (name: string, use: (page: BrowserPage) => Promise<void>): Promise<void> => {
    const context = await browser.newContext({ viewport: NARROW });
    const page = await context.newPage();
    watchPage(page, (url) => url.startsWith(baseUrl), complaints);
    await page.goto(`${baseUrl}/${encodeURIComponent(name)}`);
    await use(page);
    await context.close();
  };

  for (const name of Object.keys(VIEWS)) {
    browserTest(`“${name}” is no wider than 180 px, and no wider than 320 px in letters of double size`, () =>
      onPage(name, async (page) => {
        await expectGoodLayouts(page, axe, [
          { viewport: NARROW, colorScheme: 'light' },
          { viewport: NARROW, colorScheme: 'dark' },
        ]);
        await page.setViewportSize({ width: 320, height: 640 });
        await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      }),
    );
  }

  for (const name of Object.keys(VIEWS).filter((key) => VIEWS[key]?.view.kind === 'paid')) {
    browserTest(`“${name}” prints as a receipt on one page of A4 and of 80 mm, black on white`, () =>
      onPage(name, async (page) => {
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
        const isPrinted = (selector: string) =>
          page.evaluate(`[...document.querySelectorAll('${selector}')].some((element) => element.checkVisibility())`);
        expect(await isPrinted('.receipt dd')).toBe(true);
        for (const left of ['button', 'a.primary', 'a.quiet', '.leaving', '.simulator', 'footer', 'h1']) {
          expect([left, await isPrinted(left)]).toEqual([left, false]);
        }
        const colours = await page.evaluate(
          `[document.body, document.querySelector('main')].map((element) => getComputedStyle(element)).map(({ color, backgroundColor }) => [color, backgroundColor])`,
        );
        expect(colours).toEqual([
          ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'],
          ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'],
        ]);
        for (const paper of [
          { width: '210mm', height: '297mm' },
          { width: '80mm', height: '297mm' },
        ]) {
          const printed = (await page.pdf(paper)).toString('latin1');
          expect([paper.width, printed.match(/\/Type\s*\/Page\b/g)?.length]).toEqual([paper.width, 1]);
        }
      }),
    );
  }
});
