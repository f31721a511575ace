import { lexer } from 'marked';
import { slug } from './html.ts';
import { follow, type Operation, type Parsed } from './parsed.ts';

/* Where everything that the page shows stands in it. */

/** The id of an error code's row. */
export const errorId = (code: string): string => `error-${code}`;
/** The id of a webhook. */
export const eventId = (type: string): string => `event-${type}`;
/** The id of a group of endpoints. */
export const tagId = (name: string): string => `api-${slug(name)}`;
/** The id of an object. */
export const objectId = (name: string): string => `object-${name}`;

/** The type of event whose body a schema is, by its constant `type`; undefined for any other schema. */
export const eventTypeOf = ({ components, webhooks }: Parsed, name: string): string | undefined => {
  const type = components.schemas[name]?.properties?.type?.const;
  return webhooks.find(({ summary }) => summary === type)?.summary;
};

/** A heading of the guide with its id. */
export interface GuideHeading {
  readonly id: string;
  readonly title: string;
  readonly depth: number;
}

/** The headings of the guide, in their order. One below a chapter has the chapter's id before its own. */
export const guideHeadings = (markdown: string): readonly GuideHeading[] => {
  let chapter = '';
  return lexer(markdown).flatMap((token) => {
    if (token.type !== 'heading') return [];
    const { text, depth } = token as { text: string; depth: number };
    if (depth === 1) chapter = slug(text);
    return [{ id: depth === 1 ? chapter : `${chapter}-${slug(text)}`, title: text, depth }];
  });
};

/** The error codes that an operation answers with, each with its status, its example and what has to be known besides. */
export const refusalsIn = ({ responses }: Operation) =>
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

/** What prose may name, and where it stands. */
export interface Links {
  /** Titles of chapters, groups and endpoints, as bold and italic text names them. */
  readonly titles: ReadonlyMap<string, string>;
  /** Error codes and event types, as code names them. */
  readonly names: ReadonlyMap<string, string>;
}

/** Finds what prose may name: nothing here is listed by hand. */
export const linksOf = (document: Parsed): Links => {
  const { endpoints, webhooks, tags, guide, components } = document;
  // One that no operation answers with is in the guide's table alone.
  const inGuide = [...guide.matchAll(/^\| `(\w+)` \| \d{3} \|/gm)].map(([, code = '']) => code);
  const codes = [...inGuide, ...endpoints.flatMap(refusalsIn).map(({ code }) => code)];
  // The guide's chapters come last, because the one on webhooks has the name of the group.
  return {
    titles: new Map([
      ...tags.map(({ name }) => [name, tagId(name)] as const),
      ...endpoints.map(({ summary, operationId }) => [summary, operationId] as const),
      ...guideHeadings(guide).map(({ title, id }) => [title, id] as const),
    ]),
    names: new Map([
      ...codes.map((code) => [code, errorId(code)] as const),
      ...webhooks.map(({ summary }) => [summary, eventId(summary)] as const),
      ...Object.keys(components.schemas)
        .filter((name) => follow(document, { $ref: `#/components/schemas/${name}` }).properties)
        .map((name) => [name, objectId(name)] as const),
    ]),
  };
};
