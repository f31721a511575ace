import { escapeHtml } from '#shared/pages/html.ts';
import { eventHref, findEvent, objectHref } from './links.ts';
import type { Prose } from './markdown.ts';
import { type Parameter, type ParsedDocument, parseComponentName, resolveSchema, type Schema } from './parsed.ts';

/** The document and the prose renderer, which all parts of a page need. */
export interface RenderContext {
  readonly document: ParsedDocument;
  readonly prose: Prose;
}

/** A list with more values than this is folded. */
const MANY_VALUES = 8;

const renderCode = (value: unknown): string => `<code>${escapeHtml(String(value))}</code>`;

const listAlternatives = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? [];

/** Whether a schema belongs on the page of objects: it has fields, or one of its alternatives has fields. */
const isObject = (document: ParsedDocument, schema: Schema): boolean => {
  const resolved = resolveSchema(document, schema);
  return resolved.properties !== undefined || listAlternatives(resolved).some((part) => isObject(document, part));
};

/** Returns the fields of an answer that is an envelope: it has a boolean `status`, and `data`. Undefined for any other answer. */
export const findEnvelope = (
  document: ParsedDocument,
  schema: Schema,
): Readonly<Record<string, Schema>> | undefined => {
  const { properties } = resolveSchema(document, schema);
  return properties?.status?.type === 'boolean' && properties.data ? properties : undefined;
};

/** Finds the name of the object that a schema refers to; undefined if it is no reference, or not on the page of objects. */
const findObjectName = ({ document }: Pick<RenderContext, 'document'>, schema: Schema): string | undefined => {
  const name = parseComponentName(schema);
  return name !== undefined && isObject(document, schema) ? name : undefined;
};

/** Renders the type of a schema as HTML: `string or null`, `list of Payment`. */
export const renderType = (context: RenderContext, schema: Schema): string => {
  const name = findObjectName(context, schema);
  if (name !== undefined) {
    const event = findEvent(context.document, name);
    // A webhook's body is on the page of webhooks.
    if (event !== undefined) return `<a href="${eventHref(event)}"><code>${event.summary}</code></a>`;
    return `<a href="${objectHref(name)}">${escapeHtml(name)}</a>`;
  }
  const resolved = resolveSchema(context.document, schema);
  const [only] = schema.allOf ?? [];
  if (only && schema.allOf?.length === 1) return renderType(context, only);
  const several = listAlternatives(resolved);
  // A string with several constants is shown as a string.
  if (several.length > 0 && (resolved.type === undefined || isObject(context.document, resolved)))
    return [...new Set(several.map((part) => renderType(context, part)))].join(' or ');
  const types = typeof resolved.type === 'string' ? [resolved.type] : (resolved.type ?? []);
  const names = types.map((type) => {
    if (type === 'array') return `list${resolved.items ? ` of ${renderType(context, resolved.items)}` : ''}`;
    if (type === 'string' && resolved.format === 'date-time') return 'time';
    return type;
  });
  return names.length > 0 ? names.join(' or ') : 'any';
};

const describeRange = (least: number | undefined, most: number | undefined, unit: string): string[] => {
  // zod adds the bounds of JavaScript's integers. Readers need not see them.
  const [from, to] = [least, most].map((bound) =>
    Math.abs(bound ?? 0) === Number.MAX_SAFE_INTEGER ? undefined : bound?.toLocaleString('en'),
  );
  if (from !== undefined && to !== undefined) return [from === to ? `${from}${unit}` : `${from} to ${to}${unit}`];
  if (to !== undefined) return [`at most ${to}${unit}`];
  return from !== undefined && least !== 0 ? [`at least ${from}${unit}`] : [];
};

const describeLimits = (schema: Schema): readonly string[] => [
  ...describeRange(schema.minimum, schema.maximum, ''),
  ...describeRange(schema.minLength, schema.maxLength, ' characters'),
  ...describeRange(schema.minItems, schema.maxItems, ' entries'),
  ...(schema.default === undefined ? [] : [`default ${renderCode(JSON.stringify(schema.default))}`]),
];

/** Lists the values that a schema, or the entries of its list, may have. */
const listValues = (context: Pick<RenderContext, 'document'>, schema: Schema): readonly unknown[] => {
  const resolved = resolveSchema(context.document, schema);
  if (resolved.const !== undefined) return [resolved.const];
  const own = [
    ...(resolved.enum ?? resolved['x-extensible-enum'] ?? []),
    ...listAlternatives(resolved).flatMap((part) => listValues(context, part)),
  ];
  if (own.length === 0 && resolved.items && findObjectName(context, resolved.items) === undefined)
    return listValues(context, resolved.items);
  return own.filter((value) => value !== null);
};

/** Renders the values of a field, unless its description names them all. */
const renderValues = (context: RenderContext, schema: Schema, description: string): string => {
  const values = listValues(context, schema);
  if (values.every((value) => description.includes(`\`${String(value)}\``))) return '';
  const list = values.map((value) => context.prose.line(`\`${String(value)}\``)).join(' ');
  if (values.length <= MANY_VALUES) return `<p class="values">${list}</p>`;
  return `<details class="values"><summary>${values.length} values</summary><p>${list}</p></details>`;
};

/** A field or parameter. */
interface Field {
  readonly id: string;
  readonly name: string;
  readonly schema: Schema;
  readonly description: string;
  readonly required: boolean;
}

/** Renders the fields of an inline object, or of the entries of an inline list. */
const renderInnerFields = (context: RenderContext, { id, schema }: Field): string => {
  const resolved = resolveSchema(context.document, schema);
  const inner =
    resolved.items && findObjectName(context, resolved.items) === undefined
      ? resolveSchema(context.document, resolved.items)
      : resolved;
  if (findObjectName(context, schema) !== undefined || !inner.properties) return '';
  return `<details class="inner"><summary>Its fields</summary>${renderFields(context, id, inner)}</details>`;
};

const renderField = (context: RenderContext, field: Field): string => {
  const { id, name, schema, description, required } = field;
  const limits = describeLimits(resolveSchema(context.document, schema));
  const facts = [renderType(context, schema), ...limits].join(', ');
  return `<li class="field" id="${id}"><p class="head"><a class="here" href="#${id}"><code>${escapeHtml(name)}</code></a> <span class="type">${facts}</span>${required ? ' <strong class="required">required</strong>' : ''}</p>${description ? `<p>${context.prose.line(description)}</p>` : ''}${renderValues(context, schema, description)}${renderInnerFields(context, field)}</li>`;
};

const renderList = (items: readonly string[]): string =>
  items.length === 0 ? '' : `<ul class="fields">${items.join('\n')}</ul>`;

/**
 * Renders the fields of an object.
 * @param idPrefix The prefix of their ids.
 * @param marksRequired Whether required fields are marked. They are marked in requests only: an answer always has all its fields.
 */
export const renderFields = (
  context: RenderContext,
  idPrefix: string,
  { properties = {}, required }: Schema,
  marksRequired = false,
) =>
  renderList(
    Object.entries(properties).map(([name, schema]) =>
      renderField(context, {
        id: `${idPrefix}.${name}`,
        name,
        schema,
        description: resolveSchema(context.document, schema).description ?? '',
        required: marksRequired && (required?.includes(name) ?? false),
      }),
    ),
  );

/** Renders the parameters of a request. */
export const renderParameters = (context: RenderContext, idPrefix: string, parameters: readonly Parameter[]): string =>
  renderList(
    parameters.map(({ name, description, schema, required = false }) =>
      renderField(context, { id: `${idPrefix}.${name}`, name, schema, description, required }),
    ),
  );
