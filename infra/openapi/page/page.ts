import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { SERVER_PLACEHOLDER } from '#infra/openapi/server-placeholder.ts';
import { escapeHtml } from '#shared/pages/html.ts';
import { sourceHash } from '#shared/pages/source-hash.ts';
import { fieldsOf, typeOf, type Writing } from './fields.ts';
import { tableOf } from './html.ts';
import { eventId, type GuideHeading, guideHeadings, linksOf, objectId, tagId } from './links.ts';
import { type Chapter, prose } from './markdown.ts';
import { navigation } from './navigation.ts';
import { endpointSection, webhookSection, webhooksIntroduction } from './operations.ts';
import { type Endpoint, follow, type Operation, type Parsed, parseDocument } from './parsed.ts';

const readBeside = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** The page's own parts. The theme is chosen before anything is drawn. */
const ASSETS = { style: readBeside('./style.css'), theme: readBeside('./theme.js'), script: readBeside('./script.js') };

/** Only the page's own scripts and style apply, by their hashes, and they reach nothing but this API. */
const policyOf = ({ style, theme, script }: typeof ASSETS): string =>
  [
    "default-src 'none'",
    `script-src ${sourceHash(theme)} ${sourceHash(script)}`,
    `style-src ${sourceHash(style)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** From so many headings on, a chapter begins with links to them. */
const MANY_HEADINGS = 3;

/** Links to the headings of a chapter. */
const contentsOf = ({ id, title }: Chapter, headings: readonly GuideHeading[]): string => {
  const own = headings.filter((one) => one.id.startsWith(`${id}-`));
  if (own.length < MANY_HEADINGS) return '';
  const links = own.map((one) => `<li><a href="#${one.id}">${escapeHtml(one.title)}</a></li>`);
  return `<ul class="contents" aria-label="${escapeHtml(title)}">${links.join('')}</ul>`;
};

const chapterSection = (chapter: Chapter, headings: readonly GuideHeading[]): string => {
  const { id, title, html } = chapter;
  return `<section class="chapter" id="${id}"><h2><a class="here" href="#${id}">${escapeHtml(title)}</a></h2>\n${contentsOf(chapter, headings)}${html}</section>`;
};

/** What a group has, as a panel of links. */
const panelOf = (endpoints: readonly Endpoint[], events: readonly Operation[]): string => {
  const links = [
    ...endpoints.map(
      ({ operationId, method, path }) =>
        `<li><a href="#${operationId}"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code></a></li>`,
    ),
    ...events.map(({ summary }) => `<li><a href="#${eventId(summary)}"><code>${escapeHtml(summary)}</code></a></li>`),
  ];
  return `<p class="panel-title">${endpoints.length > 0 ? 'Endpoints' : 'Events'}</p><ul>${links.join('')}</ul>`;
};

/** A group of endpoints, or the webhooks. */
const groupSection = (writing: Writing, { name, description }: Parsed['tags'][number]): string => {
  const { document, prose } = writing;
  const id = tagId(name);
  const [endpoints, events] = [
    document.endpoints.filter(({ tags }) => tags.includes(name)),
    document.webhooks.filter(({ tags }) => tags.includes(name)),
  ];
  const rows = [
    ...endpoints.map((one) => endpointSection(writing, one)),
    ...events.map((one) => webhookSection(writing, one)),
  ];
  return `<section class="group" id="${id}"><div class="row start"><div class="text"><h2><a class="here" href="#${id}">${escapeHtml(name)}</a></h2>
${prose.blocks(description)}${events.length > 0 ? webhooksIntroduction(writing) : ''}</div><div class="side panel">${panelOf(endpoints, events)}</div></div>
${rows.join('\n')}</section>`;
};

const objectSection = (writing: Writing, name: string): string => {
  const one = follow(writing.document, { $ref: `#/components/schemas/${name}` });
  const id = objectId(name);
  const { anyOf, oneOf } = one;
  const several = (anyOf ?? oneOf) ? `<p>One of: ${typeOf(writing, { anyOf: anyOf ?? oneOf })}</p>` : '';
  return `<section class="object" id="${id}"><h3><a class="here" href="#${id}">${escapeHtml(name)}</a></h3>
${writing.prose.blocks(one.description ?? '')}${several}${fieldsOf(writing, id, one)}</section>`;
};

/** The objects that the page links to, and those that these link to, in the document's order. */
const objectSections = (writing: Writing, html: string): { names: readonly string[]; html: string } => {
  const sections = new Map<string, string>();
  const add = (text: string): void => {
    for (const name of Object.keys(writing.document.components.schemas)) {
      if (sections.has(name) || !text.includes(`href="#${objectId(name)}"`)) continue;
      const section = objectSection(writing, name);
      sections.set(name, section);
      add(section);
    }
  };
  add(html);
  const names = Object.keys(writing.document.components.schemas).filter((name) => sections.has(name));
  return { names, html: names.map((name) => sections.get(name)).join('\n') };
};

/** The headers of answers, as the last of the objects. */
const headersSection = ({ document, prose: { line } }: Writing): string => {
  const headers = new Map(
    document.endpoints
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap((one) => Object.entries(one.headers ?? {})),
  );
  const rows = [...headers].map(([name, { description, example }]) => ({
    cells: [`<code>${escapeHtml(name)}</code>`, line(description), `<code>${escapeHtml(String(example))}</code>`],
  }));
  return `<section class="object" id="answer-headers"><h3><a class="here" href="#answer-headers">Headers of answers</a></h3>
${tableOf('Headers of answers', ['header', 'what it tells', 'example'], rows)}</section>`;
};

/** The page's HTML, whole and readable without its script. */
export const htmlOf = (document: Parsed): string => {
  const { info, tags, guide: text } = document;
  const writing: Writing = { document, prose: prose(linksOf(document)) };
  const [introduction, ...chapters] = writing.prose.chapters(text);
  const headings = guideHeadings(text).filter(({ depth }) => depth === 2);
  const guide = chapters.map((chapter) => chapterSection(chapter, headings)).join('\n');
  const groups = tags.map((tag) => groupSection(writing, tag)).join('\n');
  const objects = objectSections(writing, guide + groups);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(info.summary)}">
<title>${escapeHtml(info.title)}</title>
<link rel="icon" href="data:,">
<link rel="alternate" type="application/json" title="OpenAPI" href="/api/v1/openapi.json">
<script>${ASSETS.theme}</script>
<style>${ASSETS.style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="#top">${escapeHtml(info.title)}</a>
<div class="search" role="search" hidden>
<input type="search" id="search" placeholder="Search" aria-label="Search the documentation" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
<ul id="results" role="listbox" aria-label="Results" hidden></ul>
</div>
<p class="tools"><a href="/api/v1/openapi.json">OpenAPI</a> <a href="/api/v1/openapi.yaml">YAML</a> <a href="/llms.txt">llms.txt</a></p>
<button type="button" class="theme" hidden>Theme</button>
</header>
${navigation(document, objects.names)}
<main id="content" tabindex="-1">
<header id="top">
<h1>${escapeHtml(info.title)}</h1>
${introduction?.html ?? ''}
<ul class="contents" aria-label="For tools"><li><a href="/api/v1/openapi.json">OpenAPI as JSON</a></li><li><a href="/api/v1/openapi.yaml">OpenAPI as YAML</a></li><li><a href="/llms.txt">llms.txt</a></li></ul>
<noscript><p class="note">Samples call <code>${SERVER_PLACEHOLDER}</code>: write the address of this page there, as far as <code>/docs</code>. <a href="/llms.txt">llms.txt</a> and the <a href="/api/v1/openapi.json">OpenAPI document</a> have it already. With JavaScript the page does so itself, and can search and send requests.</p></noscript>
</header>
${guide}
${groups}
<section class="group" id="objects"><h2><a class="here" href="#objects">Objects</a></h2>
${objects.html}
${headersSection(writing)}</section>
</main>
<script>${ASSETS.script}</script>
</body>
</html>
`;
};

/** A page to serve: compressed with brotli, with its ETag and its Content-Security-Policy. */
export interface DocsPage {
  readonly policy: string;
  readonly etag: string;
  readonly brotli: Buffer;
}

/**
 * Makes the page that shows the API document. It loads nothing else.
 * @param quality brotli's quality, 0 to 11.
 */
export const makePage = (quality: number): DocsPage => {
  const page = htmlOf(parseDocument());
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: page.length,
  };
  return {
    policy: policyOf(ASSETS),
    etag: `W/"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`,
    brotli: brotliCompressSync(page, { params }),
  };
};
