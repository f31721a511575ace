import { makeDocument } from '#infra/openapi/document.ts';
import { ENUMERATIONS } from '#infra/openapi/enumerations.ts';
import { ENDPOINTS } from '#test/support/worlds/endpoints.ts';
import { toJsonSchema } from '#test/support/worlds/schema-of.ts';
import { type Document, documentCheck } from './document-check.ts';

/*
 * Some forms of the document make generators write clients that lose money, throw or do not compile. These rules find them quickly;
 * test/long generates such clients and pays with them.
 */

const document: Document = makeDocument();
const check = documentCheck(document);

/** Lists every schema below a part of the document with its place, without examples. */
const schemasIn = (part: Document, place = ''): [string, Document][] => {
  if (typeof part !== 'object' || part === null) return [];
  const inner = Object.entries<Document>(part).flatMap(([name, value]) =>
    ['example', 'examples'].includes(name) ? [] : schemasIn(value, `${place}/${name}`),
  );
  return Array.isArray(part) ? inner : [[place, part], ...inner];
};
const schemas = schemasIn({ ...document, info: {} });

const findPlaces = (isWrong: (schema: Document) => boolean): string[] =>
  schemas.filter(([, schema]) => isWrong(schema)).map(([place]) => place);

const listTypes = ({ type }: Document): string[] =>
  typeof type === 'string' ? [type] : Array.isArray(type) ? type : [];

describe('the API document', () => {
  test('uses 64 bits for every number that is not an integer, since 32 bits lose kobo', () => {
    const numbers = schemas.filter(([, schema]) => listTypes(schema).includes('number'));
    expect(numbers.length).toBeGreaterThan(10);
    expect(numbers.filter(([, { format }]) => format !== 'double').map(([place]) => place)).toEqual([]);
  });

  test('has no boolean constant', () => {
    expect(
      findPlaces((schema) => typeof schema.const === 'boolean' || [true, false].includes(schema.enum?.[0])),
    ).toEqual([]);
  });

  test('has no pattern beside a date or a time, because clients would check the pattern against their own date object', () => {
    expect(findPlaces((schema) => /^date/.test(schema.format) && schema.pattern !== undefined)).toEqual([]);
  });

  test('has null only beside another type', () => {
    const alternatives = schemas.flatMap(([, { anyOf, oneOf }]) => [anyOf, oneOf].filter(Array.isArray));
    const nulls = schemas.filter(([, { type }]) => type === 'null');
    const alternativeNulls = alternatives.flat().filter(({ type }) => type === 'null');
    expect(nulls.length).toBe(alternativeNulls.length);
    for (const choices of alternatives) expect(choices.length).toBeGreaterThan(1);
  });

  test('has no schema name that generators make from an operation’s name', () => {
    const operations = [...Object.values<Document>(document.paths), ...Object.values<Document>(document.webhooks)]
      .flatMap((item) => Object.values<Document>(item))
      .map(({ operationId }) => String(operationId).toLowerCase());
    const generatedNames = operations.flatMap((name) =>
      ['', 'response', 'params', 'res', 'ok', 'req'].map((end) => name + end),
    );
    const names = Object.keys(document.components.schemas).map((name) => name.toLowerCase());
    expect(names.filter((name) => generatedNames.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test('names every enumeration', () => {
    const inline = schemas.filter(
      ([place, schema]) => schema.enum?.length > 1 && !/^\/components\/schemas\/\w+$/.test(place),
    );
    expect(inline.map(([place]) => place)).toEqual([]);
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(Object.keys(ENUMERATIONS)));
  });
});

describe('a client of today', () => {
  const { schemas: named } = document.components;
  const readExample = (path: string, method: string, status: string, name: string): Document =>
    structuredClone(
      check.resolve(document.paths[path][method].responses[status].content['application/json'].examples[name]).value,
    );

  test('reads an error code that is added later', () => {
    const body = readExample('/api/v1/checkout/verify/{reference}', 'get', '404', 'checkout_not_found');
    expect(check.deviations(named.Error, { ...body, code: 'no_other_provider' })).toEqual([]);
  });

  test('reads a provider that is added later', () => {
    const { examples } =
      document.paths['/api/v1/checkout/verify/{reference}'].get.responses['200'].content['application/json'];
    const { value } = Object.values<Document>(examples)[0];
    const data = { ...value.data, provider: 'zenithpay' };
    expect(check.deviations(named.VerifyCheckoutAnswer, { ...value, data })).toEqual([]);
    expect(named.InitializeCheckoutRequest.properties.provider.anyOf[0].$ref).toMatch(/Provider$/);
  });

  test('reads an event type that is added later, with unknown data', () => {
    const { value } = Object.values<Document>(
      document.webhooks['checkout.paid'].post.requestBody.content['application/json'].examples,
    )[0];
    expect(check.deviations(named.WebhookEvent, value)).toEqual([]);
    const newEvent = { ...value, type: 'checkout.account_added', data: { accounts: 2 } };
    expect(check.deviations(named.Event, newEvent)).toEqual([]);
    expect(check.deviations(named.EventWithDeliveries, { ...newEvent, deliveries: [] })).toEqual([]);
  });
});

test('a schema with a name in the document is still written out in full for the tests that generate requests from it', () => {
  makeDocument();
  for (const { body } of ENDPOINTS) {
    if (body) expect(toJsonSchema(body)).toMatchObject({ type: 'object', properties: expect.any(Object) });
  }
});
