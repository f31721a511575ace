import { Script } from 'node:vm';
import { parseDocument } from '#infra/openapi/page/parsed.ts';
import { makePostmanCollection } from '#infra/openapi/postman/collection.ts';
import { ID_PREFIXES } from '#infra/openapi/postman/steps.ts';
import type { Document } from './document-check.ts';

/* The Postman collection follows the API document. test/long/postman.test.ts sends its requests. */

const collection: Document = makePostmanCollection();
const items: Document[] = collection.item.flatMap(({ item }: Document) => item);
const collectionText = JSON.stringify(collection);

test('the Postman collection has every endpoint that takes an API key', () => {
  const endpoints = parseDocument().endpoints.filter(({ security }) => security.length > 0);
  const requests = items.map(({ request }) => `${request.method} ${request.url.path.join('/')}`);
  const missing = endpoints.filter(({ method, path }) => {
    const form = new RegExp(`^${method} ${path.slice(1).replaceAll(/\{\w+\}/g, '\\{\\{\\w+\\}\\}')}$`);
    return !requests.some((request) => form.test(request));
  });
  expect(endpoints.length).toBeGreaterThan(25);
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
});

test('each request of the Postman collection has a JSON body, and a new Idempotency-Key if it takes one', () => {
  const keys = items.flatMap(({ request }) => request.header).filter(({ key }) => key === 'Idempotency-Key');
  expect(keys.length).toBeGreaterThan(8);
  expect(new Set(keys.map(({ value }) => value))).toEqual(new Set(['{{$guid}}']));
  for (const { request } of items) if (request.body) expect(() => JSON.parse(request.body.raw)).not.toThrow();
});

test('the Postman collection declares its variables, saves each id before it is used, and sends no example id', () => {
  const declared = new Set(collection.variable.map(({ key }: Document) => key));
  const used = [...collectionText.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
  expect(used.filter((name) => !declared.has(name))).toEqual([]);
  const savedIds = new Set<string>();
  for (const { request, event = [] } of items) {
    const text = JSON.stringify([request.url, request.body]);
    for (const name of Object.keys(ID_PREFIXES)) if (text.includes(`{{${name}}}`)) expect(savedIds).toContain(name);
    for (const { script } of event) {
      expect(() => new Script(script.exec.join('\n'))).not.toThrow();
      for (const [, name = ''] of script.exec.join().matchAll(/set\('(\w+)'/g)) savedIds.add(name);
    }
    expect(text).not.toMatch(/\b(PAY-|va_|pay_|whe_|evt_)[0-9A-Z]{20}/);
  }
  expect([...savedIds].sort()).toEqual(Object.keys(ID_PREFIXES).sort());
});
