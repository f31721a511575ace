import { makeDocument } from '#infra/openapi/document.ts';
import { ENUMERATIONS } from '#infra/openapi/enumerations.ts';

/* Writes the client's types from the API document: every field, with what the document says of it. */

/** The part of JSON Schema that the document uses. */
interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly 'x-extensible-enum'?: readonly unknown[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Parameter {
  readonly in?: string;
  readonly name?: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

const parseRef = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

const findEnumerationName = (values: readonly unknown[]): string => {
  const match = Object.entries(ENUMERATIONS).find(
    ([, known]) => JSON.stringify(known.values) === JSON.stringify(values),
  );
  if (!match) throw new Error(`An open list has no name: ${values.join(', ')}.`);
  return match[0];
};

const comment = (text: string | undefined, indent = ''): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`;

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

/** A literal as our own code writes it. */
const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

const writeList = (item: string): string => (/[ {]/.test(item) ? `(${item})[]` : `${item}[]`);

const writeFields = ({ properties = {}, required = [] }: Schema, indent: string): string =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const isRequired = required.includes(name);
      const type = `${writeType(schema, indent)}${isRequired ? '' : ' | undefined'}`;
      return `${comment(schema.description, indent)}${indent}${name}${isRequired ? '' : '?'}: ${type};\n`;
    })
    .join('');

const writeObject = (schema: Schema, indent: string): string =>
  schema.properties ? `{\n${writeFields(schema, `${indent}  `)}${indent}}` : 'Record<string, unknown>';

const writeType = (schema: Schema, indent = ''): string => {
  if (schema.$ref) return parseRef(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  // The values of this version of an open list: an editor offers them, and nothing fails at another one.
  const known = schema['x-extensible-enum'];
  if (known) return findEnumerationName(known);
  const choice = schema.allOf ?? schema.anyOf ?? schema.oneOf;
  if (choice) return union(choice.map((option) => writeType(option, indent)));
  const types = [schema.type ?? []].flat();
  if (types.length === 0) throw new Error(`The client has no type for ${JSON.stringify(schema)}.`);
  return union(
    types.map((type) => {
      if (type === 'array') return writeList(writeType(schema.items ?? {}, indent));
      return SIMPLE[type] ?? writeObject(schema, indent);
    }),
  );
};

/** Every schema that a schema refers to, itself or by another. */
const findRefs = (schema: Schema): string[] =>
  [...JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);

const addReferred = (names: readonly string[], schemas: Document['components']['schemas']): readonly string[] => {
  const reached = new Set(names);
  for (const name of reached) for (const other of findRefs(schemas[name] ?? {})) reached.add(other);
  return Object.keys(schemas).filter((name) => reached.has(name));
};

/** Our formatter's longest line. */
const LINE = 120;

const alias = (name: string, type: string): string => {
  const line = `export type ${name} = ${type};`;
  return line.length <= LINE ? line : `export type ${name} =\n  | ${type.replaceAll(' | ', '\n  | ')};`;
};

const declaration = (name: string, schema: Schema): string =>
  schema.properties
    ? `${comment(schema.description)}export interface ${name} ${writeObject(schema, '')}\n`
    : `${comment(schema.description)}${alias(name, writeType(schema))}\n`;

/** What a list may be asked for. */
const writeQuery = ({ operationId, parameters = [] }: Operation): string => {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  if (query.length === 0) return '';
  const properties = Object.fromEntries(
    query.map(({ name = '', schema = {}, description }) => [name, { ...schema, ...(description && { description }) }]),
  );
  const required = query.flatMap((parameter) => (parameter.required ? [parameter.name ?? ''] : []));
  const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Query`;
  return `export interface ${name} ${writeObject({ properties, required }, '')}\n`;
};

/** What answers hold, beside what requests name. */
const ANSWERED = [
  'Checkout',
  'CreatedVirtualAccounts',
  'DailyTotal',
  'Delivery',
  'ErrorCode',
  'ErrorDetail',
  'EventType',
  'ListedDelivery',
  'Recovery',
  'Provider',
  'ProviderFailureCode',
  'ProviderHealth',
  'ProviderState',
  'RecordedPayment',
  'Subscription',
  'WaitingDelivery',
  'WebhookEvent',
  'WebhookEndpointWithHealth',
  'WebhookEndpointWithSecret',
];

/** Events by their type: what the document has as an object with any `data`, so that no generated client fails at a type that is added. */
const EVENTS = `/** Something that happened. \`type\` tells what \`data\` holds. */
export type Event = WebhookEvent & { deliveries?: ListedDelivery[] | undefined };

/** An event with its deliveries: one for each endpoint that it went to. */
export type EventWithDeliveries = WebhookEvent & { deliveries: Delivery[] };
`;

/** The text of `shared/client/types.ts`. */
export const clientTypes = (): string => {
  const { paths, components } = makeDocument() as unknown as Document;
  const operations = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .filter(({ tags = [] }) => !tags.includes('Service'));
  const bodies = operations.flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => findRefs(schema)),
  );
  const names = addReferred([...ANSWERED, ...bodies], components.schemas);
  return [
    '/* Written by `npm run client:types` from the API document. */\n',
    ...names.map((name) => declaration(name, components.schemas[name] ?? {})),
    EVENTS,
    ...operations.map(writeQuery).filter((text) => text !== ''),
  ].join('\n');
};
