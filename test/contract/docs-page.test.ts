import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { makeDocument } from '#infra/openapi/document.ts';
import { guide } from '#infra/openapi/guide.ts';
import { slug } from '#infra/openapi/page/html.ts';
import { prose } from '#infra/openapi/page/markdown.ts';
import { htmlOf, makePage } from '#infra/openapi/page/page.ts';
import { parseDocument } from '#infra/openapi/page/parsed.ts';
import { samplesOf } from '#infra/openapi/page/samples.ts';
import { isInstalled } from '#test/support/worlds/installed.ts';
import type { Document } from './document-check.ts';

/*
 * The page at /docs holds all of the API document as it comes from the server, without any script.
 */

/** Bytes of the page as a browser without brotli gets it. */
const BUDGET = 300_000;

const document: Document = makeDocument();
const parsed = parseDocument();
const page = makePage(5);
const html = brotliDecompressSync(page.brotli).toString();
const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
const known = new Set(ids);

/** The headings of the guide, with what stands above them, as ids. */
const chapters = (): string[] => {
  let chapter = '';
  const text: string = guide().replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(/^(#+) (.+)$/gm)].map(([, level, title = '']) => {
    if (level !== '#') return `${chapter}-${slug(title)}`;
    chapter = slug(title);
    return chapter;
  });
};

const missing = (wanted: readonly string[]): string[] => {
  expect(wanted.length).toBeGreaterThan(0);
  return wanted.filter((id) => !known.has(id));
};

describe('the page, without its script,', () => {
  test('has every chapter of the guide, group, endpoint, webhook, object and error code', () => {
    const operations = Object.values<Document>(document.paths).flatMap((item) => Object.values<Document>(item));
    const codes = [...guide().matchAll(/^\| `(\w+)` \| \d{3} \|/gm)].map(([, code]) => code);
    expect(missing(chapters())).toEqual([]);
    expect(missing(document.tags.map(({ name }: Document) => `api-${slug(name)}`))).toEqual([]);
    expect(missing(operations.map(({ operationId }) => operationId))).toEqual([]);
    expect(missing(Object.keys(document.webhooks).map((type) => `event-${type}`))).toEqual([]);
    expect(missing(['object-Checkout', 'object-Payment', 'object-VirtualAccount', 'object-Error'])).toEqual([]);
    expect(missing(codes.map((code) => `error-${code}`))).toEqual([]);
  });

  test('has every parameter and every field of a request and of an object', () => {
    const wanted = parsed.endpoints.flatMap(({ operationId, parameters, requestBody }) => {
      const { schema } = requestBody?.content['application/json'] ?? {};
      const named = parsed.components.schemas[schema?.$ref?.split('/').at(-1) ?? ''] ?? schema;
      return [
        ...parameters.map(({ name }) => `${operationId}.${name}`),
        ...Object.keys(named?.properties ?? {}).map((name) => `${operationId}.body.${name}`),
      ];
    });
    const shown = Object.entries(parsed.components.schemas).filter(([name]) => known.has(`object-${name}`));
    const fields = shown.flatMap(([name, { properties = {} }]) =>
      Object.keys(properties).map((field) => `object-${name}.${field}`),
    );
    expect(missing([...wanted, ...fields])).toEqual([]);
    expect(wanted).toContain('initializeCheckout.body.expires_in');
  });

  test('has each id once, and every link within it leads to one', () => {
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    const links = [...html.matchAll(/ href="#([^"]*)"/g)].map(([, id = '']) => id);
    expect(missing(links)).toEqual([]);
    // What the guide names in bold, in italics or as code is a link to it.
    for (const id of ['verifyCheckout', 'idempotency', 'error-rate_limited', 'event-checkout.paid']) {
      expect(links).toContain(id);
    }
  });

  test('is small, holds its own script and style alone, and fetches nothing', () => {
    expect(gzipSync(html).length).toBeLessThan(BUDGET);
    const inline = (name: string): string[] =>
      [...html.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, text = '']) => text);
    const hashes = (name: string): string =>
      inline(name)
        .map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
        .join(' ');
    expect([...html.matchAll(/<(script|style)\b/g)].map(([, name]) => name)).toEqual(['script', 'style', 'script']);
    expect(page.policy).toContain(`script-src ${hashes('script')};`);
    expect(page.policy).toContain(`style-src ${hashes('style')};`);
    expect(page.policy).not.toContain('unsafe');
    for (const text of inline('script')) expect(() => new Script(text)).not.toThrow();
    expect(html).not.toMatch(/<[a-z][^>]* (style|on\w+|src|srcset)=/);
    expect(inline('style').join()).not.toMatch(/url\(|@import/);
    const fetched = [...html.matchAll(/<link [^>]*href="([^"]+)"/g)].map(([, href]) => href);
    expect(fetched.filter((href) => !href?.startsWith('/') && href !== 'data:,')).toEqual([]);
  });
});

test('what looks like a tag in the document is text', () => {
  const { line, blocks } = prose({ titles: new Map(), names: new Map() });
  expect(line('<provider> could not, <b>`<id>`</b>')).toBe(
    '&lt;provider&gt; could not, &lt;b&gt;<code>&lt;id&gt;</code>&lt;/b&gt;',
  );
  expect(blocks('<script>alert(1)</script>')).not.toContain('<script>');
});

test('the page follows whatever the document names: enumerations, requests, answers, one of several', () => {
  const named: Document = structuredClone(document);
  const { schemas } = named.components;
  const ref = (name: string): Document => ({ $ref: `#/components/schemas/${name}` });
  const { post } = named.paths['/api/v1/checkout/initialize'];
  const [request, answer] = [post.requestBody, post.responses[201]].map(({ content }) => content['application/json']);
  Object.assign(schemas, {
    NamedMode: { type: 'string', enum: ['live', 'test'] },
    NamedState: { type: 'string', oneOf: [{ const: 'pending' }, { const: 'paid', description: 'It is.' }] },
    NamedRequest: request.schema,
    NamedAnswer: answer.schema,
    NamedChoice: { description: 'One or the other.', oneOf: [ref('Checkout'), ref('Payment')] },
  });
  [request.schema, answer.schema] = [ref('NamedRequest'), ref('NamedAnswer')];
  schemas.Checkout.properties.mode = { allOf: [ref('NamedMode')], description: 'Which.' };
  schemas.Checkout.properties.status = { anyOf: [ref('NamedState'), { type: 'null' }], description: 'How it is.' };
  schemas.Checkout.properties.metadata = { ...ref('NamedChoice'), description: 'Either.' };
  const text = htmlOf(parseDocument(named));
  const fieldOf = (id: string): string =>
    (text.split(`<li class="field" id="${id}">`)[1]?.split('</li>')[0] ?? '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ');
  expect(fieldOf('object-Checkout.mode')).toBe(' mode string Which. live test ');
  expect(fieldOf('object-Checkout.status')).toBe(' status string or null How it is. pending paid ');
  expect(fieldOf('object-Checkout.metadata')).toBe(' metadata NamedChoice Either. ');
  expect(fieldOf('initializeCheckout.body.amount')).toContain('required');
  // What only wraps others, or is shown where it is used, is no object.
  const objects = [...text.matchAll(/id="object-(Named\w+)"/g)].map(([, name]) => name);
  expect(objects).toEqual(['NamedChoice']);
});

describe('the samples', () => {
  const samples = parsed.endpoints.map((one) => [one.operationId, samplesOf(one)] as const);

  test('are there in three languages for every endpoint', () => {
    expect(samples.length).toBeGreaterThan(20);
    for (const [id, all] of samples) {
      expect([id, all.map(({ title }) => title)]).toEqual([id, ['curl', 'Node', 'Python']]);
      for (const title of ['curl', 'node', 'python']) expect(html).toContain(`id="${id}-${title}"`);
    }
  });

  const codes = (language: string): string[] =>
    samples.flatMap(([, all]) => all.filter((one) => one.language === language).map(({ code }) => code));

  test('are well-formed for Node and for the shell', () => {
    for (const code of codes('js')) expect(() => new Script(`(async () => {${code}\n});`)).not.toThrow();
    for (const code of codes('sh')) expect(() => execFileSync('sh', ['-n'], { input: code })).not.toThrow();
  });

  const withPython = isInstalled('python3') ? test : test.skip;
  withPython('are well-formed for Python', () => {
    const check = 'import json, sys\nfor code in json.load(sys.stdin): compile(code, "sample", "exec")';
    expect(() => execFileSync('python3', ['-c', check], { input: JSON.stringify(codes('python')) })).not.toThrow();
  });
});
