import { Script } from 'node:vm';
import { parseDocument } from '#infra/openapi/page/parsed.ts';
import { makePostmanCollection } from '#infra/openapi/postman/collection.ts';
import { ID_PREFIXES } from '#infra/openapi/postman/steps.ts';
import type { Document } from './document-check.ts';

/* The collection for Postman holds the API as the document has it. The long run sends its requests (test/long/postman.test.ts). */

const collection: Document = makePostmanCollection();
const items: Document[] = collection.item.flatMap(({ item }: Document) => item);
const written = JSON.stringify(collection);

test('the collection has every endpoint that takes an API key', () => {
  const [wanted, sent] = [parseDocument().endpoints.filter(({ security }) => security.length > 0), new Set<string>()];
  for (const { request } of items) sent.add(`${request.method} ${request.url.path.join('/')}`);
  const missing = wanted.filter(({ method, path }) => {
    const form = new RegExp(`^${method} ${path.slice(1).replaceAll(/\{\w+\}/g, '\\{\\{\\w+\\}\\}')}$`);
    return ![...sent].some((one) => form.test(one));
  });
  expect(wanted.length).toBeGreaterThan(25);
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
});

test('a request of the collection that takes an Idempotency-Key has a new one each time, and its body is JSON', () => {
  const keys = items.flatMap(({ request }) => request.header).filter(({ key }) => key === 'Idempotency-Key');
  expect(keys.length).toBeGreaterThan(8);
  expect(new Set(keys.map(({ value }) => value))).toEqual(new Set(['{{$guid}}']));
  for (const { request } of items) if (request.body) expect(() => JSON.parse(request.body.raw)).not.toThrow();
});

test('every variable of the collection is declared, every id is kept by a request before, and no example’s id is sent', () => {
  const declared = new Set(collection.variable.map(({ key }: Document) => key));
  const used = [...written.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
  expect(used.filter((name) => !declared.has(name))).toEqual([]);
  const kept = new Set<string>();
  for (const { request, event = [] } of items) {
    const text = JSON.stringify([request.url, request.body]);
    for (const name of Object.keys(ID_PREFIXES)) if (text.includes(`{{${name}}}`)) expect(kept).toContain(name);
    for (const { script } of event) {
      expect(() => new Script(script.exec.join('\n'))).not.toThrow();
      for (const [, name = ''] of script.exec.join().matchAll(/set\('(\w+)'/g)) kept.add(name);
    }
    expect(text).not.toMatch(/\b(PAY-|va_|pay_|whe_|evt_)[0-9A-Z]{20}/);
  }
  expect([...kept].sort()).toEqual(Object.keys(ID_PREFIXES).sort());
});
