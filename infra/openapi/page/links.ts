import { lexer } from 'marked';
import { FIRST_CHAPTERS, type GuideChapter } from '#infra/openapi/guide.ts';
import { makeSlug } from './html.ts';
import { type Operation, type ParsedDocument, resolveSchema } from './parsed.ts';

/* Makes the links to everything on the documentation pages: the path of a page, and an id within the page. */

/** The path of the first page. */
export const START = '/docs';
/** The path of the page with objects. */
export const OBJECTS = '/docs/objects';

/** Makes the id of an error code's row. */
export const errorId = (code: string): string => `error-${code}`;
/** Makes the id of a webhook. */
export const eventId = (type: string): string => `event-${type}`;
/** Makes the id of a group of endpoints. */
export const tagId = (name: string): string => `api-${makeSlug(name)}`;
/** Makes the id of an object. */
export const objectId = (name: string): string => `object-${name}`;
/** Makes the id of a heading within a chapter. */
export const headingId = (chapter: string, title: string): string => `${chapter}-${makeSlug(title)}`;

const isFirst = (chapter: string): boolean => FIRST_CHAPTERS.includes(chapter);
/** Makes the path of a chapter's page. */
export const chapterPath = (chapter: string): string => (isFirst(chapter) ? START : `${START}/${chapter}`);
/** Makes the link to a chapter. */
const chapterHref = (chapter: string): string => (isFirst(chapter) ? `${START}#${chapter}` : chapterPath(chapter));
/** Makes the path of the page of a group of endpoints, or of the webhooks. */
export const groupPath = (name: string): string => `${START}/api/${makeSlug(name)}`;
/** Makes the link to an endpoint. */
export const endpointHref = ({ tags: [tag = ''], operationId }: Operation): string =>
  `${groupPath(tag)}#${operationId}`;
/** Makes the link to a webhook. */
export const eventHref = ({ tags: [tag = ''], summary }: Operation): string => `${groupPath(tag)}#${eventId(summary)}`;
/** Makes the link to an object. */
export const objectHref = (name: string): string => `${OBJECTS}#${objectId(name)}`;
/** Makes the link to an error code in the guide's table. */
export const errorHref = (code: string): string => `${chapterPath('errors')}#${errorId(code)}`;

/** Finds the webhook that has a schema as its body, by the constant `type`; undefined for any other schema. */
export const findEvent = ({ components, webhooks }: ParsedDocument, name: string): Operation | undefined => {
  const type = components.schemas[name]?.properties?.type?.const;
  return webhooks.find(({ summary }) => summary === type);
};

/** A heading of a chapter with its id. */
export interface GuideHeading {
  readonly id: string;
  readonly title: string;
  readonly depth: number;
}

/** Lists the headings of a chapter in their order. */
export const listHeadings = ({ slug: chapter, markdown }: GuideChapter): readonly GuideHeading[] =>
  lexer(markdown).flatMap((token) => {
    if (token.type !== 'heading') return [];
    const { text, depth } = token as { text: string; depth: number };
    return [{ id: headingId(chapter, text), title: text, depth }];
  });

/** Lists the error codes of an operation, each with its status, its example and a note. */
export const listErrors = ({ responses }: Operation) =>
  Object.entries(responses)
    .filter(([status]) => /^[45]\d\d$/.test(status))
    .flatMap(([status, { content }]) =>
      Object.entries(content?.['application/json']?.examples ?? {}).map(([code, { value, description = '' }]) => ({
        status,
        code,
        value,
        note: description,
      })),
    );

/** The names that prose may use, each with its link. */
export interface Links {
  /** Titles of chapters, headings, groups and endpoints: bold or italic text with such a title becomes a link. */
  readonly titles: ReadonlyMap<string, string>;
  /** Error codes, event types and objects: inline code with such a name becomes a link. */
  readonly names: ReadonlyMap<string, string>;
}

/** Collects the links from the document and the guide. */
export const findLinks = (document: ParsedDocument): Links => {
  const { endpoints, webhooks, tags, chapters, components } = document;
  // Some codes belong to no operation: only the guide's table has them.
  const inGuide = chapters.flatMap(({ markdown }) => [...markdown.matchAll(/^\| `(\w+)` \| \d{3} \|/gm)]);
  const codes = [...inGuide.map(([, code = '']) => code), ...endpoints.flatMap(listErrors).map(({ code }) => code)];
  // Chapters come last, because the chapter “Webhooks” must win over the group with the same name.
  return {
    titles: new Map([
      ...tags.map(({ name }) => [name, groupPath(name)] as const),
      ...endpoints.map((endpoint) => [endpoint.summary, endpointHref(endpoint)] as const),
      ...chapters.flatMap((chapter) =>
        listHeadings(chapter).map(({ title, id }) => [title, `${chapterPath(chapter.slug)}#${id}`] as const),
      ),
      ...chapters.map(({ title, slug: name }) => [title, chapterHref(name)] as const),
    ]),
    names: new Map([
      ...codes.map((code) => [code, errorHref(code)] as const),
      ...webhooks.map((webhook) => [webhook.summary, eventHref(webhook)] as const),
      ...Object.keys(components.schemas)
        .filter((name) => resolveSchema(document, { $ref: `#/components/schemas/${name}` }).properties)
        .map((name) => [name, objectHref(name)] as const),
    ]),
  };
};
