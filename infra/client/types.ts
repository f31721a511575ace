import { makeDocument } from '#infra/openapi/document.ts';
import { ENUMERATIONS } from '#infra/openapi/enumerations.ts';

/* Makes the client's types from the API document: every field, with its description. */

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

const PRIMITIVE_TYPES: Readonly<Record<string, string>> = {
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
  if (!match)
    throw new Error(
      `These open values (x-extensible-enum) have no name in infra/openapi/enumerations.ts: ${values.join(', ')}.`,
    );
  return match[0];
};

const writeComment = (text: string | undefined, indent = ''): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`;

const writeUnion = (types: readonly string[]): string => [...new Set(types)].join(' | ');

/** Writes a literal in the style of our code. */
const writeLiteral = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

const writeList = (item: string): string => (/[ {]/.test(item) ? `(${item})[]` : `${item}[]`);

const writeFields = ({ properties = {}, required = [] }: Schema, indent: string): string =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const isRequired = required.includes(name);
      const type = `${writeType(schema, indent)}${isRequired ? '' : ' | undefined'}`;
      return `${writeComment(schema.description, indent)}${indent}${name}${isRequired ? '' : '?'}: ${type};\n`;
    })
    .join('');

const writeObject = (schema: Schema, indent: string): string =>
  schema.properties ? `{\n${writeFields(schema, `${indent}  `)}${indent}}` : 'Record<string, unknown>';

const writeType = (schema: Schema, indent = ''): string => {
  if (schema.$ref) return parseRef(schema.$ref);
  if (schema.const !== undefined) return writeLiteral(schema.const);
  if (schema.enum) return writeUnion(schema.enum.map(writeLiteral));
  // Open values: editors offer the values of this version, and other values are allowed.
  const known = schema['x-extensible-enum'];
  if (known) return findEnumerationName(known);
  const choice = schema.allOf ?? schema.anyOf ?? schema.oneOf;
  if (choice) return writeUnion(choice.map((option) => writeType(option, indent)));
  const types = [schema.type ?? []].flat();
  if (types.length === 0) throw new Error(`The client has no type for ${JSON.stringify(schema)}.`);
  return writeUnion(
    types.map((type) => {
      if (type === 'array') return writeList(writeType(schema.items ?? {}, indent));
      return PRIMITIVE_TYPES[type] ?? writeObject(schema, indent);
    }),
  );
};

/** Finds the names of the schemas that a schema refers to. */
const findRefs = (schema: Schema): string[] =>
  [...JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);

/** Adds the names of the schemas that the named schemas refer to, directly or through others. Returns all names in the order of the document. */
const addReferredSchemas = (
  names: readonly string[],
  schemas: Document['components']['schemas'],
): readonly string[] => {
  const reached = new Set(names);
  for (const name of reached) for (const other of findRefs(schemas[name] ?? {})) reached.add(other);
  return Object.keys(schemas).filter((name) => reached.has(name));
};

/** Characters of the longest line, as in biome.json. */
const LINE_WIDTH = 120;

const writeAlias = (name: string, type: string): string => {
  const line = `export type ${name} = ${type};`;
  return line.length <= LINE_WIDTH ? line : `export type ${name} =\n  | ${type.replaceAll(' | ', '\n  | ')};`;
};

const writeDeclaration = (name: string, schema: Schema): string =>
  schema.properties
    ? `${writeComment(schema.description)}export interface ${name} ${writeObject(schema, '')}\n`
    : `${writeComment(schema.description)}${writeAlias(name, writeType(schema))}\n`;

/** Writes the type of a list's query parameters. */
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

/** Schemas of answers. The schemas of requests are found in the operations. */
const ANSWER_SCHEMAS = [
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

/** The types of events. The document itself allows any `data`, so that generated clients do not fail at a new event type. */
const EVENTS = `/** Something that happened. \`type\` tells what \`data\` holds. */
export type Event = WebhookEvent & { deliveries?: ListedDelivery[] | undefined };

/** An event with its deliveries: one for each endpoint that it went to. */
export type EventWithDeliveries = WebhookEvent & { deliveries: Delivery[] };
`;

/** Makes the text of `shared/client/types.ts`. */
export const writeClientTypes = (): string => {
  const { paths, components } = makeDocument() as unknown as Document;
  const operations = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .filter(({ tags = [] }) => !tags.includes('Service'));
  const bodies = operations.flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => findRefs(schema)),
  );
  const names = addReferredSchemas([...ANSWER_SCHEMAS, ...bodies], components.schemas);
  return [
    '/* Written by `npm run client:types` from the API document. */\n',
    ...names.map((name) => writeDeclaration(name, components.schemas[name] ?? {})),
    EVENTS,
    ...operations.map(writeQuery).filter((text) => text !== ''),
  ].join('\n');
};
