import { gzipSync } from 'node:zlib';
import { dashboardPage } from '#infra/pages/dashboard-page.ts';
import { sourceHash } from '#shared/pages/source-hash.ts';

/** The most bytes of script and style together, after gzip. */
const BUDGET = 60_000;

const { html, policy } = dashboardPage();
const findPart = (tag: string): string => new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? '';

describe('the dashboard’s page', () => {
  test('has a small script and a small style', () => {
    const packed = ['script', 'style'].map((tag) => gzipSync(findPart(tag)).length);
    expect(packed.reduce((sum, bytes) => sum + bytes)).toBeLessThan(BUDGET);
    expect(findPart('script').length).toBeGreaterThan(10_000);
  });

  test('may run its own script and style and call its own service, and may not turn text into HTML', () => {
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${sourceHash(findPart('script'))}`,
      `style-src ${sourceHash(findPart('style'))}`,
      "connect-src 'self'",
      "img-src 'self' data:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
  });

  test('names no other host and loads nothing else', () => {
    const hosts = [...html.matchAll(/https?:\/\/([\w-]+(?:\.[\w-]+)+)/g)].map(([, host]) => host);
    // A namespace and the example in a hint: the page calls neither.
    expect([...new Set(hosts)].sort()).toEqual(['shop.example.ng', 'www.w3.org']);
    expect(html).not.toMatch(/<(img|iframe)\b|\bsrc=/);
    expect(html.match(/<link\b[^>]*>/g)).toEqual([expect.stringMatching(/^<link rel="icon" href="data:[^"]+">$/)]);
  });
});
