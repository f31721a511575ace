import { gzipSync } from 'node:zlib';
import { dashboardPage } from '#infra/pages/dashboard-page.ts';
import { sourceHash } from '#shared/pages/source-hash.ts';

/** Bytes of the packed script and style together. */
const BUDGET = 60_000;

const { html, policy } = dashboardPage();
const partOf = (tag: string): string => new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? '';

describe('the dashboard’s page', () => {
  test('stays small, script and style', () => {
    const packed = ['script', 'style'].map((tag) => gzipSync(partOf(tag)).length);
    expect(packed.reduce((sum, bytes) => sum + bytes)).toBeLessThan(BUDGET);
    expect(partOf('script').length).toBeGreaterThan(10_000);
  });

  test('lets its own script and style run and its own service be asked, and makes no HTML of texts', () => {
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${sourceHash(partOf('script'))}`,
      `style-src ${sourceHash(partOf('style'))}`,
      "connect-src 'self'",
      "img-src 'self' data:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
  });

  test('names no other host, and needs nothing else to be loaded', () => {
    const hosts = [...html.matchAll(/https?:\/\/([\w-]+(?:\.[\w-]+)+)/g)].map(([, host]) => host);
    // Names of namespaces and of documents, and the example of a hint: none is asked for anything.
    expect([...new Set(hosts)].sort()).toEqual(['shop.example.ng', 'www.w3.org']);
    expect(html).not.toMatch(/<(img|iframe)\b|\bsrc=/);
    expect(html.match(/<link\b[^>]*>/g)).toEqual([expect.stringMatching(/^<link rel="icon" href="data:[^"]+">$/)]);
  });
});
