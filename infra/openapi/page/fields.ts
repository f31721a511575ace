import { escapeHtml } from '#shared/pages/html.ts';
import { eventHref, findEvent, objectHref } from './links.ts';
import type { Prose } from './markdown.ts';
import { componentOf, follow, type Parameter, type Parsed, type Schema } from './parsed.ts';

/** What the fields of the page need. */
export interface Writing {
  readonly document: Parsed;
  readonly prose: Prose;
}

/** More values than these are folded. */
const MANY_VALUES = 8;

const code = (value: unknown): string => `<code>${escapeHtml(String(value))}</code>`;

const alternatives = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? [];

/** Whether a component is shown under Objects: it has fields, or is one of several that have. */
const isObject = (document: Parsed, one: Schema): boolean => {
  const all = follow(document, one);
  return all.properties !== undefined || alternatives(all).some((part) => isObject(document, part));
};

/** An answer's envelope: `status`, which is always true, and `data`. */
export const envelopeOf = (document: Parsed, one: Schema): Readonly<Record<string, Schema>> | undefined => {
  const { properties } = follow(document, one);
  return properties?.status?.type === 'boolean' && properties.data ? properties : undefined;
};

/** The component that a schema, or each entry of a list, refers to and that has a place under Objects. */
const shownObject = ({ document }: Pick<Writing, 'document'>, one: Schema): string | undefined => {
  const name = componentOf(one);
  return name !== undefined && isObject(document, one) ? name : undefined;
};

/** The type of a schema as HTML: `string or null`, `list of Payment`. */
export const typeOf = (writing: Writing, one: Schema): string => {
  const name = shownObject(writing, one);
  if (name !== undefined) {
    const event = findEvent(writing.document, name);
    // The body of a webhook is shown with the webhook.
    if (event !== undefined) return `<a href="${eventHref(event)}"><code>${event.summary}</code></a>`;
    return `<a href="${objectHref(name)}">${escapeHtml(name)}</a>`;
  }
  const all = follow(writing.document, one);
  const [only] = one.allOf ?? [];
  if (only && one.allOf?.length === 1) return typeOf(writing, only);
  const several = alternatives(all);
  // A string that is one of several constants is a string.
  if (several.length > 0 && (all.type === undefined || isObject(writing.document, all)))
    return [...new Set(several.map((part) => typeOf(writing, part)))].join(' or ');
  const types = typeof all.type === 'string' ? [all.type] : (all.type ?? []);
  const written = types.map((type) => {
    if (type === 'array') return `list${all.items ? ` of ${typeOf(writing, all.items)}` : ''}`;
    if (type === 'string' && all.format === 'date-time') return 'time';
    return type;
  });
  return written.length > 0 ? written.join(' or ') : 'any';
};

const range = (least: number | undefined, most: number | undefined, unit: string): string[] => {
  // The bounds of JavaScript's own integers say nothing.
  const [from, to] = [least, most].map((bound) =>
    Math.abs(bound ?? 0) === Number.MAX_SAFE_INTEGER ? undefined : bound?.toLocaleString('en'),
  );
  if (from !== undefined && to !== undefined) return [from === to ? `${from}${unit}` : `${from} to ${to}${unit}`];
  if (to !== undefined) return [`at most ${to}${unit}`];
  return from !== undefined && least !== 0 ? [`at least ${from}${unit}`] : [];
};

const limitsOf = (one: Schema): readonly string[] => [
  ...range(one.minimum, one.maximum, ''),
  ...range(one.minLength, one.maxLength, ' characters'),
  ...range(one.minItems, one.maxItems, ' entries'),
  ...(one.default === undefined ? [] : [`default ${code(JSON.stringify(one.default))}`]),
];

/** The values that a schema, or an entry of its list, may have. */
const valuesOf = (writing: Pick<Writing, 'document'>, one: Schema): readonly unknown[] => {
  const all = follow(writing.document, one);
  if (all.const !== undefined) return [all.const];
  const own = [
    ...(all.enum ?? all['x-extensible-enum'] ?? []),
    ...alternatives(all).flatMap((part) => valuesOf(writing, part)),
  ];
  if (own.length === 0 && all.items && shownObject(writing, all.items) === undefined)
    return valuesOf(writing, all.items);
  return own.filter((value) => value !== null);
};

/** The values of a field, unless its description names them all. */
const values = (writing: Writing, one: Schema, description: string): string => {
  const all = valuesOf(writing, one);
  if (all.every((value) => description.includes(`\`${String(value)}\``))) return '';
  const list = all.map((value) => writing.prose.line(`\`${String(value)}\``)).join(' ');
  if (all.length <= MANY_VALUES) return `<p class="values">${list}</p>`;
  return `<details class="values"><summary>${all.length} values</summary><p>${list}</p></details>`;
};

/** A field or parameter. */
interface Field {
  readonly id: string;
  readonly name: string;
  readonly schema: Schema;
  readonly description: string;
  readonly required: boolean;
}

/** Fields of an inline object, or of the entries of an inline list. */
const innerFields = (writing: Writing, { id, schema }: Field): string => {
  const all = follow(writing.document, schema);
  const inner = all.items && shownObject(writing, all.items) === undefined ? follow(writing.document, all.items) : all;
  if (shownObject(writing, schema) !== undefined || !inner.properties) return '';
  return `<details class="inner"><summary>Its fields</summary>${fieldsOf(writing, id, inner)}</details>`;
};

const fieldItem = (writing: Writing, field: Field): string => {
  const { id, name, schema, description, required } = field;
  const limits = limitsOf(follow(writing.document, schema));
  const facts = [typeOf(writing, schema), ...limits].join(', ');
  return `<li class="field" id="${id}"><p class="head"><a class="here" href="#${id}"><code>${escapeHtml(name)}</code></a> <span class="type">${facts}</span>${required ? ' <strong class="required">required</strong>' : ''}</p>${description ? `<p>${writing.prose.line(description)}</p>` : ''}${values(writing, schema, description)}${innerFields(writing, field)}</li>`;
};

const list = (items: readonly string[]): string =>
  items.length === 0 ? '' : `<ul class="fields">${items.join('\n')}</ul>`;

/**
 * The fields of an object.
 * @param of What their ids begin with.
 * @param marksRequired Whether it says which are required: in a request, not in an answer, where all are.
 */
export const fieldsOf = (writing: Writing, of: string, { properties = {}, required }: Schema, marksRequired = false) =>
  list(
    Object.entries(properties).map(([name, schema]) =>
      fieldItem(writing, {
        id: `${of}.${name}`,
        name,
        schema,
        description: follow(writing.document, schema).description ?? '',
        required: marksRequired && (required?.includes(name) ?? false),
      }),
    ),
  );

/** Parameters of a request. */
export const parametersOf = (writing: Writing, of: string, parameters: readonly Parameter[]): string =>
  list(
    parameters.map(({ name, description, schema, required = false }) =>
      fieldItem(writing, { id: `${of}.${name}`, name, schema, description, required }),
    ),
  );
