import { readFileSync } from 'node:fs';
import { sourceHash } from '#shared/pages/source-hash.ts';

export { escapeHtml } from '#shared/pages/html.ts';

/* The common layout of the local stack's pages, and the policy that stops their content from running as script. */

const STYLE = readFileSync(new URL('./page.css', import.meta.url), 'utf8');

/**
 * Makes the Content-Security-Policy of a page. It allows only the common style, the page's own script, and forms and the script's requests to the
 * page's own origin. With `usesWidget` it also allows our widget and the widget's frame.
 */
export const pagePolicy = (script?: string, { usesWidget = false } = {}): string =>
  [
    "default-src 'none'",
    `style-src ${sourceHash(STYLE)}`,
    ...(script === undefined
      ? []
      : [`script-src ${sourceHash(script)}${usesWidget ? " 'self'" : ''}`, "connect-src 'self'"]),
    ...(usesWidget ? ["frame-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Makes a page with a heading, a line about its purpose, and its content as HTML. */
export const htmlPage = (title: string, about: string, content: string, script?: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
  <h1>${title}</h1>
  <p class="quiet">${about}</p>
</header>
<main>${content}</main>${script === undefined ? '' : `\n<script type="module">${script}</script>`}
</body>
</html>
`;
