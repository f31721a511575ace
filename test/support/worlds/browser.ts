import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { isLongRun, longTest } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { isInstalled } from './installed.ts';

/** The browser's tools have a lock file of their own, because few tests need them. */
const TOOLS = resolve('test/tools/browser');

/** The machine's Chromium; undefined if there is none. */
export const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome'].find(isInstalled);

/** CI sets REQUIRE_BROWSER, so that no test is skipped. */
const isRequired = process.env.REQUIRE_BROWSER === '1';
const hasBrowser = isRequired || CHROMIUM !== undefined;

/** Tells whether this run has tests in a browser. */
export const isBrowserRun = isLongRun && hasBrowser;

/** Makes a test in a browser, for the long run. Without a browser it is skipped, and its name says so. */
export const inBrowser =
  (limitMs: number) =>
  (name: string, work: () => Promise<void>): void => {
    if (hasBrowser) longTest(name, work, limitMs);
    else test.skip(`${name}, for want of Chromium`, () => {});
  };

/** The part of Playwright's page that tests use. Code for the page is text, because its globals are not Node's. */
export interface BrowserPage {
  readonly goto: (url: string, options?: { waitUntil: 'load' }) => Promise<unknown>;
  readonly url: () => string;
  readonly evaluate: (code: string) => Promise<unknown>;
  readonly addInitScript: (code: string) => Promise<void>;
  readonly fill: (selector: string, text: string) => Promise<void>;
  readonly click: (selector: string) => Promise<void>;
  readonly textContent: (selector: string) => Promise<string | null>;
  readonly waitForSelector: (selector: string) => Promise<unknown>;
  readonly isVisible: (selector: string) => Promise<boolean>;
  readonly keyboard: { readonly press: (key: string) => Promise<void>; readonly type: (text: string) => Promise<void> };
  readonly on: (event: 'console' | 'pageerror' | 'request', take: (note: BrowserNote) => void) => void;
  /** The page and its frames. */
  readonly frames: () => BrowserPage[];
  readonly setViewportSize: (size: View['viewport']) => Promise<void>;
  readonly emulateMedia: (media: {
    readonly colorScheme?: 'light' | 'dark';
    readonly media?: 'screen' | 'print';
  }) => Promise<void>;
  /** Prints the page as a PDF: as many sheets of this size as it needs. */
  readonly pdf: (paper: { readonly width: string; readonly height: string }) => Promise<Buffer>;
  /** Answers requests instead of the service. */
  readonly route: (url: string | RegExp, answer: (request: RoutedRequest) => Promise<void>) => Promise<void>;
  readonly unroute: (url: string | RegExp) => Promise<void>;
  readonly reload: () => Promise<unknown>;
  readonly goBack: () => Promise<unknown>;
  readonly focus: (selector: string) => Promise<void>;
  readonly selectOption: (selector: string, value: string) => Promise<unknown>;
  readonly setInputFiles: (selector: string, path: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A request that a test answers. */
export interface RoutedRequest {
  readonly fulfill: (answer: {
    readonly status: number;
    readonly contentType: string;
    readonly body: string;
  }) => Promise<void>;
  /** Leaves the request unanswered. */
  readonly abort: () => Promise<void>;
}

/** A message on a page's console, or a request of the page. */
export interface BrowserNote {
  readonly text?: () => string;
  readonly message?: string;
  readonly url?: () => string;
}

/** The settings of a browser that tests use. */
export interface View {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
}

/** The size of a page, and its colour scheme. */
export type Layout = Pick<View, 'viewport'> & { readonly colorScheme: 'light' | 'dark' };

/** Gives the sizes light and dark in turn. The seed chooses the first, so that two successive seeds show each size in both colour schemes. */
export const listLayouts = (sizes: readonly View['viewport'][]): readonly Layout[] =>
  sizes.map((viewport, i) => ({ viewport, colorScheme: (i + Math.abs(SEED)) % 2 === 0 ? 'light' : 'dark' }));

export interface Context {
  readonly newPage: () => Promise<BrowserPage>;
  readonly setOffline: (isOffline: boolean) => Promise<void>;
  readonly grantPermissions: (permissions: readonly string[]) => Promise<void>;
  readonly newCDPSession: (
    page: BrowserPage,
  ) => Promise<{ readonly send: (method: string, parameters?: object) => Promise<unknown> }>;
  readonly close: () => Promise<void>;
}

/** An open browser. */
export interface Browser {
  readonly newContext: (view: View) => Promise<Context>;
  readonly close: () => Promise<void>;
}

/** Installs the tools in another folder and then moves them into place in one step, because several test files may install them at the same time. */
const installTools = (): NodeJS.Require => {
  const place = `${TOOLS}/node_modules`;
  if (!existsSync(place)) {
    const folder = mkdtempSync(`${TOOLS}/.installing-`);
    try {
      for (const file of ['package.json', 'package-lock.json']) copyFileSync(`${TOOLS}/${file}`, `${folder}/${file}`);
      const { status, stderr } = spawnSync('npm', ['ci', '--prefix', folder], { encoding: 'utf8' });
      if (status !== 0) throw new Error(`The browser's tools were not installed: ${stderr}`);
      renameSync(`${folder}/node_modules`, place);
    } catch (error) {
      // Another test file may have installed them first.
      if (!existsSync(place)) throw error;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return createRequire(`${TOOLS}/package.json`);
};

/** Adds to `complaints`: failing scripts, violations of the page's Content-Security-Policy, and requests to other hosts. */
export const watchPage = (page: BrowserPage, isOurs: (url: string) => boolean, complaints: string[]): void => {
  page.on('console', (note) => complaints.push(note.text?.() ?? ''));
  page.on('pageerror', ({ message = '' }) => complaints.push(message));
  page.on('request', (note) => {
    const url = note.url?.() ?? '';
    if (!isOurs(url) && !url.startsWith('data:')) complaints.push(url);
  });
};

/** Opens Chromium without a window. The first call installs its tools. */
export const openBrowser = async (): Promise<{ browser: Browser; axe: string }> => {
  if (CHROMIUM === undefined) throw new Error('Install Chromium: the tests in a browser need it.');
  const require = installTools();
  const driver = 'playwright-core';
  const { chromium } = require(driver);
  const options = { executablePath: findPath(CHROMIUM), args: ['--no-sandbox', '--disable-dev-shm-usage'] };
  const browser: Browser = await chromium.launch(options);
  return { browser, axe: readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8') };
};

const findPath = (command: string): string =>
  spawnSync('sh', ['-c', `command -v ${command}`], { encoding: 'utf8' }).stdout.trim();
