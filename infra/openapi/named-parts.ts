import { ENUMERATIONS, enumerationSchemas, withEnumerations } from './enumerations.ts';
import type { JsonSchema } from './tidy.ts';

/*
 * Gives every request, answer, event and enumeration of the document a name, so that generated clients have types that people can read.
 * What the document accepts and promises stays the same.
 */

type Media = { schema?: JsonSchema };
type Content = { readonly content?: Readonly<Record<string, Media>> };
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { schema?: unknown }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
type Items = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The parts of a document that are named. */
export interface Nameable {
  readonly paths: Items;
  readonly webhooks: Items;
  readonly components: { readonly schemas: Record<string, JsonSchema> };
}

const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const JSON_TYPE = 'application/json';
const pascal = (words: string): string =>
  words.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

const operationsOf = (items: Items): readonly Operation[] =>
  Object.values(items).flatMap((item) => Object.values(item));

const contentsOf = ({ requestBody, responses }: Operation): readonly Media[] =>
  [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}));

const nameEnumerations = ({ paths, webhooks, components: { schemas } }: Nameable): void => {
  for (const operation of [...operationsOf(paths), ...operationsOf(webhooks)]) {
    for (const parameter of operation.parameters ?? []) parameter.schema = withEnumerations(parameter.schema);
    for (const media of contentsOf(operation)) {
      if (media.schema) media.schema = withEnumerations(media.schema) as JsonSchema;
    }
  }
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = withEnumerations(schema) as JsonSchema;
  Object.assign(schemas, enumerationSchemas());
};

/** Moves a body's schema to the components, unless it has a name already. */
const nameBody = (schemas: Nameable['components']['schemas'], media: Media | undefined, name: string): void => {
  if (!media?.schema || media.schema.$ref !== undefined) return;
  if (schemas[name]) throw new Error(`Two schemas would have the name ${name}.`);
  schemas[name] = media.schema;
  media.schema = refTo(name);
};

const nameBodies = ({ paths, components: { schemas } }: Nameable): void => {
  for (const { operationId, requestBody, responses } of operationsOf(paths)) {
    const name = pascal(operationId);
    nameBody(schemas, requestBody?.content?.[JSON_TYPE], `${name}Request`);
    for (const [status, { content }] of Object.entries(responses)) {
      if (status.startsWith('2')) nameBody(schemas, content?.[JSON_TYPE], `${name}Response`);
    }
  }
};

const setProperty = (schema: JsonSchema | undefined, name: string, value: JsonSchema): void => {
  const properties = schema?.properties as Record<string, JsonSchema> | undefined;
  if (!properties?.[name]) throw new Error(`The document has no field "${name}" to name.`);
  properties[name] = { ...properties[name], ...value };
};

/** Makes a schema the choice among named ones by their `type`. */
const choiceByType = (schema: JsonSchema | undefined, names: Readonly<Record<string, string>>): JsonSchema => ({
  description: schema?.description,
  oneOf: Object.values(names).map(refTo),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(Object.entries(names).map(([type, name]) => [type, refTo(name).$ref])),
  },
});

/** The event of a type with its deliveries, as one object: generators cannot combine a choice with further fields. */
const withDeliveries = (event: JsonSchema | undefined, found: JsonSchema | undefined): JsonSchema => {
  const { deliveries } = (found?.properties ?? {}) as Record<string, JsonSchema>;
  if (!event || !deliveries) throw new Error('The document has no event, or no deliveries of one.');
  return {
    ...event,
    required: [...(event.required as string[]), 'deliveries'],
    properties: { ...(event.properties as Record<string, JsonSchema>), deliveries },
  };
};

/** An event is one of the events of all types, with its deliveries or without: `type` tells which, and what `data` holds. */
const nameEvents = ({ webhooks, components: { schemas } }: Nameable): void => {
  const names: Record<string, string> = {};
  const foundNames: Record<string, string> = {};
  for (const [type, { post }] of Object.entries(webhooks)) {
    const name = `${pascal(type)}Event`;
    nameBody(schemas, post?.requestBody?.content?.[JSON_TYPE], name);
    schemas[`${name}WithDeliveries`] = withDeliveries(schemas[name], schemas.EventWithDeliveries);
    names[type] = name;
    foundNames[type] = `${name}WithDeliveries`;
  }
  schemas.Event = choiceByType(schemas.Event, names);
  schemas.EventWithDeliveries = choiceByType(schemas.EventWithDeliveries, foundNames);
};

/** Objects of a business's own making: named here, as the document has no other schema of theirs. */
const METADATA: JsonSchema = {
  description: 'Any JSON object of at most 2 KiB.',
  type: 'object',
  additionalProperties: true,
};

/** Names the parts of a document. @throws Error for an enumeration that has no name, or two schemas with one. */
export const nameParts = (document: Nameable): void => {
  const { schemas } = document.components;
  setProperty(schemas.Error, 'code', { type: 'string', enum: [...ENUMERATIONS.ErrorCode.values] });
  schemas.Metadata = METADATA;
  nameEnumerations(document);
  nameBodies(document);
  nameEvents(document);
};
