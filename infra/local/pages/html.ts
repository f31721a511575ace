import { readFileSync } from 'node:fs';
import { sourceHash } from '#shared/pages/source-hash.ts';

export { escapeHtml } from '#shared/pages/html.ts';

/* What the pages of the local stack share: how they look, and that nothing they show can run. */

const STYLE = readFileSync(new URL('./page.css', import.meta.url), 'utf8');

/** Allows a page the common style, its own script and a form to itself, and nothing else; `usesWidget`: this service's widget and its frame too. */
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

/** A page with a heading, what it is for, and its content as HTML. */
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
