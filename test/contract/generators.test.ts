import { makeDocument } from '#infra/openapi/document.ts';
import { ENUMERATIONS } from '#infra/openapi/enumerations.ts';
import { ENDPOINTS } from '#test/support/worlds/endpoints.ts';
import { schemaOf } from '#test/support/worlds/schema-of.ts';
import { type Document, documentCheck } from './document-check.ts';

/*
 * Forms of the document that make the generators of others write clients that lose money, throw or do not compile. test/long generates
 * such clients and has them pay; these rules say at once what would break them.
 */

const document: Document = makeDocument();
const check = documentCheck(document);

/** Every schema of the document with its place, examples left out. */
const schemasIn = (part: Document, place = ''): [string, Document][] => {
  if (typeof part !== 'object' || part === null) return [];
  const inner = Object.entries<Document>(part).flatMap(([name, value]) =>
    ['example', 'examples'].includes(name) ? [] : schemasIn(value, `${place}/${name}`),
  );
  return Array.isArray(part) ? inner : [[place, part], ...inner];
};
const schemas = schemasIn({ ...document, info: {} });

const placesOf = (isWrong: (schema: Document) => boolean): string[] =>
  schemas.filter(([, schema]) => isWrong(schema)).map(([place]) => place);

const typesOf = ({ type }: Document): string[] => (typeof type === 'string' ? [type] : Array.isArray(type) ? type : []);

describe('the API document gives generators', () => {
  test('64 bits for every number that is no integer, since 32 lose kobo', () => {
    const numbers = schemas.filter(([, schema]) => typesOf(schema).includes('number'));
    expect(numbers.length).toBeGreaterThan(10);
    expect(numbers.filter(([, { format }]) => format !== 'double').map(([place]) => place)).toEqual([]);
  });

  test('no boolean constant', () => {
    expect(placesOf((schema) => typeof schema.const === 'boolean' || [true, false].includes(schema.enum?.[0]))).toEqual(
      [],
    );
  });

  test('no pattern beside a date or a time, which a client compares with a date of its own', () => {
    expect(placesOf((schema) => /^date/.test(schema.format) && schema.pattern !== undefined)).toEqual([]);
  });

  test('null only beside another type', () => {
    const alternatives = schemas.flatMap(([, { anyOf, oneOf }]) => [anyOf, oneOf].filter(Array.isArray));
    const lone = schemas.filter(([, { type }]) => type === 'null');
    const beside = alternatives.flat().filter(({ type }) => type === 'null');
    expect(lone.length).toBe(beside.length);
    for (const several of alternatives) expect(several.length).toBeGreaterThan(1);
  });

  test('no name that they make of an operation themselves', () => {
    const operations = [...Object.values<Document>(document.paths), ...Object.values<Document>(document.webhooks)]
      .flatMap((item) => Object.values<Document>(item))
      .map(({ operationId }) => String(operationId).toLowerCase());
    const made = operations.flatMap((name) => ['', 'response', 'params', 'res', 'ok', 'req'].map((end) => name + end));
    const names = Object.keys(document.components.schemas).map((name) => name.toLowerCase());
    expect(names.filter((name) => made.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test('a type with a name for every list of values', () => {
    const inline = schemas.filter(
      ([place, schema]) => schema.enum?.length > 1 && !/^\/components\/schemas\/\w+$/.test(place),
    );
    expect(inline.map(([place]) => place)).toEqual([]);
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(Object.keys(ENUMERATIONS)));
  });
});

describe('a client of today reads what is added tomorrow:', () => {
  const { schemas: named } = document.components;
  const exampleOf = (path: string, method: string, status: string, name: string): Document =>
    structuredClone(
      check.resolve(document.paths[path][method].responses[status].content['application/json'].examples[name]).value,
    );

  test('an error code', () => {
    const body = exampleOf('/api/v1/checkout/verify/{reference}', 'get', '404', 'checkout_not_found');
    expect(check.deviations(named.Error, { ...body, code: 'no_other_provider' })).toEqual([]);
  });

  test('a provider', () => {
    const { examples } =
      document.paths['/api/v1/checkout/verify/{reference}'].get.responses['200'].content['application/json'];
    const { value } = Object.values<Document>(examples)[0];
    const data = { ...value.data, provider: 'zenithpay' };
    expect(check.deviations(named.VerifyCheckoutAnswer, { ...value, data })).toEqual([]);
    expect(named.InitializeCheckoutRequest.properties.provider.anyOf[0].$ref).toMatch(/Provider$/);
  });

  test('a type of event, with data that nobody knows yet', () => {
    const { value } = Object.values<Document>(
      document.webhooks['checkout.paid'].post.requestBody.content['application/json'].examples,
    )[0];
    expect(check.deviations(named.WebhookEvent, value)).toEqual([]);
    const later = { ...value, type: 'checkout.account_added', data: { accounts: 2 } };
    expect(check.deviations(named.Event, later)).toEqual([]);
    expect(check.deviations(named.EventWithDeliveries, { ...later, deliveries: [] })).toEqual([]);
  });
});

test('A schema that the document has named is still written out whole for the tests that draw requests of it.', () => {
  makeDocument();
  for (const { body } of ENDPOINTS) {
    if (body) expect(schemaOf(body)).toMatchObject({ type: 'object', properties: expect.any(Object) });
  }
});
