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
import { slug } from '#infra/openapi/page/html.ts';
import { prose } from '#infra/openapi/page/markdown.ts';
import { parseDocument } from '#infra/openapi/page/parsed.ts';
import { makeSamples } from '#infra/openapi/page/samples.ts';
import type { SearchIndex } from '#infra/openapi/page/search-index.ts';
import { makeSite } from '#infra/openapi/page/site.ts';
import { testWith } from '#test/support/worlds/other-tools.ts';
import type { Document } from './document-check.ts';

/*
 * The pages at /docs hold the guide and all of the API document as they come from the server, without any script.
 */

/** Bytes of a page: as a browser without brotli gets it, and unpacked. */
const BUDGET = { packed: 40_000, plain: 300_000 };
/** Bytes of what the search fetches, packed. */
const SEARCH_BUDGET = 64_000;

const document: Document = makeDocument();
const parsed = parseDocument();
const site = makeSite();
const pages = Object.entries(site.pages);
const html = pages.map(([, text]) => text).join('\n');
const idsOf = (text: string): string[] => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
/** Every id with its page. */
const places = new Set(pages.flatMap(([path, text]) => [path, ...idsOf(text).map((id) => `${path}#${id}`)]));
const index: SearchIndex = JSON.parse(site.search);

const missing = (wanted: readonly string[]): string[] => {
  expect(wanted.length).toBeGreaterThan(0);
  return wanted.filter((place) => !places.has(place));
};

/** The chapters with a page of their own, and each heading, as the guide's files have them. */
const guidePlaces = (): string[] =>
  chapters().flatMap(({ slug: name, title, markdown }) => {
    if (title === '') return ['/docs'];
    const path = name === 'a-first-payment' ? '/docs' : `/docs/${name}`;
    const text = markdown.replaceAll(/^```[\s\S]*?^```/gm, '');
    return [
      `${path}#${name}`,
      ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => `${path}#${name}-${slug(heading)}`),
    ];
  });
const groupPath = (name = ''): string => `/docs/api/${slug(name)}`;

describe('The pages at /docs, without their script', () => {
  test('Every chapter of the guide, group, endpoint, webhook, object and error code has its place.', () => {
    const operations = Object.values<Document>(document.paths).flatMap((item) => Object.values<Document>(item));
    const webhooks = Object.values<Document>(document.webhooks).map(({ post }) => post);
    const codes = chapters().flatMap(({ markdown }) => [...markdown.matchAll(/^\| `(\w+)` \| \d{3} \|/gm)]);
    expect(missing(guidePlaces())).toEqual([]);
    expect(missing(document.tags.map(({ name }: Document) => `${groupPath(name)}#api-${slug(name)}`))).toEqual([]);
    expect(missing(operations.map((one) => `${groupPath(one.tags[0])}#${one.operationId}`))).toEqual([]);
    expect(missing(webhooks.map(({ tags, summary }) => `${groupPath(tags[0])}#event-${summary}`))).toEqual([]);
    const objects = ['Checkout', 'Payment', 'VirtualAccount', 'Error'].map((name) => `/docs/objects#object-${name}`);
    expect(missing(objects)).toEqual([]);
    expect(missing(codes.map(([, code]) => `/docs/errors#error-${code}`))).toEqual([]);
  });

  test('Every parameter and every field of a request and of an object has its place.', () => {
    const wanted = parsed.endpoints.flatMap(({ operationId, tags, parameters, requestBody }) => {
      const { schema } = requestBody?.content['application/json'] ?? {};
      const named = parsed.components.schemas[schema?.$ref?.split('/').at(-1) ?? ''] ?? schema;
      return [
        ...parameters.map(({ name }) => `${operationId}.${name}`),
        ...Object.keys(named?.properties ?? {}).map((name) => `${operationId}.body.${name}`),
      ].map((id) => `${groupPath(tags[0])}#${id}`);
    });
    const shown = Object.entries(parsed.components.schemas).filter(([name]) =>
      places.has(`/docs/objects#object-${name}`),
    );
    const fields = shown.flatMap(([name, { properties = {} }]) =>
      Object.keys(properties).map((field) => `/docs/objects#object-${name}.${field}`),
    );
    expect(missing([...wanted, ...fields])).toEqual([]);
    expect(wanted).toContain('/docs/api/checkout#initializeCheckout.body.expires_in');
  });

  test('Each page has each id once, and every link leads to a page and a place on it.', () => {
    const links = pages.flatMap(([path, text]) => {
      const ids = idsOf(text);
      expect([path, ids.filter((id, i) => ids.indexOf(id) !== i)]).toEqual([path, []]);
      return [...text.matchAll(/ href="(#[^"]*|\/docs[^"]*)"/g)].map(([, to = '']) =>
        to.startsWith('#') ? path + to : to,
      );
    });
    expect(missing(links)).toEqual([]);
    // A name in bold, in italics or as code is a link.
    for (const to of [
      '/docs/api/checkout#verifyCheckout',
      '/docs/idempotency',
      '/docs/errors#error-rate_limited',
      '/docs/api/webhooks#event-checkout.paid',
    ]) {
      expect(html).toContain(` href="${to}"`);
    }
  });

  test('The menu has all pages and the parts of the current one, and each page leads to the next.', () => {
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

  test('The programs of a chapter are tabs, a language each, and the first is shown.', () => {
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

  test('Each page is small, holds its own script and style alone, and loads nothing.', () => {
    for (const [path, text] of [...pages, ['elsewhere', site.missing] as const]) {
      const [packed, plain] = [gzipSync(text).length, text.length];
      expect([path, packed < BUDGET.packed, plain < BUDGET.plain]).toEqual([path, true, true]);
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

test('Every link of llms.txt to the documentation leads to a page and a place on it.', () => {
  const links = [...makeLlmsText().matchAll(/\]\(https:[^/]*\/\/[^/]+(\/docs[^)]*)\)/g)].map(([, to = '']) => to);
  expect(links.length).toBeGreaterThan(40);
  expect(missing(links)).toEqual([]);
});

describe('The search of the documentation', () => {
  const found = (id: string) => index.found.find((one) => one[1] === id);

  test('One small file knows every place by its name.', () => {
    expect(gzipSync(site.search).length).toBeLessThan(SEARCH_BUDGET);
    const known = new Set(index.found.map(([page, id]) => `${index.pages[page]}#${id}`));
    expect(missing([...known])).toEqual([]);
    const named = pages.flatMap(([path, text]) =>
      [...text.matchAll(/<(?:section|h\d|li|tr|label)\b[^>]* id="([^"]+)"/g)].map(([, id = '']) => `${path}#${id}`),
    );
    expect(named.filter((place) => !known.has(place))).toEqual([]);
    expect(index.found.filter(([, , name]) => name === '')).toEqual([]);
  });

  test('Each entry says where it stands, and has the words of its text once.', () => {
    expect(found('initializeCheckout.body.expires_in')?.slice(2, 4)).toEqual([
      'expires_in',
      'Initialize a checkout · Body',
    ]);
    expect(found('rate-limits')?.slice(2, 4)).toEqual(['Rate limits', 'Guide']);
    expect(found('error-rate_limited')?.slice(2, 4)).toEqual(['rate_limited', 'Error 429']);
    expect(found('verifying-webhooks-go')?.slice(2, 4)).toEqual(['Go', 'Verifying webhooks']);
    expect(found('a-shop-the-shop-in-php')?.slice(2, 4)).toEqual(['The shop in PHP', 'A shop']);
    expect(found('a-shop-the-shop-in-php')?.[4]).toContain('<?php');
    expect(found('initializeCheckout')?.[4]).toContain('/api/v1/checkout/initialize');
    const words = found('idempotency')?.[4].split(' ') ?? [];
    expect(words).toContain('idempotency-key');
    expect(new Set(words).size).toBe(words.length);
    // Lists of links and refusals would be found by everything.
    expect(found('where-to-go-from-here')?.[4]).not.toContain('idempotency');
    expect(found('initializeCheckout')?.[4]).not.toContain('whitelisted');
  });

  test('Every anchor of the one page that all of this was once has a place today.', () => {
    const ids = index.found.map(([, id]) => id);
    const lost = FORMER_ANCHORS.filter((id) => !ids.includes(index.moved[id] ?? id));
    // A chapter or heading has another title: infra/openapi/page/former-anchors.ts needs a line.
    expect(lost).toEqual([]);
  });

  test('An anchor of former days leads to the chapter that its heading became, or to the heading in another chapter.', () => {
    const moved = movedAnchors(['webhooks-on-localhost', 'reconciling-month-end', 'the-month-end', 'a-wallet']);
    expect(moved['recipes-webhooks-on-localhost']).toBe('webhooks-on-localhost');
    expect(moved['recipes-month-end']).toBe('reconciling-month-end');
    expect(moved['recipes-a-wallet-for-each-customer']).toBe('a-wallet');
    expect(moved).not.toHaveProperty('idempotency');
  });
});

test('what looks like a tag in the document is text', () => {
  const { line, blocks } = prose({ titles: new Map(), names: new Map() });
  expect(line('<provider> could not, <b>`<id>`</b>')).toBe(
    '&lt;provider&gt; could not, &lt;b&gt;<code>&lt;id&gt;</code>&lt;/b&gt;',
  );
  expect(blocks('<script>alert(1)</script>')).not.toContain('<script>');
});

test('The pages follow whatever the document names: enumerations, requests, answers, one of several.', () => {
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
  const text = Object.values(makeSite(parseDocument(named)).pages).join('\n');
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
  const samples = parsed.endpoints.map((one) => [one.operationId, makeSamples(one)] as const);

  test('are there in five languages for every endpoint', () => {
    expect(samples.length).toBeGreaterThan(20);
    for (const [id, all] of samples) {
      expect([id, all.map(({ title }) => title)]).toEqual([id, ['curl', 'Node', 'Python', 'PHP', 'Go']]);
      for (const title of ['curl', 'node', 'python', 'php', 'go']) expect(html).toContain(`id="${id}-${title}"`);
    }
  });

  const codes = (language: string): string[] =>
    samples.flatMap(([, all]) => all.filter((one) => one.language === language).map(({ code }) => code));

  test('are well-formed for Node and for the shell', () => {
    for (const code of codes('js')) expect(() => new Script(`(async () => {${code}\n});`)).not.toThrow();
    for (const code of codes('sh')) expect(() => execFileSync('sh', ['-n'], { input: code })).not.toThrow();
  });

  const withPython = testWith(['Python']);
  withPython('are well-formed for Python', () => {
    const check = 'import json, sys\nfor code in json.load(sys.stdin): compile(code, "sample", "exec")';
    expect(() => execFileSync('python3', ['-c', check], { input: JSON.stringify(codes('python')) })).not.toThrow();
  });

  const withPhp = testWith(['PHP']);
  withPhp('are well-formed for PHP, and send an empty object as one', () => {
    const check = 'foreach (json_decode(stream_get_contents(STDIN)) as $code) token_get_all($code, TOKEN_PARSE);';
    expect(() => execFileSync('php', ['-r', check], { input: JSON.stringify(codes('php')) })).not.toThrow();
    // An empty PHP array is a list in JSON.
    expect(codes('php').filter((code) => /json_encode\(\[\]/.test(code))).toEqual([]);
  });

  const inFolder = async (use: (folder: string) => void): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), 'payments-samples-'));
    try {
      await writeFile(join(folder, 'go.mod'), 'module samples\n\ngo 1.24\n');
      for (const [i, code] of codes('go').entries()) {
        await mkdir(join(folder, `sample${i}`));
        await writeFile(join(folder, `sample${i}`, 'main.go'), `${code}\n`);
      }
      use(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  testWith(['Go'])('are as gofmt writes them for Go, and have no amount that loses kobo', () =>
    inFolder((folder) => {
      expect(execFileSync('gofmt', ['-l', '-e', folder]).toString()).toBe('');
      expect(codes('go').filter((code) => code.includes('float32'))).toEqual([]);
    }),
  );

  testWith(['Go'], { isLong: true })(
    'have nothing that go vet finds',
    () => inFolder((folder) => execFileSync('go', ['vet', './...'], { cwd: folder, stdio: 'pipe' })),
    180_000,
  );
});
