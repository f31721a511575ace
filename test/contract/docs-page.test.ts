import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { makeDocument } from '#infra/openapi/document.ts';
import { chapters } from '#infra/openapi/guide.ts';
import { makeLlmsText } from '#infra/openapi/llms-text.ts';
import { FORMER_ANCHORS, movedAnchors } from '#infra/openapi/page/former-anchors.ts';
import { makeSlug } from '#infra/openapi/page/html.ts';
import { makeProse } from '#infra/openapi/page/markdown.ts';
import { parseDocument } from '#infra/openapi/page/parsed.ts';
import { makeSamples } from '#infra/openapi/page/samples.ts';
import type { SearchIndex } from '#infra/openapi/page/search-index.ts';
import { makeSite } from '#infra/openapi/page/site.ts';
import { testWith } from '#test/support/worlds/other-tools.ts';
import type { Document } from './document-check.ts';

/* The pages at /docs have the guide and the whole API document, also without their script. */

/** Largest size of a page in bytes: packed with gzip, and not packed. */
const BUDGET = { packed: 40_000, unpacked: 300_000 };
/** Largest size of the search index in bytes, packed with gzip. */
const SEARCH_BUDGET = 64_000;

const document: Document = makeDocument();
const parsed = parseDocument();
const site = makeSite();
const pages = Object.entries(site.pages);
const html = pages.map(([, text]) => text).join('\n');
const listIds = (text: string): string[] => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
/** Every page and every id with its page. */
const places = new Set(pages.flatMap(([path, text]) => [path, ...listIds(text).map((id) => `${path}#${id}`)]));
const index: SearchIndex = JSON.parse(site.search);

const listMissing = (expectedPlaces: readonly string[]): string[] => {
  expect(expectedPlaces.length).toBeGreaterThan(0);
  return expectedPlaces.filter((place) => !places.has(place));
};

/** Lists the places of chapters and headings by the guide's files. */
const listGuidePlaces = (): string[] =>
  chapters().flatMap(({ slug: name, title, markdown }) => {
    if (title === '') return ['/docs'];
    const path = name === 'a-first-payment' ? '/docs' : `/docs/${name}`;
    const text = markdown.replaceAll(/^```[\s\S]*?^```/gm, '');
    return [
      `${path}#${name}`,
      ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => `${path}#${name}-${makeSlug(heading)}`),
    ];
  });
const groupPath = (name = ''): string => `/docs/api/${makeSlug(name)}`;

describe('the pages at /docs, without their script', () => {
  test('have a place for every chapter, group, endpoint, webhook, object and error code', () => {
    const operations = Object.values<Document>(document.paths).flatMap((item) => Object.values<Document>(item));
    const webhooks = Object.values<Document>(document.webhooks).map(({ post }) => post);
    const codes = chapters().flatMap(({ markdown }) => [...markdown.matchAll(/^\| `(\w+)` \| \d{3} \|/gm)]);
    expect(listMissing(listGuidePlaces())).toEqual([]);
    expect(listMissing(document.tags.map(({ name }: Document) => `${groupPath(name)}#api-${makeSlug(name)}`))).toEqual(
      [],
    );
    expect(listMissing(operations.map(({ tags, operationId }) => `${groupPath(tags[0])}#${operationId}`))).toEqual([]);
    expect(listMissing(webhooks.map(({ tags, summary }) => `${groupPath(tags[0])}#event-${summary}`))).toEqual([]);
    const objects = ['Checkout', 'Payment', 'VirtualAccount', 'Error'].map((name) => `/docs/objects#object-${name}`);
    expect(listMissing(objects)).toEqual([]);
    expect(listMissing(codes.map(([, code]) => `/docs/errors#error-${code}`))).toEqual([]);
  });

  test('have a place for every parameter, and for every field of a request or an object', () => {
    const inputs = parsed.endpoints.flatMap(({ operationId, tags, parameters, requestBody }) => {
      const { schema } = requestBody?.content['application/json'] ?? {};
      const body = parsed.components.schemas[schema?.$ref?.split('/').at(-1) ?? ''] ?? schema;
      return [
        ...parameters.map(({ name }) => `${operationId}.${name}`),
        ...Object.keys(body?.properties ?? {}).map((name) => `${operationId}.body.${name}`),
      ].map((id) => `${groupPath(tags[0])}#${id}`);
    });
    const objects = Object.entries(parsed.components.schemas).filter(([name]) =>
      places.has(`/docs/objects#object-${name}`),
    );
    const fields = objects.flatMap(([name, { properties = {} }]) =>
      Object.keys(properties).map((field) => `/docs/objects#object-${name}.${field}`),
    );
    expect(listMissing([...inputs, ...fields])).toEqual([]);
    expect(inputs).toContain('/docs/api/checkout#initializeCheckout.body.expires_in');
  });

  test('have each id once, and links that lead to existing places', () => {
    const links = pages.flatMap(([path, text]) => {
      const ids = listIds(text);
      expect([path, ids.filter((id, i) => ids.indexOf(id) !== i)]).toEqual([path, []]);
      return [...text.matchAll(/ href="(#[^"]*|\/docs[^"]*)"/g)].map(([, to = '']) =>
        to.startsWith('#') ? path + to : to,
      );
    });
    expect(listMissing(links)).toEqual([]);
    // A known name in bold, in italics or as code is a link.
    for (const to of [
      '/docs/api/checkout#verifyCheckout',
      '/docs/idempotency',
      '/docs/errors#error-rate_limited',
      '/docs/api/webhooks#event-checkout.paid',
    ]) {
      expect(html).toContain(` href="${to}"`);
    }
  });

  test('have a menu of all pages and of the current page’s parts, and links to the next and the previous page', () => {
    const paths = pages.map(([path]) => path);
    expect(paths).toContain('/docs/api/webhook-endpoints');
    for (const [i, [path, text]] of pages.entries()) {
      const menu = /<nav .*?<\/nav>/s.exec(text)?.[0] ?? '';
      const links = [...menu.matchAll(/ href="([^"#]+)"/g)].map(([, to]) => to);
      expect(links).toEqual(paths);
      expect([...menu.matchAll(/ href="([^"]+)" aria-current="page"/g)].map(([, to]) => to)).toEqual([path]);
      const turns = [...text.matchAll(/<a rel="(\w+)" href="([^"]+)"/g)].map(([, rel, to]) => [rel, to]);
      const [before, after] = [paths[i - 1], paths[i + 1]];
      expect(turns).toEqual([...(before ? [['prev', before]] : []), ...(after ? [['next', after]] : [])]);
    }
    expect(site.pages['/docs/verifying-webhooks']).toMatch(
      /<nav .*href="#verifying-webhooks-whole-receivers".*<\/nav>/s,
    );
    expect(site.missing).toContain(' href="/docs"');
  });

  test('show the programs of a chapter as tabs, one for each language, the first one open', () => {
    const [tabs = ''] =
      /<fieldset class="samples">.*?<\/fieldset>/s.exec(site.pages['/docs/verifying-webhooks'] ?? '') ?? [];
    const choices = [...tabs.matchAll(/<input type="radio" [^>]*value="(\w+)"( checked)?/g)];
    expect(choices.map(([, title, checked]) => [title, Boolean(checked)])).toEqual([
      ['Node', true],
      ...['Python', 'PHP', 'Go', 'Java'].map((title) => [title, false]),
    ]);
    expect(tabs).toContain('id="verifying-webhooks-go"');
    expect(tabs.match(/<pre /g)).toHaveLength(5);
  });

  test('have a small size, contain only their own script and style, and load nothing else', () => {
    for (const [path, text] of [...pages, ['missing', site.missing] as const]) {
      const [packed, unpacked] = [gzipSync(text).length, text.length];
      expect([path, packed < BUDGET.packed, unpacked < BUDGET.unpacked]).toEqual([path, true, true]);
      const inline = (name: string): string[] =>
        [...text.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, own = '']) => own);
      const hashes = (name: string): string =>
        inline(name)
          .map((own) => `'sha256-${createHash('sha256').update(own).digest('base64')}'`)
          .join(' ');
      expect([...text.matchAll(/<(script|style)\b/g)].map(([, name]) => name)).toEqual(['script', 'style', 'script']);
      expect(site.policy).toContain(`script-src ${hashes('script')};`);
      expect(site.policy).toContain(`style-src ${hashes('style')};`);
      for (const own of inline('script')) expect(() => new Script(own)).not.toThrow();
      expect(text).not.toMatch(/<[a-z][^>]* (style|on\w+|src|srcset)=/);
      expect(inline('style').join()).not.toMatch(/url\(|@import/);
      const fetched = [...text.matchAll(/<link [^>]*href="([^"]+)"/g)].map(([, href]) => href);
      expect(fetched.filter((href) => !href?.startsWith('/') && href !== 'data:,')).toEqual([]);
    }
    expect(site.policy).not.toContain('unsafe');
  });
});

test('every link of llms.txt to the documentation leads to an existing place', () => {
  const links = [...makeLlmsText().matchAll(/\]\(https:[^/]*\/\/[^/]+(\/docs[^)]*)\)/g)].map(([, to = '']) => to);
  expect(links.length).toBeGreaterThan(40);
  expect(listMissing(links)).toEqual([]);
});

describe('the search index of the documentation', () => {
  const findEntry = (id: string) => index.entries.find(([, entryId]) => entryId === id);

  test('has every place with its name in one small file', () => {
    expect(gzipSync(site.search).length).toBeLessThan(SEARCH_BUDGET);
    const indexed = new Set(index.entries.map(([page, id]) => `${index.pages[page]}#${id}`));
    expect(listMissing([...indexed])).toEqual([]);
    const namedPlaces = pages.flatMap(([path, text]) =>
      [...text.matchAll(/<(?:section|h\d|li|tr|label)\b[^>]* id="([^"]+)"/g)].map(([, id = '']) => `${path}#${id}`),
    );
    expect(namedPlaces.filter((place) => !indexed.has(place))).toEqual([]);
    expect(index.entries.filter(([, , name]) => name === '')).toEqual([]);
  });

  test('gives each entry the name of its section or page, and each word of its text once', () => {
    expect(findEntry('initializeCheckout.body.expires_in')?.slice(2, 4)).toEqual([
      'expires_in',
      'Initialize a checkout · Body',
    ]);
    expect(findEntry('rate-limits')?.slice(2, 4)).toEqual(['Rate limits', 'Guide']);
    expect(findEntry('error-rate_limited')?.slice(2, 4)).toEqual(['rate_limited', 'Error 429']);
    expect(findEntry('verifying-webhooks-go')?.slice(2, 4)).toEqual(['Go', 'Verifying webhooks']);
    expect(findEntry('a-shop-the-shop-in-php')?.slice(2, 4)).toEqual(['The shop in PHP', 'A shop']);
    expect(findEntry('a-shop-the-shop-in-php')?.[4]).toContain('<?php');
    expect(findEntry('initializeCheckout')?.[4]).toContain('/api/v1/checkout/initialize');
    const words = findEntry('idempotency')?.[4].split(' ') ?? [];
    expect(words).toContain('idempotency-key');
    expect(new Set(words).size).toBe(words.length);
    // Lists of links and tables of API errors would match too many searches.
    expect(findEntry('where-to-go-from-here')?.[4]).not.toContain('idempotency');
    expect(findEntry('initializeCheckout')?.[4]).not.toContain('whitelisted');
  });

  test('has an existing place for every anchor from the time when the guide was one page', () => {
    const ids = index.entries.map(([, id]) => id);
    const lost = FORMER_ANCHORS.filter((id) => !ids.includes(index.moved[id] ?? id));
    // If this fails, a chapter or heading has another title: add a line to infra/openapi/page/former-anchors.ts.
    expect(lost).toEqual([]);
  });

  test('leads a former anchor to the chapter that its heading became, or to the heading in another chapter', () => {
    const moved = movedAnchors(['webhooks-on-localhost', 'reconciling-month-end', 'the-month-end', 'a-wallet']);
    expect(moved['recipes-webhooks-on-localhost']).toBe('webhooks-on-localhost');
    expect(moved['recipes-month-end']).toBe('reconciling-month-end');
    expect(moved['recipes-a-wallet-for-each-customer']).toBe('a-wallet');
    expect(moved).not.toHaveProperty('idempotency');
  });
});

test('a text in the document that looks like an HTML tag is shown as text', () => {
  const { line, blocks } = makeProse({ titles: new Map(), names: new Map() });
  expect(line('<provider> could not, <b>`<id>`</b>')).toBe(
    '&lt;provider&gt; could not, &lt;b&gt;<code>&lt;id&gt;</code>&lt;/b&gt;',
  );
  expect(blocks('<script>alert(1)</script>')).not.toContain('<script>');
});

test('the pages follow references to named enumerations, requests, answers and alternatives', () => {
  const changed: Document = structuredClone(document);
  const { schemas } = changed.components;
  const ref = (name: string): Document => ({ $ref: `#/components/schemas/${name}` });
  const { post } = changed.paths['/api/v1/checkout/initialize'];
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
  const text = Object.values(makeSite(parseDocument(changed)).pages).join('\n');
  const readField = (id: string): string =>
    (text.split(`<li class="field" id="${id}">`)[1]?.split('</li>')[0] ?? '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ');
  expect(readField('object-Checkout.mode')).toBe(' mode string Which. live test ');
  expect(readField('object-Checkout.status')).toBe(' status string or null How it is. pending paid ');
  expect(readField('object-Checkout.metadata')).toBe(' metadata NamedChoice Either. ');
  expect(readField('initializeCheckout.body.amount')).toContain('required');
  // A wrapper, or a schema that is shown in another place, is not on the page of objects.
  const objects = [...text.matchAll(/id="object-(Named\w+)"/g)].map(([, name]) => name);
  expect(objects).toEqual(['NamedChoice']);
});

describe('the samples of the documentation', () => {
  const samples = parsed.endpoints.map((endpoint) => [endpoint.operationId, makeSamples(endpoint)] as const);

  test('exist in five languages for every endpoint', () => {
    expect(samples.length).toBeGreaterThan(20);
    for (const [id, all] of samples) {
      expect([id, all.map(({ title }) => title)]).toEqual([id, ['curl', 'Node', 'Python', 'PHP', 'Go']]);
      for (const title of ['curl', 'node', 'python', 'php', 'go']) expect(html).toContain(`id="${id}-${title}"`);
    }
  });

  const listCodes = (language: string): string[] =>
    samples.flatMap(([, all]) => all.filter((sample) => sample.language === language).map(({ code }) => code));

  test('have valid syntax for Node and for the shell', () => {
    for (const code of listCodes('js')) expect(() => new Script(`(async () => {${code}\n});`)).not.toThrow();
    for (const code of listCodes('sh')) expect(() => execFileSync('sh', ['-n'], { input: code })).not.toThrow();
  });

  const withPython = testWith(['Python']);
  withPython('have valid syntax for Python', () => {
    const check = 'import json, sys\nfor code in json.load(sys.stdin): compile(code, "sample", "exec")';
    expect(() => execFileSync('python3', ['-c', check], { input: JSON.stringify(listCodes('python')) })).not.toThrow();
  });

  const withPhp = testWith(['PHP']);
  withPhp('have valid syntax for PHP, and send an empty object as an object', () => {
    const check = 'foreach (json_decode(stream_get_contents(STDIN)) as $code) token_get_all($code, TOKEN_PARSE);';
    expect(() => execFileSync('php', ['-r', check], { input: JSON.stringify(listCodes('php')) })).not.toThrow();
    // An empty PHP array is a list in JSON.
    expect(listCodes('php').filter((code) => /json_encode\(\[\]/.test(code))).toEqual([]);
  });

  const withGoFiles = async (use: (folder: string) => void): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), 'payments-samples-'));
    try {
      await writeFile(join(folder, 'go.mod'), 'module samples\n\ngo 1.24\n');
      for (const [i, code] of listCodes('go').entries()) {
        await mkdir(join(folder, `sample${i}`));
        await writeFile(join(folder, `sample${i}`, 'main.go'), `${code}\n`);
      }
      use(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  testWith(['Go'])('have the form of gofmt for Go, and no amount that loses kobo', () =>
    withGoFiles((folder) => {
      expect(execFileSync('gofmt', ['-l', '-e', folder]).toString()).toBe('');
      expect(listCodes('go').filter((code) => code.includes('float32'))).toEqual([]);
    }),
  );

  testWith(['Go'], { isLong: true })(
    'have no findings of go vet',
    () => withGoFiles((folder) => execFileSync('go', ['vet', './...'], { cwd: folder, stdio: 'pipe' })),
    180_000,
  );
});
