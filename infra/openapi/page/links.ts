import { lexer } from 'marked';
import { FIRST_CHAPTERS, type GuideChapter } from '#infra/openapi/guide.ts';
import { slug } from './html.ts';
import { follow, type Operation, type ParsedDocument } from './parsed.ts';

/* The place of everything that the pages show: a path, and an id where it is not the whole page. */

/** The first page. */
export const START = '/docs';
/** The page of objects. */
export const OBJECTS = '/docs/objects';

/** The id of an error code's row. */
export const errorId = (code: string): string => `error-${code}`;
/** The id of a webhook. */
export const eventId = (type: string): string => `event-${type}`;
/** The id of a group of endpoints. */
export const tagId = (name: string): string => `api-${slug(name)}`;
/** The id of an object. */
export const objectId = (name: string): string => `object-${name}`;
/** The id of a heading within a chapter. */
export const headingId = (chapter: string, title: string): string => `${chapter}-${slug(title)}`;

const isFirst = (chapter: string): boolean => FIRST_CHAPTERS.includes(chapter);
/** The page of a chapter. */
export const chapterPath = (chapter: string): string => (isFirst(chapter) ? START : `${START}/${chapter}`);
/** The place of a chapter. */
const chapterHref = (chapter: string): string => (isFirst(chapter) ? `${START}#${chapter}` : chapterPath(chapter));
/** The page of a group of endpoints, or of the webhooks. */
export const groupPath = (name: string): string => `${START}/api/${slug(name)}`;
/** The place of an endpoint. */
export const endpointHref = ({ tags: [tag = ''], operationId }: Operation): string =>
  `${groupPath(tag)}#${operationId}`;
/** The place of a webhook. */
export const eventHref = ({ tags: [tag = ''], summary }: Operation): string => `${groupPath(tag)}#${eventId(summary)}`;
/** The place of an object. */
export const objectHref = (name: string): string => `${OBJECTS}#${objectId(name)}`;
/** The place of an error code: the guide's table of all. */
export const errorHref = (code: string): string => `${chapterPath('errors')}#${errorId(code)}`;

/** The webhook whose body a schema is, by its constant `type`; undefined for any other schema. */
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

/** The headings of a chapter, in their order. */
export const headingsIn = ({ slug: chapter, markdown }: GuideChapter): readonly GuideHeading[] =>
  lexer(markdown).flatMap((token) => {
    if (token.type !== 'heading') return [];
    const { text, depth } = token as { text: string; depth: number };
    return [{ id: headingId(chapter, text), title: text, depth }];
  });

/** The error codes that an operation answers with, each with its status, its example and what has to be known besides. */
export const errorsIn = ({ responses }: Operation) =>
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

/** Names that prose may use, each with its place. */
export interface Links {
  /** Titles of chapters, groups and endpoints, as bold and italic text names them. */
  readonly titles: ReadonlyMap<string, string>;
  /** Error codes and event types, as code names them. */
  readonly names: ReadonlyMap<string, string>;
}

/** Finds what prose may name: nothing here is listed by hand. */
export const findLinks = (document: ParsedDocument): Links => {
  const { endpoints, webhooks, tags, chapters, components } = document;
  // A code that no operation answers with is in the guide's table alone.
  const inGuide = chapters.flatMap(({ markdown }) => [...markdown.matchAll(/^\| `(\w+)` \| \d{3} \|/gm)]);
  const codes = [...inGuide.map(([, code = '']) => code), ...endpoints.flatMap(errorsIn).map(({ code }) => code)];
  // The guide's chapters come last, because the one on webhooks has the name of the group.
  return {
    titles: new Map([
      ...tags.map(({ name }) => [name, groupPath(name)] as const),
      ...endpoints.map((endpoint) => [endpoint.summary, endpointHref(endpoint)] as const),
      ...chapters.flatMap((chapter) =>
        headingsIn(chapter).map(({ title, id }) => [title, `${chapterPath(chapter.slug)}#${id}`] as const),
      ),
      ...chapters.map(({ title, slug: name }) => [title, chapterHref(name)] as const),
    ]),
    names: new Map([
      ...codes.map((code) => [code, errorHref(code)] as const),
      ...webhooks.map((webhook) => [webhook.summary, eventHref(webhook)] as const),
      ...Object.keys(components.schemas)
        .filter((name) => follow(document, { $ref: `#/components/schemas/${name}` }).properties)
        .map((name) => [name, objectHref(name)] as const),
    ]),
  };
};
