import { FIRST_CHAPTERS, type GuideChapter } from '#infra/openapi/guide.ts';
import { escapeHtml } from '#shared/pages/html.ts';
import { type RenderContext, renderFields, renderType } from './fields.ts';
import { renderTable } from './html.ts';
import {
  chapterPath,
  eventId,
  findLinks,
  groupPath,
  listHeadings,
  OBJECTS,
  objectHref,
  objectId,
  START,
  tagId,
} from './links.ts';
import { makeProse } from './markdown.ts';
import { renderEndpoint, renderWebhook, renderWebhooksIntroduction } from './operations.ts';
import { type Endpoint, type Operation, type ParsedDocument, resolveSchema } from './parsed.ts';

/** A part of a page, for the menu. */
interface Entry {
  readonly id: string;
  readonly html: string;
}

/** A page without the frame that all pages share. */
export interface Page {
  readonly path: string;
  readonly title: string;
  /** The group of the menu. */
  readonly group: string;
  readonly main: string;
  readonly entries: readonly Entry[];
}

/** The menu's group of endpoints, webhooks and objects. */
export const REFERENCE = 'API reference';

const renderName = (html: string): string => `<span class="name">${html}</span>`;

/** A chapter with at least this many headings begins with links to them. */
const MANY_HEADINGS = 3;

const renderChapter = (
  context: RenderContext,
  chapter: GuideChapter,
  entries: readonly Entry[],
  level: 1 | 2,
): string => {
  const { slug, title } = chapter;
  const links = entries.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`);
  const contents = `<ul class="contents" aria-label="${escapeHtml(title)}">${links.join('')}</ul>`;
  return `<section class="chapter" id="${slug}"><h${level}><a class="here" href="#${slug}">${escapeHtml(title)}</a></h${level}>
${entries.length < MANY_HEADINGS ? '' : contents}${context.prose.chapter(chapter)}</section>`;
};

const makeChapterPage = (context: RenderContext, chapter: GuideChapter): Page => {
  const { slug, title, group } = chapter;
  const entries = listHeadings(chapter)
    .filter(({ depth }) => depth === 2)
    .map(({ id, title: heading }) => ({ id, html: renderName(escapeHtml(heading)) }));
  return { path: chapterPath(slug), title, group, main: renderChapter(context, chapter, entries, 1), entries };
};

/** Renders a panel with links to everything in a group. */
const renderGroupPanel = (endpoints: readonly Endpoint[], events: readonly Operation[]): string => {
  const links = [
    ...endpoints.map(
      ({ operationId, method, path }) =>
        `<li><a href="#${operationId}"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code></a></li>`,
    ),
    ...events.map(({ summary }) => `<li><a href="#${eventId(summary)}"><code>${escapeHtml(summary)}</code></a></li>`),
  ];
  return `<p class="panel-title">${endpoints.length > 0 ? 'Endpoints' : 'Events'}</p><ul>${links.join('')}</ul>`;
};

/** Renders an event type. A line may break after its dots and underscores. */
const renderBreakableType = (type: string): string => escapeHtml(type).replaceAll(/[._]/g, '$&<wbr>');

/** Short forms of methods that fit beside a title. */
const SHORT_METHODS: Readonly<Record<string, string>> = { DELETE: 'DEL' };

const makeEndpointEntry = ({ operationId, summary, method }: Endpoint): Entry => ({
  id: operationId,
  html: `${renderName(escapeHtml(summary))} <span class="method ${method.toLowerCase()}">${SHORT_METHODS[method] ?? method}</span>`,
});

/** Renders the page of a group of endpoints, or of the webhooks. */
const makeGroupPage = (context: RenderContext, { name, description }: ParsedDocument['tags'][number]): Page => {
  const { document, prose } = context;
  const id = tagId(name);
  const [endpoints, events] = [
    document.endpoints.filter(({ tags }) => tags.includes(name)),
    document.webhooks.filter(({ tags }) => tags.includes(name)),
  ];
  const rows = [
    ...endpoints.map((endpoint) => renderEndpoint(context, endpoint)),
    ...events.map((event) => renderWebhook(context, event)),
  ];
  return {
    path: groupPath(name),
    title: name,
    group: REFERENCE,
    main: `<section class="group" id="${id}"><div class="row start"><div class="text"><h1><a class="here" href="#${id}">${escapeHtml(name)}</a></h1>
${prose.blocks(description)}${events.length > 0 ? renderWebhooksIntroduction(context) : ''}</div><div class="side panel">${renderGroupPanel(endpoints, events)}</div></div>
${rows.join('\n')}</section>`,
    entries: [
      ...endpoints.map(makeEndpointEntry),
      ...events.map(({ summary }) => ({ id: eventId(summary), html: renderName(renderBreakableType(summary)) })),
    ],
  };
};

const renderObject = (context: RenderContext, name: string): string => {
  const schema = resolveSchema(context.document, { $ref: `#/components/schemas/${name}` });
  const id = objectId(name);
  const { anyOf, oneOf } = schema;
  const several = (anyOf ?? oneOf) ? `<p>One of: ${renderType(context, { anyOf: anyOf ?? oneOf })}</p>` : '';
  return `<section class="object" id="${id}"><h2><a class="here" href="#${id}">${escapeHtml(name)}</a></h2>
${context.prose.blocks(schema.description ?? '')}${several}${renderFields(context, id, schema)}</section>`;
};

/** Renders the objects that the other pages link to, directly or through other objects, in the document's order. */
const renderObjects = (context: RenderContext, html: string): readonly (readonly [name: string, html: string])[] => {
  const sections = new Map<string, string>();
  const add = (text: string): void => {
    for (const name of Object.keys(context.document.components.schemas)) {
      if (sections.has(name) || !text.includes(`href="${objectHref(name)}"`)) continue;
      const section = renderObject(context, name);
      sections.set(name, section);
      add(section);
    }
  };
  add(html);
  return Object.keys(context.document.components.schemas).flatMap((name) => {
    const section = sections.get(name);
    return section === undefined ? [] : [[name, section] as const];
  });
};

const HEADERS = { id: 'answer-headers', title: 'Headers of answers' } as const;

/** Renders the response headers, the last section of the page of objects. */
const renderHeaders = ({ document, prose: { line } }: RenderContext): string => {
  const headers = new Map(
    document.endpoints
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap((response) => Object.entries(response.headers ?? {})),
  );
  const rows = [...headers].map(([name, { description, example }]) => ({
    cells: [`<code>${escapeHtml(name)}</code>`, line(description), `<code>${escapeHtml(String(example))}</code>`],
  }));
  return `<section class="object" id="${HEADERS.id}"><h2><a class="here" href="#${HEADERS.id}">${HEADERS.title}</a></h2>
${renderTable(HEADERS.title, ['header', 'meaning', 'example'], rows)}</section>`;
};

const makeObjectsPage = (context: RenderContext, others: readonly Page[]): Page => {
  const sections = renderObjects(context, others.map(({ main }) => main).join('\n'));
  return {
    path: OBJECTS,
    title: 'Objects',
    group: REFERENCE,
    main: `<section class="group" id="objects"><h1><a class="here" href="#objects">Objects</a></h1>
<p>Answers and webhooks consist of these objects.</p>
${sections.map(([, html]) => html).join('\n')}
${renderHeaders(context)}</section>`,
    entries: [
      ...sections.map(([name]) => ({ id: objectId(name), html: renderName(escapeHtml(name)) })),
      {
        id: HEADERS.id,
        html: renderName(HEADERS.title),
      },
    ],
  };
};

/** Groups pages by the groups of the menu, in their order. */
export const groupPages = (pages: readonly Page[]): readonly (readonly [group: string, pages: readonly Page[]])[] =>
  [...new Set(pages.map(({ group }) => group))].map((group) => [group, pages.filter((page) => page.group === group)]);

const NEXT = { id: 'where-to-go-from-here', title: 'Where to go from here' } as const;

/** Renders links to every other page, by group. */
const renderLinksToPages = (others: readonly Page[]): string => {
  const groups = groupPages(others).map(
    ([group, pages]) =>
      `<li><p class="panel-title">${escapeHtml(group)}</p><ul>${pages.map(({ path, title }) => `<li><a href="${path}">${escapeHtml(title)}</a></li>`).join('')}</ul></li>`,
  );
  const tools = `<li><p class="panel-title">For tools</p><ul><li><a href="/api/v1/openapi.json">OpenAPI as JSON</a></li><li><a href="/api/v1/openapi.yaml">OpenAPI as YAML</a></li><li><a href="/api/v1/postman.json">Collection for Postman</a></li><li><a href="/llms.txt">llms.txt</a></li></ul></li>`;
  return `<section class="chapter" id="${NEXT.id}"><h2><a class="here" href="#${NEXT.id}">${NEXT.title}</a></h2>
<ul class="cards">${groups.join('')}${tools}</ul></section>`;
};

const makeStartPage = (context: RenderContext, others: readonly Page[]): Page => {
  const { info, chapters } = context.document;
  const [introduction, ...rest] = chapters.filter(({ slug }) => FIRST_CHAPTERS.includes(slug));
  return {
    path: START,
    title: 'Introduction',
    group: introduction?.group ?? '',
    main: `<section class="chapter" id="top"><h1>${escapeHtml(info.title)}</h1>
${introduction ? context.prose.chapter(introduction) : ''}</section>
${rest.map((chapter) => renderChapter(context, chapter, [], 2)).join('\n')}
${renderLinksToPages(others)}`,
    entries: [
      ...rest.map(({ slug, title }) => ({ id: slug, html: renderName(escapeHtml(title)) })),
      { id: NEXT.id, html: renderName(NEXT.title) },
    ],
  };
};

/** Makes every page in the order of reading: the start, the chapters, the groups of endpoints, the webhooks, the objects. */
export const makePages = (document: ParsedDocument): readonly Page[] => {
  const context: RenderContext = { document, prose: makeProse(findLinks(document)) };
  const chapters = document.chapters
    .filter(({ slug }) => !FIRST_CHAPTERS.includes(slug))
    .map((chapter) => makeChapterPage(context, chapter));
  const groups = document.tags.map((tag) => makeGroupPage(context, tag));
  // The page of objects needs the content of the start page, and the start page links to the page of objects: so it is made twice.
  const start = makeStartPage(context, []);
  const objects = makeObjectsPage(context, [start, ...chapters, ...groups]);
  const others = [...chapters, ...groups, objects];
  return [makeStartPage(context, others), ...others];
};
