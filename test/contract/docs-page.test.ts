import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext, Script } from 'node:vm';
import { brotliDecompressSync } from 'node:zlib';
import { makeDocument } from '#infra/openapi/document.ts';
import { makePage } from '#infra/openapi/page.ts';
import { isInstalled } from '#test/support/worlds/installed.ts';
import { startStack } from '#test/support/worlds/stack.ts';
import type { Document } from './document-check.ts';

/*
 * The page at /docs shows all of the API document: drawn by Redoc's own renderer for servers on every machine, and in a browser that
 * reaches nothing but the service where there is one.
 */

const run = promisify(execFile);
const LIMIT_MS = 240_000;
const BROWSER = ['chromium', 'chromium-browser', 'google-chrome'].find(isInstalled);

const document: Document = makeDocument();

const slug = (title: string): string => title.replaceAll(' ', '-');

/** The last two parts of what Redoc names the place of each chapter, group, endpoint and webhook. */
const placesOf = ({ info, tags, paths, webhooks }: Document): string[] => {
  const prose: string = info.description.replaceAll(/^```[\s\S]*?^```/gm, '');
  let chapter = 'section';
  const chapters = [...prose.matchAll(/^(#+) (.+)$/gm)].map(([, level, title = '']) => {
    if (level !== '#') return `${chapter}/${slug(title)}`;
    chapter = slug(title);
    return `section/${chapter}`;
  });
  const items = [...Object.values<Document>(paths), ...Object.values<Document>(webhooks)];
  const operations = items.flatMap((item) => Object.values<Document>(item));
  return [
    ...chapters,
    ...tags.map(({ name }: Document) => `tag/${slug(name)}`),
    ...operations.map(({ operationId }) => `operation/${operationId}`),
  ].sort();
};
const drawnIn = (html: string): string[] => {
  const ids = [...html.matchAll(/ id="((?:section|tag)\/[^"]+)"/g)].map(([, id = '']) => id);
  return [...new Set(ids.map((id) => id.split('/').slice(-2).join('/')))].sort();
};

/** What the page's own script asks Redoc for. */
const startOfPage = async (): Promise<{ url: string; options: object; into: string }> => {
  let start: { url: string; options: object; into: string } | undefined;
  const Redoc = {
    init: (url: string, options: object, into: string) => {
      start = { url, options, into };
    },
  };
  const text = await readFile('infra/openapi/page-start.js', 'utf8');
  runInNewContext(text, { Redoc, document: { getElementById: (id: string) => id } });
  if (!start) throw new Error('The page does not start Redoc.');
  return start;
};

test('Redoc draws every chapter, endpoint and webhook of the document', async () => {
  const { url, options, into } = await startOfPage();
  expect([url, into]).toEqual(['/api/v1/openapi.json', 'docs']);
  // React is Redoc's, not ours.
  const inRedoc = createRequire(createRequire(import.meta.url).resolve('redoc'));
  const { createStore, Redoc } = inRedoc('redoc');
  const store = await createStore(document, undefined, options);
  const html: string = inRedoc('react-dom/server').renderToString(inRedoc('react').createElement(Redoc, { store }));
  expect(drawnIn(html)).toEqual(placesOf(document));
});

test('the page’s scripts are whole, whatever was left out of them', () => {
  const html = brotliDecompressSync(makePage(0).brotli).toString();
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => text);
  expect(scripts).toHaveLength(2);
  for (const text of scripts) expect(() => new Script(text)).not.toThrow();
  expect(html).toContain('<main id="docs">');
});

const inBrowser = BROWSER ? test : test.skip;
inBrowser(
  `a browser without the internet shows all of it, and complains of nothing: ${BROWSER ?? 'for want of one'}`,
  async () => {
    const stack = await startStack();
    const profile = await mkdtemp(join(tmpdir(), 'payments-browser-'));
    const { stdout: html, stderr } = await run(
      BROWSER ?? '',
      [
        ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', `--user-data-dir=${profile}`],
        ...['--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1', '--virtual-time-budget=20000'],
        ...['--enable-logging=stderr', '--dump-dom', `${stack.baseUrl}/docs`],
      ],
      { maxBuffer: 20_000_000, timeout: LIMIT_MS / 2 },
    ).finally(async () => {
      await stack.stop();
      await rm(profile, { recursive: true, force: true });
    });
    // A script that fails, and whatever the page's policy refuses.
    expect(stderr.split('\n').filter((line) => line.includes(':CONSOLE'))).toEqual([]);
    expect(drawnIn(html)).toEqual(placesOf(document));
  },
  LIMIT_MS,
);
