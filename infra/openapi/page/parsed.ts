import * as z from 'zod';
import { makeDocument } from '#infra/openapi/document.ts';
import { chapters, type GuideChapter } from '#infra/openapi/guide.ts';

/* Reads the API document for the pages. All references are resolved, except references to schemas. */

/** A JSON Schema of the document, with the keywords that the pages show. */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  /** Today's values of a string that may get more values. */
  readonly 'x-extensible-enum'?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly required?: readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly items?: Schema | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly allOf?: readonly Schema[] | undefined;
}

const schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    'x-extensible-enum': z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    default: z.unknown().optional(),
    format: z.string().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    required: z.array(z.string()).optional(),
    properties: z.record(z.string(), schema).optional(),
    // After a tuple, `false` means no further entries.
    items: z.union([schema, z.boolean().transform(() => undefined)]).optional(),
    anyOf: z.array(schema).optional(),
    oneOf: z.array(schema).optional(),
    allOf: z.array(schema).optional(),
  }),
);

const example = z.object({ summary: z.string().optional(), description: z.string().optional(), value: z.unknown() });
const header = z.object({ description: z.string(), example: z.unknown().optional() });
const media = z.object({ schema: schema.optional(), examples: z.record(z.string(), example).optional() });
const content = z.record(z.string(), media);

const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().optional(),
  description: z.string(),
  example: z.unknown().optional(),
  schema,
});

const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(
    z.string(),
    z.object({
      description: z.string(),
      headers: z.record(z.string(), header).optional(),
      content: content.optional(),
    }),
  ),
});

const items = z.record(z.string(), z.record(z.string(), operation));

const parsed = z.object({
  info: z.object({ title: z.string(), version: z.string(), summary: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: items,
  webhooks: items,
  components: z.object({
    schemas: z.record(z.string(), schema),
  }),
});

/** A parameter of a request. */
export type Parameter = z.infer<typeof parameter>;
/** An endpoint or a webhook. */
export type Operation = z.infer<typeof operation>;
/** An example of a request or an answer. */
export type ParsedExample = z.infer<typeof example>;

/** An endpoint with its method in upper case, and its path. */
export interface Endpoint extends Operation {
  readonly method: string;
  readonly path: string;
}

/** The parts of the API document that the pages show. */
export interface ParsedDocument extends Omit<z.infer<typeof parsed>, 'paths' | 'webhooks'> {
  /** The guide, which people read before the endpoints. */
  readonly chapters: readonly GuideChapter[];
  readonly endpoints: readonly Endpoint[];
  /** The webhooks in the order of the document. Their `summary` is the event type. */
  readonly webhooks: readonly Operation[];
}

const COMPONENT = '#/components/';
const SCHEMA = `${COMPONENT}schemas/`;

/** Replaces references to parameters, headers and examples by their targets. */
const resolveRefs = (value: unknown, components: Readonly<Record<string, Record<string, unknown>>>): unknown => {
  if (Array.isArray(value)) return value.map((item) => resolveRefs(item, components));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === 'string' && !$ref.startsWith(SCHEMA)) {
    const [kind = '', name = ''] = $ref.slice(COMPONENT.length).split('/');
    return resolveRefs(components[kind]?.[name], components);
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveRefs(item, components)]));
};

/**
 * Parses the API document for the pages.
 * @throws ZodError if the document has a form that the pages cannot show.
 */
export const parseDocument = (document: ReturnType<typeof makeDocument> = makeDocument()): ParsedDocument => {
  const { components } = z
    .object({ components: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(document);
  const { paths, webhooks, ...rest } = parsed.parse(resolveRefs(document, components));
  return {
    ...rest,
    chapters: chapters(),
    endpoints: Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, endpoint]) => ({ ...endpoint, method: method.toUpperCase(), path })),
    ),
    webhooks: Object.values(webhooks).flatMap((item) => Object.values(item)),
  };
};

/** Reads the name of the component that a schema refers to; undefined if it is no reference. */
export const parseComponentName = ({ $ref }: Schema): string | undefined => $ref?.slice(SCHEMA.length);

/** Merges the schemas of an `allOf`. */
const mergeSchemas = (parts: readonly Schema[]): Schema => {
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  return {
    ...Object.assign({}, ...parts),
    ...(Object.keys(properties).length > 0 && { properties }),
    required: parts.flatMap(({ required = [] }) => required),
  };
};

/** Resolves a schema: follows its reference, and merges its `allOf`. The description of a reference replaces its target's. */
export const resolveSchema = (document: Pick<ParsedDocument, 'components'>, schema: Schema): Schema => {
  const target = document.components.schemas[parseComponentName(schema) ?? ''];
  if (target)
    return { ...resolveSchema(document, target), ...(schema.description && { description: schema.description }) };
  const { allOf, ...rest } = schema;
  return allOf ? mergeSchemas([...allOf.map((part) => resolveSchema(document, part)), rest]) : schema;
};
