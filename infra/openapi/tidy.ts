/** A JSON Schema in the document. */
export type JsonSchema = { [keyword: string]: unknown };

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const SINGLE_SCHEMA = ['items', 'additionalProperties', 'not'];
const SCHEMA_LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];

const mapValues = (object: JsonSchema, change: (value: unknown) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** Applies `change` to a schema and to every schema inside it, the inner ones first. */
export const mapSchema = (schema: unknown, change: (schema: JsonSchema) => JsonSchema): unknown => {
  if (!isObject(schema)) return schema;
  const inner = (value: unknown): unknown => mapSchema(value, change);
  const mapped = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties' && isObject(value)) return [keyword, mapValues(value, inner)];
      if (SINGLE_SCHEMA.includes(keyword)) return [keyword, inner(value)];
      if (SCHEMA_LISTS.includes(keyword) && Array.isArray(value)) return [keyword, value.map(inner)];
      return [keyword, value];
    }),
  );
  return change(mapped);
};

const isNull = (schema: unknown): boolean => isObject(schema) && schema.type === 'null';

/** Turns `anyOf` of a simple type and null into one type: people and generators read that best. */
const mergeNull = (schema: JsonSchema): JsonSchema => {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isNull(anyOf[1])) return schema;
  const [option] = anyOf as [JsonSchema];
  // A constant beside null stays an `anyOf`.
  return typeof option.type !== 'string' || option.const !== undefined
    ? schema
    : { ...rest, ...option, type: [option.type, 'null'] };
};

/** Flattens nested `anyOf`. */
const flattenAnyOf = (schema: JsonSchema): JsonSchema => {
  if (!Array.isArray(schema.anyOf)) return schema;
  const alternatives = schema.anyOf.flatMap((option: JsonSchema) =>
    Array.isArray(option.anyOf) && Object.keys(option).length === 1 ? option.anyOf : [option],
  );
  return { ...schema, anyOf: alternatives };
};

/** Removes `additionalProperties: false`, because fields may be added to answers. */
const allowMoreFields = ({ additionalProperties, ...rest }: JsonSchema): JsonSchema =>
  additionalProperties === undefined || additionalProperties === false ? rest : { ...rest, additionalProperties };

/** Makes a schema readable. The result accepts all that the schema accepted, and objects with more fields. */
export const tidy = (schema: unknown): unknown =>
  mapSchema(schema, (part) => allowMoreFields(flattenAnyOf(mergeNull(part))));

/** Adds a description to each property of an object schema that `descriptions` names. */
export const addDescriptions = (schema: unknown, descriptions: Readonly<Record<string, string>>): unknown => {
  const { properties, ...rest } = schema as { properties?: Record<string, object> };
  if (!properties) return schema;
  const described = Object.entries(properties).map(([name, property]) => [
    name,
    descriptions[name] === undefined ? property : { ...property, description: descriptions[name] },
  ]);
  return { ...rest, properties: Object.fromEntries(described) };
};
