import {
  type Browser,
  type BrowserPage,
  type Context,
  isBrowserRun,
  listLayouts,
  openBrowser,
  watchPage,
} from './browser.ts';
import { eventually, type Merchant, openBusiness } from './merchant.ts';
import { type Stack, startStack } from './stack.ts';

/* Opens the dashboard of a local stack in a browser, and signs in members. */

export let stack: Stack;
/** The origin of the dashboard. */
export let site: string;
/** The members' business, unless a test says otherwise. */
export let shop: Merchant;

/** The stage's contact. */
export const CONTACT = { email: 'integrations@payments.example.com' };
export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1440, height: 900 };
const LAYOUTS = listLayouts([PHONE, DESK]);

export interface OpenedPage {
  readonly page: BrowserPage;
  readonly context: Context;
}

/** The most milliseconds of a test in a browser, and of the start of the stack. */
export const BROWSER_LIMIT_MS = 180_000;

/** Opens the dashboard before the tests of a file, and closes it after them. Returns functions that use it. */
export const openDashboardForAllTests = () => {
  let browser: Browser | undefined;
  let axe = '';
  let members = 0;
  const usedCodes = new Set<string>();
  let openContexts: Context[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    if (!isBrowserRun) return;
    const env = { ROUTING_ORDER: JSON.stringify(['paystack', 'monnify']), CONTACT: JSON.stringify(CONTACT) };
    stack = await startStack({ env });
    // Passkeys work with host names, but not with IP addresses.
    site = stack.baseUrl.replace('127.0.0.1', 'localhost');
    shop = await openBusiness(stack, 'Ada Stores');
    ({ browser, axe } = await openBrowser());
  }, BROWSER_LIMIT_MS);
  afterAll(async () => {
    if (!isBrowserRun) return;
    await browser?.close();
    await stack.stop();
  });
  afterEach(async () => {
    await Promise.all(openContexts.map((context) => context.close()));
    openContexts = [];
    // The console also lists requests that the service refused; the tests check those on the page.
    expect(complaints.splice(0).filter((complaint) => !complaint.startsWith('Failed to load resource'))).toEqual([]);
  });

  const openPage = async (viewport = DESK): Promise<OpenedPage> => {
    if (!browser) throw new Error('There is no browser.');
    const context = await browser.newContext({ viewport });
    openContexts.push(context);
    const page = await context.newPage();
    watchPage(page, (url) => url.startsWith(site) || url.startsWith('blob:'), complaints);
    return { page, context };
  };

  /** Waits for a mailed code that was not used before. */
  const codeFor = (email: string): Promise<string> =>
    eventually('the code was mailed', async () => {
      const mails = await stack.mails();
      const mail = mails.find(({ to, subject }) => to === email && subject.includes('code'));
      const code = /code is (\d{8})/.exec(mail?.text ?? '')?.[1];
      if (code === undefined || usedCodes.has(code)) return undefined;
      usedCodes.add(code);
      return code;
    });

  /** Invites a new member and returns the e-mail address. Each member has an address of their own, because an address gets only a few codes. */
  const invite = async (role = 'owner', business = shop): Promise<string> => {
    members += 1;
    const email = `member-${members}@ada-stores.example.com`;
    await stack.ops('member', 'invite', email, '--business', business.id, '--role', role);
    return email;
  };

  /** Signs in a member with a code, in a new page. */
  const signInAs = async (email: string, path = '/dashboard'): Promise<OpenedPage> => {
    const opened = await openPage();
    const { page } = opened;
    await page.goto(`${site}${path}`);
    await page.fill('input[name=email]', email);
    await page.click('text=Mail me a code');
    await page.waitForSelector('input[name=code]');
    await page.fill('input[name=code]', await codeFor(email));
    await page.click('button[type=submit]');
    await page.waitForSelector('nav.screens');
    return opened;
  };
  const signIn = async (role = 'owner', business = shop, path = '/dashboard') => {
    const email = await invite(role, business);
    return { ...(await signInAs(email, path)), email };
  };

  const textOf = async (page: BrowserPage): Promise<string> => (await page.textContent('main')) ?? '';
  const shows = (page: BrowserPage, text: string): Promise<unknown> =>
    eventually(`the page shows “${text}”`, async () => (await textOf(page)).includes(text));
  const goTo = async (page: BrowserPage, path: string, mode = 'test', business = shop): Promise<void> => {
    await page.goto(`${site}/dashboard/${business.id}/${mode}/${path}`);
    await page.waitForSelector('h1');
    await eventually(`the screen ${path} is loaded`, async () => !(await textOf(page)).includes('Loading…'));
  };

  /** Adds an authenticator that verifies its user at once. */
  const addAuthenticator = async (context: Context, page: BrowserPage): Promise<void> => {
    const session = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true };
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
    });
  };
  /** Adds a passkey that waits a day before it may change live mode. */
  const addWaitingPasskey = async (context: Context, page: BrowserPage): Promise<void> => {
    await addAuthenticator(context, page);
    await goTo(page, 'account');
    await page.click('text=Add a passkey');
    await page.waitForSelector('text=It can change live mode from');
  };
  /** Adds a passkey that may change live mode. */
  const addPasskey = async (context: Context, page: BrowserPage, email: string): Promise<void> => {
    await addWaitingPasskey(context, page);
    const business = ['--business', shop.id];
    const { passkeys } = await stack.ops('member', 'passkeys', email, ...business);
    await stack.ops('member', 'confirm-passkey', email, passkeys[0].id, ...business);
  };

  /** Lists the faults of a page in its present size. */
  const listFaults = async (page: BrowserPage, width: number): Promise<string[]> => {
    const scrolls = await page.evaluate('document.documentElement.scrollWidth');
    const violations = await page.evaluate(
      `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
        .then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
    );
    return [...(scrolls === width ? [] : [`the page is ${scrolls} px wide`]), ...(violations as string[])];
  };
  /** Expects that a page has no fault in each size. */
  const inEachLayout = async (page: BrowserPage): Promise<void> => {
    await page.evaluate(axe);
    const faults: string[] = [];
    for (const { viewport, colorScheme } of LAYOUTS) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      const pageFaults = await listFaults(page, viewport.width);
      faults.push(...pageFaults.map((fault) => `${page.url()}, ${viewport.width} px, ${colorScheme}: ${fault}`));
    }
    expect(faults).toEqual([]);
  };

  return {
    ...{ openPage, codeFor, invite, signIn, signInAs, textOf, shows, goTo },
    ...{ addWaitingPasskey, addPasskey, inEachLayout },
  };
};
