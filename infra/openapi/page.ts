import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync, constants } from 'node:zlib';

const readBeside = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Redoc's logo, the only thing that it would fetch from elsewhere. */
const LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const EMPTY_IMAGE = 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E';

/** Redoc's inline style for scroll bars, removed because the page's Content-Security-Policy would have to allow it. */
const SCROLL_BARS = /(\.push\(\[\w\.id,)"\.ps\{(?:[^"\\]|\\.)*","",\{version:3,.*?\}\]\)/s;

const require = createRequire(import.meta.url);
const inRedoc = (name: string): string => readFileSync(require.resolve(`redoc/${name}`), 'utf8');

/** The licence notices of Redoc and what it contains, as an HTML comment; two hyphens would end it. */
const notices = (): string =>
  ['LICENSE', 'bundles/redoc.standalone.js.LICENSE.txt'].map(inRedoc).join('\n').replaceAll(/-{2,}/g, '-');

/** Redoc as one script, without anything that would end the page's script element. */
const redoc = (): string => {
  const script = inRedoc('bundles/redoc.standalone.js')
    .replace(/^\/\/# sourceMappingURL=.*$/m, '')
    .replaceAll(/<\/script/gi, '<\\/script');
  if (!script.includes(LOGO) || !SCROLL_BARS.test(script)) {
    throw new Error('Redoc has changed: check in infra/openapi/page.ts what must be removed from it.');
  }
  return script.replaceAll(LOGO, EMPTY_IMAGE).replace(SCROLL_BARS, '$1""])');
};

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Only the page's own scripts run, by their hashes, and they reach nothing but this API. The hash of nothing is for the empty style
 * element that Redoc fills rule by rule; its search runs in a worker that it makes of its own text.
 */
const policyOf = (scripts: readonly string[], style: string): string =>
  [
    "default-src 'none'",
    `script-src ${scripts.map(hashOf).join(' ')}`,
    `style-src ${hashOf(style)} ${hashOf('')}`,
    "connect-src 'self'",
    'img-src data:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const html = (style: string, scripts: readonly string[]): string => `<!doctype html>
<html lang="en">
<!-- ${notices()} -->
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Virtual bank accounts, checkouts by bank transfer, and signed webhooks: the API document.">
<title>Payments API</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main id="docs"><p class="wait">Loading the API document. Without JavaScript, read <a href="/api/v1/openapi.json">openapi.json</a>.</p></main>
${scripts.map((script) => `<script>${script}</script>`).join('\n')}
</body>
</html>
`;

/** A page to serve: compressed with brotli, with its ETag and its Content-Security-Policy. */
export interface DocsPage {
  readonly policy: string;
  readonly etag: string;
  readonly brotli: Buffer;
}

/**
 * Makes the page that shows the API document. It loads nothing from other origins.
 * @param quality brotli's quality, 0 to 11.
 */
export const makePage = (quality: number): DocsPage => {
  const [style, scripts] = [readBeside('./page.css'), [redoc(), readBeside('./page-start.js')]] as const;
  const page = html(style, scripts);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: page.length,
  };
  return {
    policy: policyOf(scripts, style),
    etag: `W/"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`,
    brotli: brotliCompressSync(page, { params }),
  };
};
