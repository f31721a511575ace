import { readFileSync } from 'node:fs';
import { CONTACT_PLACEHOLDER } from '#infra/openapi/server-placeholder.ts';
import { escapeHtml } from '#shared/pages/html.ts';
import { sourceHash } from '#shared/pages/source-hash.ts';
import { START } from './links.ts';
import { renderNavigation } from './navigation.ts';
import type { Page } from './pages.ts';
import type { ParsedDocument } from './parsed.ts';

const readFileBeside = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** The style and the scripts of every page. The theme script runs before anything is drawn. */
const ASSETS = {
  style: readFileBeside('./style.css'),
  theme: readFileBeside('./theme.js'),
  script: readFileBeside('./script.js'),
};

/** The pages' Content-Security-Policy: allows their own scripts and style by hash, and requests to this service only. */
export const POLICY = [
  "default-src 'none'",
  `script-src ${sourceHash(ASSETS.theme)} ${sourceHash(ASSETS.script)}`,
  `style-src ${sourceHash(ASSETS.style)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The content that differs from page to page. */
export interface PageContent {
  readonly title: string;
  readonly main: string;
  /** The page's path in the menu; undefined for a page that the menu does not have. */
  readonly path: string | undefined;
}

/** Makes the whole HTML document of a page. It is readable without its script. */
export const renderShell = (
  { info }: ParsedDocument,
  pages: readonly Page[],
  { title, main, path }: PageContent,
): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(info.summary)}">
<title>${escapeHtml(path === START ? info.title : `${title} · ${info.title}`)}</title>
<link rel="icon" href="data:,">
<link rel="alternate" type="application/json" title="OpenAPI" href="/api/v1/openapi.json">
<script>${ASSETS.theme}</script>
<style>${ASSETS.style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="${START}">${escapeHtml(info.title)}</a>
<div class="search" role="search" hidden>
<input type="search" id="search" placeholder="Search" aria-label="Search the documentation" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
<ul id="results" role="listbox" aria-label="Results" hidden></ul>
</div>
<p class="tools"><a href="/api/v1/openapi.json">OpenAPI</a> <a href="/api/v1/openapi.yaml">YAML</a> <a href="/api/v1/postman.json">Postman</a> <a href="/llms.txt">llms.txt</a></p>
<button type="button" class="theme" hidden>Theme</button>
</header>
${renderNavigation(pages, path)}
<main id="content" tabindex="-1">
${main}
<p class="foot">Is something missing, or does something not work? Contact ${CONTACT_PLACEHOLDER}. Quote the <code>request_id</code> of the answer if you have one.</p>
</main>
<script>${ASSETS.script}</script>
</body>
</html>
`;
