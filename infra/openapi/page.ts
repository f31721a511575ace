import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync, constants } from 'node:zlib';

const beside = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** The one thing that Redoc would fetch from elsewhere: a picture of its name. */
const LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const NO_PICTURE = 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E';

/** The style of Redoc's own scroll bars, which the page does not use: an inline style that its policy would have to allow. */
const SCROLL_BARS = /(\.push\(\[\w\.id,)"\.ps\{(?:[^"\\]|\\.)*","",\{version:3,.*?\}\]\)/s;

const require = createRequire(import.meta.url);
const inRedoc = (name: string): string => readFileSync(require.resolve(`redoc/${name}`), 'utf8');

/** Whose work the page is, as their licences ask. Two hyphens would end the comment. */
const notices = (): string =>
  ['LICENSE', 'bundles/redoc.standalone.js.LICENSE.txt'].map(inRedoc).join('\n').replaceAll(/-{2,}/g, '-');

/** Redoc as one script. A closing tag in it would end the page's script element. */
const redoc = (): string => {
  const script = inRedoc('bundles/redoc.standalone.js')
    .replace(/^\/\/# sourceMappingURL=.*$/m, '')
    .replaceAll(/<\/script/gi, '<\\/script');
  if (!script.includes(LOGO) || !SCROLL_BARS.test(script)) {
    throw new Error('Redoc is another one now: see what of it needs to be left out, in infra/openapi/page.ts.');
  }
  return script.replaceAll(LOGO, NO_PICTURE).replace(SCROLL_BARS, '$1""])');
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

/** A page that may be served: packed with brotli, its ETag, and the Content-Security-Policy under which it runs. */
export interface DocsPage {
  readonly policy: string;
  readonly etag: string;
  readonly brotli: Buffer;
}

/**
 * Makes the page that shows the API document of the origin that serves it. Nothing of it comes from anywhere else.
 * @param quality brotli's, 0 to 11: how long to try to make it small.
 */
export const makePage = (quality: number): DocsPage => {
  const [style, scripts] = [beside('./page.css'), [redoc(), beside('./page-start.js')]] as const;
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
