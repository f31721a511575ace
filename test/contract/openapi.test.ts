import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { parse } from 'yaml';
import { isPayersRoute } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { makePublisher } from '#infra/openapi/build-plugin.ts';
import { makeDocument } from '#infra/openapi/document.ts';
import { guide } from '#infra/openapi/guide.ts';
import { CONTACT_PLACEHOLDER, SERVER_PLACEHOLDER } from '#infra/openapi/server-placeholder.ts';
import { API_ERRORS } from '#shared/platform/contract/errors.ts';
import type { Contact } from '#shared/platform/kernel/contact.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { WEBHOOKS } from '#shared/webhooks/contract/webhooks.ts';
import { type EventType, eventType } from '#shared/webhooks/domain/event.ts';
import { findQuietPort } from '#test/support/emulators/quiet-port.ts';
import { isLongRun, longerTest, longTest } from '#test/support/jest/long.ts';
import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { hasLanguages } from '#test/support/worlds/other-tools.ts';
import { type Received, type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';
import { type Document, documentCheck } from './document-check.ts';

const run = promisify(execFile);
const TOOLS_LIMIT_MS = 240_000;
/** Milliseconds for an answer while another client has sent half a request. Only a receiver that serves one client at a time would need longer. */
const HALF_SENT_LIMIT_MS = 20_000;

/** Lists all examples of requests, answers, headers and parameters with their place and schema. */
const listExamples = (document: Document): [string, unknown, unknown][] => {
  const { resolve } = documentCheck(document);
  const listBodies = (place: string, part: Document): [string, unknown, unknown][] =>
    Object.values<Document>(part?.content ?? {}).flatMap(({ schema, examples = {} }) =>
      Object.entries(examples).map(([name, example]): [string, unknown, unknown] => [
        `${place}: ${name}`,
        schema,
        resolve(example).value,
      ]),
    );
  const listExample = (place: string, part: Document): [string, unknown, unknown][] => {
    const { schema, example } = resolve(part);
    return example === undefined ? [] : [[place, schema, example]];
  };
  const items = [...Object.entries<Document>(document.paths), ...Object.entries<Document>(document.webhooks)];
  return items.flatMap(([path, item]) =>
    Object.entries<Document>(item).flatMap(([method, { parameters = [], requestBody, responses }]) => [
      ...listBodies(`${method} ${path} request`, requestBody),
      ...parameters.flatMap((part: Document) => listExample(`${method} ${path} ${resolve(part).name}`, part)),
      ...Object.entries<Document>(responses).flatMap(([status, response]) => [
        ...listBodies(`${method} ${path} ${status}`, response),
        ...Object.entries(response.headers ?? {}).flatMap(([name, header]) => listExample(`${status} ${name}`, header)),
      ]),
    ]),
  );
};

/** The fields of the envelope of a success, which the guide describes. */
const ENVELOPE = ['status', 'message', 'data', 'meta'];

const manifestRoutes = FUNCTIONS.flatMap(({ trigger }) => {
  if (trigger.kind === 'endpoint') return [`${trigger.contract.method} ${trigger.contract.path}`];
  // The payment page and its widget are not part of the API.
  return trigger.kind === 'route' && trigger.route !== '$default' && !isPayersRoute(trigger.route)
    ? [trigger.route]
    : [];
});

describe('the API document', () => {
  const document: Document = makeDocument();
  const check = documentCheck(document);

  test('has exactly the routes of the manifest', () => {
    expect(check.routes.map(({ route }) => route).sort()).toEqual([...manifestRoutes].sort());
  });

  test('has exactly the error codes of the code, each under its status', () => {
    const documented = check.routes.flatMap(({ operation }) =>
      Object.entries<Document>(operation.responses)
        .filter(([status]) => Number(status) >= 400)
        .flatMap(([status, response]) =>
          Object.keys(response.content['application/json'].examples).map((code) => `${status} ${code}`),
        ),
    );
    // No operation has a 405: it is the answer to a method that the document does not have.
    const { method_not_allowed: _, ...operationErrors } = API_ERRORS;
    const expected = Object.entries(operationErrors).map(([code, { status }]) => `${status} ${code}`);
    expect([...new Set(documented)].sort()).toEqual(expected.sort());
    for (const [code, { status, message }] of Object.entries(API_ERRORS)) {
      expect(guide()).toContain(`| \`${code}\` | ${status} | ${message} |`);
    }
  });

  test('promises Idempotent-Replayed exactly with the answers that are stored under an idempotency key', () => {
    const replayed = check.routes.flatMap(({ route, operation }) =>
      Object.entries<Document>(operation.responses)
        .filter(([, { headers = {} }]) => 'Idempotent-Replayed' in headers)
        .map(([status]) => `${route.replace('/api/v1', '')} ${status}`),
    );
    expect(replayed.sort()).toEqual(
      [
        'POST /checkout/initialize 201',
        ...['200', '404', '409'].map((status) => `POST /checkout/sandbox/simulate ${status}`),
        ...['200', '404', '409'].map((status) => `POST /checkouts/{reference}/another-account ${status}`),
        ...['200', '404', '409'].map((status) => `POST /checkouts/{reference}/expire ${status}`),
        ...['202', '404'].map((status) => `POST /events/{id}/redeliver ${status}`),
        ...['201', '422'].map((status) => `POST /virtual-accounts ${status}`),
        ...['200', '404'].map((status) => `POST /virtual-accounts/{id}/delete ${status}`),
        ...['200', '404', '409'].map((status) => `POST /virtual-accounts/{id}/sandbox/simulate ${status}`),
        ...['202', '404'].map((status) => `POST /webhook-endpoints/{id}/recover ${status}`),
        ...['201', '404'].map((status) => `POST /webhook-endpoints/{id}/test ${status}`),
      ].sort(),
    );
  });

  test('has exactly one webhook for each event type', () => {
    expect(Object.keys(document.webhooks).sort()).toEqual(Object.keys(WEBHOOKS).sort());
  });

  test('has an example for every request, answer and API error, and each example fits its schema', () => {
    for (const { route, operation } of check.routes) {
      const bodies = [operation.requestBody, ...Object.values<Document>(operation.responses)];
      const jsons = bodies.flatMap((part) => part?.content?.['application/json'] ?? []);
      if (!/(openapi|postman)\.json$/.test(route))
        expect(jsons.every(({ examples }) => Object.keys(examples).length > 0)).toBe(true);
    }
    const wrong = listExamples(document).flatMap(([place, schema, value]) =>
      check.deviations(schema, value).map((text) => `${place} ${text}`),
    );
    expect(wrong).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/"(paid_at|created_at|timestamp|at)":"(?!2026-11-20T)/);
  });

  test('describes every operation, parameter and field', () => {
    const undescribedInputs = check.routes.flatMap(({ route, operation }) => {
      const body = check.resolve(operation.requestBody?.content['application/json'].schema ?? {}).properties ?? {};
      const parameters = (operation.parameters ?? []).map(check.resolve);
      return [
        ...[operation].filter(({ summary, description }) => !summary || !description).map(() => route),
        ...parameters
          .filter(({ description }: Document) => !description)
          .map(({ name }: Document) => `${route} ${name}`),
        ...Object.entries<Document>(body).flatMap(([name, { description }]) =>
          description ? [] : [`${route} ${name}`],
        ),
      ];
    });
    /** Lists fields without a description, except the envelope's. A component describes its own fields. */
    const listUndescribed = (place: string, { properties = {}, items }: Document): string[] => [
      ...(items ? listUndescribed(place, items) : []),
      ...Object.entries<Document>(properties).flatMap(([name, field]) => [
        ...(field.description || field.$ref || ENVELOPE.includes(name) ? [] : [`${place} ${name}`]),
        ...(name === 'meta' ? [] : listUndescribed(`${place} ${name}`, field)),
      ]),
    ];
    const answers = check.routes.flatMap(({ route, operation }) =>
      Object.entries<Document>(operation.responses).flatMap(([status, { content }]) =>
        Number(status) < 400 ? listUndescribed(route, check.resolve(content?.['application/json']?.schema ?? {})) : [],
      ),
    );
    const webhooks = Object.entries<Document>(document.webhooks).flatMap(([type, { post }]) =>
      listUndescribed(type, check.resolve(post.requestBody.content['application/json'].schema)),
    );
    const components = Object.entries<Document>(document.components.schemas).flatMap(([id, { properties = {} }]) =>
      // Answers are checked above, without the envelope.
      Object.entries<Document>(id.endsWith('Answer') ? {} : properties).flatMap(([name, { description, $ref }]) =>
        description || $ref ? [] : [`${id}.${name}`],
      ),
    );
    expect([...undescribedInputs, ...answers, ...webhooks, ...components]).toEqual([]);
  });

  longTest(
    'passes redocly lint without warnings',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'payments-openapi-'));
      const file = join(folder, 'openapi.json');
      await writeFile(file, JSON.stringify(document));
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const lint = run('node_modules/.bin/redocly', ['lint', file, '--config', 'infra/openapi/redocly.yaml'], { env });
      const { stderr, stdout } = await lint.catch((error) => error);
      await rm(folder, { recursive: true });
      expect(stderr + stdout).toContain('Your API description is valid.');
      expect(stderr + stdout).not.toMatch(/warning|error/i);
    },
    TOOLS_LIMIT_MS,
  );
});

/** The contact of the stage. */
const CONTACT = { email: 'integrations@example.com', url: 'https://example.com/support' };

longTest(
  'the built functions serve the document, its pages and the list of routes',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'payments-openapi-'));
    const { plugin, writeAssets } = makePublisher();
    const names = [
      'serve-openapi',
      'serve-docs',
      'serve-openapi-yaml',
      'serve-llms-txt',
      'serve-postman-collection',
      'not-found',
    ];
    await build({
      entryPoints: names.map((name) => ({ in: `functions/${name}/handler.ts`, out: `${name}/index` })),
      outdir: folder,
      bundle: true,
      minify: true,
      format: 'cjs',
      platform: 'node',
      logLevel: 'silent',
      plugins: [plugin],
    });
    await writeAssets((name) => join(folder, name));
    const event = {
      rawPath: '/api/v1/checkouts',
      headers: { 'accept-encoding': 'br', 'x-forwarded-proto': 'https' },
      requestContext: { domainName: 'api.adastores.example', requestId: 'r', http: { method: 'GET' } },
    };
    const calls = names.map((name) => [
      name,
      name === 'serve-docs' ? { ...event, rawPath: '/docs/idempotency' } : event,
    ]);
    const script = `Promise.all(${JSON.stringify(calls)}.map(([name, event]) => require('./' + name + '/index.js').handler(
      event, { getRemainingTimeInMillis: () => 5000 }))).then((all) => console.log(JSON.stringify(all)))`;
    // The functions run outside the repository, so that they cannot load its files.
    const serve = async (contact: Contact | null) => {
      const env = { ...process.env, CONTACT: JSON.stringify(contact) };
      const { stdout } = await run(process.execPath, ['-e', script], { cwd: folder, maxBuffer: 10_000_000, env });
      return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
    };
    const [document, page, yaml, llms, postman, other] = await serve(CONTACT);
    const [documentWithoutContact, , yamlWithoutContact, llmsWithoutContact] = await serve(null);
    await rm(folder, { recursive: true });
    expect(other).toMatchObject({ statusCode: 405, headers: { allow: 'GET' } });
    const address = 'https://api.adastores.example';
    const expected = JSON.parse(JSON.stringify(makeDocument()).replaceAll(SERVER_PLACEHOLDER, address));
    expect(expected.servers).toEqual([{ url: address }]);
    const unpack = ({ body }: Document): string => brotliDecompressSync(Buffer.from(body, 'base64')).toString();
    const unnamedContact = { name: 'Whoever runs this service' };
    expected.info.contact = unnamedContact;
    expect(JSON.parse(unpack(documentWithoutContact))).toEqual(expected);
    expect(parse(unpack(yamlWithoutContact))).toEqual(expected);
    expected.info.contact = { ...unnamedContact, ...CONTACT };
    expect(JSON.parse(unpack(document))).toEqual(expected);
    expect(parse(unpack(yaml))).toEqual(expected);
    expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect(unpack(llms)).toContain(`: \`POST /api/v1/checkout/initialize\`. `);
    expect(unpack(llmsWithoutContact)).toContain('Questions go to whoever runs this service.');
    const contactText = 'whoever runs this service (integrations@example.com, https://example.com/support)';
    expect(unpack(llms)).toContain(`Questions go to ${contactText}.`);
    for (const answer of [document, page, yaml, llms, documentWithoutContact, yamlWithoutContact, llmsWithoutContact]) {
      expect(unpack(answer)).not.toContain(CONTACT_PLACEHOLDER);
    }
    expect(unpack(llms)).toContain(`curl -sS "${address}/api/v1/checkout/initialize"`);
    expect(JSON.parse(unpack(postman)).variable[0]).toEqual({ key: 'baseUrl', value: address });
    expect(postman.headers['content-disposition']).toMatch(/^attachment; filename="\S+\.json"$/);
    const html = unpack(page);
    expect(html).toMatch(/^<!doctype html>.*<h1><a class="here" href="#idempotency">/s);
    const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => text);
    expect(scripts).toHaveLength(2);
    for (const text of scripts) {
      const hash = createHash('sha256').update(text).digest('base64');
      expect(page.headers['content-security-policy']).toContain(`'sha256-${hash}'`);
    }
  },
  TOOLS_LIMIT_MS,
);

/** Answers that no test can get cheaply. The running service gives all other answers of the document. */
const UNREACHABLE_ANSWERS = [
  // The service has no faults here.
  / (internal_error|service_unavailable)$/,
  // The simulated providers work and are fast here; they fail in test/integration.
  / (provider_error|provider_busy|idempotency_in_progress)$/,
  // All providers are enabled here.
  / provider_not_enabled$/,
  // Only a provider that signs its requests gets these.
  /^POST \/providers\/\{provider\}\/notifications 200$/,
];
/** Webhooks that need more than a simulation or one request to the simulator. Other tests cause them (test/support/jest/coordinator.ts). */
const TYPES_SENT_ELSEWHERE: readonly string[] = [
  'checkout.overpaid',
  'checkout.payment_reversed',
  'virtual_account.payment_reversed',
  'endpoint.disabled',
] satisfies EventType[];
const EXPECTED_TYPES = eventType.options.filter((type) => !TYPES_SENT_ELSEWHERE.includes(type));

describe('the running service', () => {
  const PAYER = { amount: 8_500.75, payer_email: 'tunde.bakare@example.com' };
  const CUSTOMER = { customer_name: 'Adaeze Okafor', customer_phone: '+2348031234567' };
  const MISSING = { reference: 'PAY-00000000000000000000', id: 'va_01M7WKJH18WQVSRGM718E6H3C6' };
  const LIMITS = { live: 100, test: 100, publicAddress: 100 };

  let stack: Stack;
  let document: Document;
  let check: ReturnType<typeof documentCheck>;
  let merchant: Merchant;
  let webhooks: Receiver & { secret: string };
  let slowWebhooks: Receiver & { secret: string };
  let liveWebhooks: Receiver;
  const givenAnswers = new Set<string>();
  const replayed = new Set<string>();
  const deviations: string[] = [];

  interface Request {
    readonly key?: string | undefined;
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
    readonly baseUrl?: string;
  }
  /** Sends a request, and compares its answer with the document. */
  const sendOnce = async (
    method: string,
    path: string,
    { key = merchant.secretTest.key, body, headers, baseUrl = stack.baseUrl }: Request = {},
  ) => {
    const raw = typeof body === 'string';
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
    });
    const answer = { status: response.status, headers: response.headers, text: await response.text() };
    const json: Document = response.headers.get('content-type')?.startsWith('application/json')
      ? JSON.parse(answer.text)
      : undefined;
    const { route } = check.routeOf(method, path) ?? { route: `${method} ${path}` };
    givenAnswers.add(`${route} ${answer.status}${json?.code ? ` ${json.code}` : ''}`);
    if (answer.headers.has('idempotent-replayed')) replayed.add(`${route} ${answer.status}`);
    deviations.push(...check.answerDeviations(method, path, answer).map((text) => `${method} ${path}: ${text}`));
    return { ...answer, json };
  };
  /** Sends a request like `sendOnce`. While the key is over its rate limit, waits and sends the request again. */
  const send: typeof sendOnce = async (...request) => {
    const answer = await sendOnce(...request);
    if (answer.status !== 429) return answer;
    await new Promise((resolve) => setTimeout(resolve, Number(answer.headers.get('retry-after')) * 1_000));
    return send(...request);
  };
  /** Sends a request to the API. If the endpoint takes an Idempotency-Key and no `headers` are given, sends it twice with the same key. */
  const api = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const { operation } = check.routeOf(method, `/api/v1${path}`) ?? {};
    const takesKey = operation?.parameters?.some((part: Document) => check.resolve(part).name === 'Idempotency-Key');
    const repeats = takesKey && !headers;
    const request: Request = {
      ...(body !== undefined && { body }),
      headers: repeats ? { 'idempotency-key': randomUUID() } : { ...headers },
    };
    const answer = await send(method, `/api/v1${path}`, request);
    if (repeats) await send(method, `/api/v1${path}`, request);
    return answer;
  };
  const live = (method: string, path: string, body?: unknown) =>
    send(method, `/api/v1${path}`, { key: merchant.secretLive.key, ...(body !== undefined && { body }) });

  /** Lists every operation that needs a key, with a path to an object that does not exist. */
  const listGuarded = () =>
    check.routes
      .filter(({ operation }) => operation.security.length > 0)
      .map(({ route, operation }) => {
        const [method = '', template = ''] = route.split(' ');
        const path = template.replace(/\{(\w+)\}/, (_, name: 'id' | 'reference') => MISSING[name]);
        return {
          method,
          path,
          operation,
          documents: (code: string) => JSON.stringify(operation.responses).includes(`"${code}"`),
        };
      });

  beforeAll(async () => {
    const env = {
      RATE_LIMITS: JSON.stringify(LIMITS),
      CONTACT: JSON.stringify(CONTACT),
      ROUTING_ORDER: JSON.stringify(['paystack', 'monnify']),
    };
    stack = await startStack({ args: ['--live-simulator'], env });
    document = await (await fetch(`${stack.baseUrl}/api/v1/openapi.json`)).json();
    check = documentCheck(document);
    merchant = await openBusiness(stack, 'Ada Stores Limited');
    webhooks = await merchant.listen();
    slowWebhooks = await merchant.listen('endpoint.test');
    liveWebhooks = await startReceiver();
    await live('POST', '/webhook-endpoints', { url: liveWebhooks.url });
  });
  afterAll(async () => {
    await webhooks?.stop();
    await slowWebhooks?.stop();
    await liveWebhooks?.stop();
    await stack?.stop();
  });
  afterEach(() => {
    expect(deviations.splice(0)).toEqual([]);
  });

  longerTest('serves the document with its own address, and answers 304 if nothing changed', async () => {
    const expected = JSON.parse(JSON.stringify(makeDocument()).replaceAll(SERVER_PLACEHOLDER, stack.baseUrl));
    expected.info.contact = { name: 'Whoever runs this service', ...CONTACT };
    expect(document).toEqual(expected);
    for (const path of ['/api/v1/openapi.json', '/api/v1/openapi.yaml', '/api/v1/postman.json', '/docs', '/llms.txt']) {
      const { status, headers } = await send('GET', path, { key: '' });
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
      const again = await send('GET', path, { key: '', headers: { 'if-none-match': headers.get('etag') ?? '' } });
      expect([again.status, again.text]).toEqual([304, '']);
      for (const encoding of ['gzip', 'br', 'identity']) {
        const packed = await send('GET', path, { key: '', headers: { 'accept-encoding': encoding } });
        expect(packed.text.length).toBeGreaterThan(20_000);
      }
    }
    expect((await send('GET', '/health', { key: '' })).status).toBe(200);
  });

  /** Fetches a page of the documentation. Only the first page is in the document. */
  const fetchPage = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(stack.baseUrl + path, init);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  test('serves documentation pages that load nothing from elsewhere and have the address of the service', async () => {
    for (const path of ['/docs', '/docs/webhooks', '/docs/api/checkout']) {
      const { text, headers } = await fetchPage(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'sha256-");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      // A link may lead elsewhere, but nothing is loaded from there.
      expect(text.replaceAll(/<(script|a)\b.*?<\/\1>/gs, '')).not.toMatch(/(src|href)="?(https?:)?\/\//);
      expect(text).not.toContain('.invalid');
      const etag = headers.get('etag') ?? '';
      expect((await fetchPage(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    }
    expect((await fetchPage('/docs/api/checkout')).text).toContain(`${stack.baseUrl}/api/v1/checkout/initialize`);
    expect(JSON.parse((await fetchPage('/docs/search.json')).text).pages).toContain('/docs/errors');
  });

  test('answers an unknown documentation path with a 404 that links to the first page', async () => {
    for (const path of ['/docs/no-such-page', '/docs/api', '/docs/api/checkout/more']) {
      const { status, text, headers } = await fetchPage(path);
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(text).toContain('begins at <a href="/docs">');
    }
    const { status, headers } = await fetchPage('/docs/errors', { method: 'POST', body: '{}' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET']);
  });

  longerTest('gives every API error in the form of the document', async () => {
    const strict = await openBusiness(stack, 'Bound Limited');
    await stack.ops('whitelist', 'set', strict.secretTest.id, '203.0.113.7');
    const text = { 'content-type': 'text/plain' };
    const otherBusiness = { 'x-business-id': strict.id };
    const operations = isLongRun ? listGuarded() : listGuarded().slice(0, 3);
    for (const { method, path, operation, documents } of operations) {
      const some = method === 'GET' ? {} : { body: {} };
      await send(method, path, { key: '' });
      await send(method, path, { key: 'sk_test_nonsense' });
      await send(method, path, { ...some, key: strict.secretTest.key });
      await send(method, path, { ...some, key: merchant.publicTest.key });
      await send(method, path, { ...some, key: merchant.publicTest.key, headers: otherBusiness });
      await send(method, path, { ...some, key: merchant.secretLive.key });
      await send(method, path, some);
      await send(method, `${path}?limit=x&provider=gtbank`, some);
      await send(method, path, { ...some, headers: { 'idempotency-key': 'one, two' } });
      await send(method, `${path}?source=a&source=b`, some);
      if (method !== 'GET') await send(method, path, { body: `{"x":"${'x'.repeat(66_000)}"}` });
      if (method !== 'GET') await send(method, path, { ...some, headers: { 'content-encoding': 'gzip' } });
      if (!operation.requestBody) continue;
      await send(method, path, { body: '{}', headers: text });
      await send(method, path, { body: '[1' });
      if (documents('validation_failed')) {
        const wrong = { amount: 'x', grace_seconds: 'x', url: 'x', since: 'x', endpoint_id: 5, banks: 5, reference: 5 };
        await send(method, path, { body: wrong });
      }
    }
    for (const { method, path, documents } of operations) {
      if (!documents('idempotency_key_reused')) continue;
      const headers = { 'idempotency-key': 'twice' };
      const body = { ...PAYER, ...CUSTOMER, provider: 'monnify', since: '2026-11-20T12:00:00Z', reference: 'x' };
      await send(method, path, { body, headers });
      await send(method, path, { body, headers });
      await send(method, path, { body: { ...body, amount: 1 }, headers });
    }
    const signed = { 'x-paystack-signature': '00' };
    await send('POST', '/providers/paystack/notifications', { key: '', body: {}, headers: signed });
    await send('POST', '/providers/nobody/notifications', { key: '', body: {} });
    await send('POST', '/providers/paystack/notifications', { key: '', body: `"${'x'.repeat(300_000)}"` });
  });

  /** Asks for another account of a routed checkout: until no provider is left, and again after the payment. */
  const answerForAnotherAccount = async (): Promise<void> => {
    const routed = await openBusiness(stack, 'Sade Books Limited');
    await stack.ops('business', 'set', routed.id, '--routing');
    const { key } = routed.secretTest;
    const { reference } = (await send('POST', '/api/v1/checkout/initialize', { key, body: PAYER })).json.data;
    const openAnother = (name: string) =>
      send('POST', `/api/v1/checkouts/${reference}/another-account`, { key, headers: { 'idempotency-key': name } });
    for (const _ of 'ab') expect((await openAnother('moved')).status).toBe(200);
    expect((await openAnother('none-left')).json.code).toBe('no_other_provider');
    await send('POST', '/api/v1/checkout/sandbox/simulate', { key, body: { reference } });
    for (const _ of 'ab') expect((await openAnother('paid')).json.code).toBe('checkout_not_payable');
  };

  longerTest('answers for checkouts as the document says', async () => {
    const key = { 'idempotency-key': 'order-1' };
    const first = await api('POST', '/checkout/initialize', { ...PAYER, merchant_reference: 'order-1' }, key);
    const again = await api('POST', '/checkout/initialize', { ...PAYER, merchant_reference: 'order-1' }, key);
    expect([again.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([201, 'true', first.text]);
    const duplicate = await api('POST', '/checkout/initialize', { ...PAYER, merchant_reference: 'order-1' });
    expect(duplicate.json.code).toBe('duplicate_merchant_reference');
    const byBrowser = { 'x-business-id': merchant.id };
    const { publicTest } = merchant;
    await send('POST', '/api/v1/checkout/initialize', { key: publicTest.key, body: PAYER, headers: byBrowser });
    const { reference } = first.json.data;
    const simulate = (body: object) => api('POST', '/checkout/sandbox/simulate', { reference, ...body });
    await simulate({ amount: 5_000, sender_name: 'TUNDE BAKARE' });
    await simulate({ amount: 5_000, late: true });
    expect((await simulate({})).json.code).toBe('checkout_not_payable');
    const failing = (await api('POST', '/checkout/initialize', { ...PAYER, metadata: { cart: [1] } })).json.data;
    await api('POST', '/checkout/sandbox/simulate', { reference: failing.reference, status: 'failed' });
    await api('POST', `/checkouts/${failing.reference}/expire`);
    await api('POST', `/checkouts/${reference}/expire`);
    await api('POST', `/checkouts/${reference}/requery`);
    await answerForAnotherAccount();
    expect((await simulate({ outcome: 'reversed' })).status).toBe(200);
    expect((await simulate({ amount: 100, outcome: 'rejected' })).status).toBe(200);
    await simulate({ outcome: 'reversed' });
    expect((await simulate({ outcome: 'reversed' })).json.code).toBe('nothing_to_reverse');
    const over = (await api('POST', '/checkout/initialize', { ...PAYER, expires_in: 1 })).json.data;
    await api('GET', `/checkout/verify/${over.reference}`);
    await api('GET', `/checkout/verify/${reference}`);
    await api('GET', '/checkouts?limit=1');
    await api('GET', '/checkouts?merchant_reference=order-1');
    const { data } = (await api('GET', '/payments?limit=1')).json;
    await api('GET', `/payments/${data[0].id}`);
    await api('GET', '/payments/export');
    await api('GET', '/payments/export?from=yesterday');
    await api('GET', '/totals?from=2026-11-01&to=2026-11-30');
    await api('GET', '/providers');
  });

  longTest('answers for virtual accounts as the document says', async () => {
    const create = (body: object) => api('POST', '/virtual-accounts', { ...CUSTOMER, ...body });
    const email = { customer_email: 'adaeze.okafor@example.com' };
    const { accounts } = (await create({ ...email, banks: ['paystack', 'monnify'] })).json;
    const some = await create({ customer_email: 'fail+monnify@example.com', banks: ['paystack', 'monnify'] });
    expect([some.status, some.json.errors.length]).toEqual([201, 1]);
    const none = await create({ customer_email: 'fail+all@example.com', provider: 'monnify' });
    expect(none.json.code).toBe('all_providers_failed');
    await create({ customer_email: 'slow+monnify@example.com', banks: ['paystack', 'monnify'] });
    await create({ customer_email: 'lost+monnify@example.com', banks: ['monnify'] });
    const [first, second] = accounts.map(({ id }: { id: string }) => `/virtual-accounts/${id}`);
    await api('GET', first);
    await api('GET', '/virtual-accounts?limit=1');
    await api('GET', `/virtual-accounts?customer_email=${encodeURIComponent('slow+monnify@example.com')}`);
    expect((await api('POST', `${first}/sandbox/simulate`, { outcome: 'reversed' })).json.code).toBe(
      'nothing_to_reverse',
    );
    await api('POST', `${first}/sandbox/simulate`, { amount: 25_000 });
    await api('POST', `${first}/sandbox/simulate`, { outcome: 'reversed' });
    await api('GET', `${first}/payments`);
    await api('DELETE', `${first}?provider=paystack`);
    await api('DELETE', `${first}?provider=korapay`);
    const key = { 'idempotency-key': 'closing' };
    for (const _ of 'ab') await api('POST', `${second}/delete`, undefined, key);
    await api('POST', `${second}/delete?provider=monnify`, undefined, key);
    expect((await api('POST', `${second}/sandbox/simulate`, { amount: 1 })).json.code).toBe('virtual_account_inactive');
  });

  longerTest('answers for webhook endpoints and events as the document says', async () => {
    const endpoints = (await api('GET', '/webhook-endpoints')).json.data;
    const [mine, holding] = [webhooks, slowWebhooks].map(({ url }) =>
      endpoints.find((endpoint: Document) => endpoint.url === url),
    );
    const created = await api('POST', '/webhook-endpoints', { url: webhooks.url, events: ['checkout.paid'] });
    const { id } = created.json.data;
    await api('GET', `/webhook-endpoints/${id}`);
    expect((await api('PATCH', `/webhook-endpoints/${id}`, { url: 'nowhere' })).status).toBe(422);
    await api('PATCH', `/webhook-endpoints/${id}`, { enabled: false });
    expect((await api('POST', `/webhook-endpoints/${id}/test`)).status).toBe(422);
    await api('POST', `/webhook-endpoints/${id}/rotate-secret`, {});
    await Promise.all([1, 2].map(() => api('POST', '/webhook-endpoints', { url: webhooks.url })));
    expect((await api('POST', '/webhook-endpoints', { url: webhooks.url })).json.code).toBe('endpoint_limit_reached');
    await api('DELETE', `/webhook-endpoints/${id}`);
    await api('POST', `/webhook-endpoints/${mine.id}/recover`, { since: '2026-11-20T12:00:00Z' });
    await api('GET', `/webhook-endpoints/${mine.id}/deliveries?status=exhausted`);
    await api('GET', '/webhook-endpoints/whe_01M7WKA5R2T8V4X6Z1B3D5F7HJ/deliveries?status=parked');

    const waiting: (() => void)[] = [];
    slowWebhooks.answer((response) => waiting.push(() => response.writeHead(200).end()));
    const key = { 'idempotency-key': 'test-1' };
    const { json } = await api('POST', `/webhook-endpoints/${holding.id}/test`, undefined, key);
    await api('POST', `/webhook-endpoints/${holding.id}/test`, undefined, key);
    await api('POST', `/webhook-endpoints/${holding.id}/test?again`, undefined, key);
    const event = `/events/${json.data.id}`;
    await eventually('the test webhook is being delivered', () => waiting.length > 0);
    const busy = await api('POST', `${event}/redeliver`, {});
    expect(busy.json.code).toBe('delivery_in_progress');
    slowWebhooks.answer((response) => response.writeHead(200).end());
    for (const release of waiting) release();
    await eventually(
      'the test webhook was delivered',
      async () => (await api('GET', event)).json.data.deliveries[0].attempts[0],
    );
    await api('POST', `${event}/redeliver`, { endpoint_id: mine.id });
    await api('POST', `${event}/redeliver`, { endpoint_id: MISSING.id });
    await api('GET', '/events?limit=2&type=endpoint.test&delivery_status=succeeded&since=2026-11-20T12:00:00Z');
    await api('GET', '/events');
  });

  longerTest.each(PROVIDERS)('answers in live mode as the document says at %s', async (provider) => {
    const person = { ...CUSTOMER, customer_email: 'adaeze.okafor@example.com', bvn: '22212345678', nin: '12345678901' };
    const opened = await live('POST', '/virtual-accounts', { ...person, provider });
    expect(opened.status).toBe(201);
    const started = await live('POST', '/checkout/initialize', { ...PAYER, provider });
    const { reference, account_number, amount_to_pay } = started.json.data;
    const payUrl = /http:\/\/127\.0\.0\.1:\d+\/pay(?=\s)/.exec(stack.output())?.[0] ?? '';
    const pay = (amount: number) => fetch(payUrl, { method: 'POST', body: JSON.stringify({ account_number, amount }) });
    // Some providers send a wrong amount back.
    await pay(amount_to_pay + 100);
    await pay(amount_to_pay);
    await eventually(
      'the checkout is paid',
      async () => (await live('GET', `/checkout/verify/${reference}`)).json.data.paid,
    );
    expect((await live('DELETE', `/virtual-accounts/${opened.json.accounts[0].id}`)).status).toBe(200);
  });

  longTest('shows every caller its rate limit, and refuses requests above it', async () => {
    const strict = { live: 1, test: 1, publicAddress: 1 };
    const narrow = await startStack({ env: { RATE_LIMITS: JSON.stringify(strict) } });
    try {
      const { secretTest } = await openBusiness(narrow, 'Bound Limited');
      const over = (): ReturnType<typeof listGuarded> =>
        listGuarded().filter(
          ({ method, path }) => !givenAnswers.has(`${check.routeOf(method, path)?.route} 429 rate_limited`),
        );
      const deadline = Date.now() + TOOLS_LIMIT_MS;
      // Two requests may fall into two windows of a second and be within the limit, so another round may be needed.
      while (over().length > 0 && Date.now() < deadline) {
        const pairs = over().flatMap((operation) => [operation, operation]);
        await Promise.all(
          pairs.map(({ method, path }) => {
            const body = method !== 'GET' && { body: {} };
            // The stack may close an idle connection when it is used again: the next round sends the request again.
            return sendOnce(method, path, { key: secretTest.key, baseUrl: narrow.baseUrl, ...body }).catch(
              () => undefined,
            );
          }),
        );
      }
      expect(over()).toEqual([]);
      const listEvents = (): ReturnType<typeof sendOnce> =>
        sendOnce('GET', '/api/v1/events', { key: secretTest.key, baseUrl: narrow.baseUrl });
      let { headers } = await listEvents();
      while (!headers.has('ratelimit') && Date.now() < deadline) ({ headers } = await listEvents());
      expect(headers.get('ratelimit-policy')).toBe('"key";q=1;w=1');
      expect(headers.get('ratelimit')).toMatch(/^"key";r=0;t=1$/);
    } finally {
      await narrow.stop();
    }
  });

  longTest('sends webhooks of every type that can be simulated, as the document says', async () => {
    const received = (): readonly Received[] =>
      [webhooks, slowWebhooks, liveWebhooks].flatMap((receiver) => receiver.received);
    const missing = (): string[] => {
      const types = received().map(({ body }) => JSON.parse(body).type);
      return EXPECTED_TYPES.filter((type) => !types.includes(type));
    };
    const deadline = Date.now() + 60_000;
    while (missing().length > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(missing()).toEqual([]);
    const wrong = received().flatMap(({ headers, body }) => {
      const event = JSON.parse(body);
      const { parameters, requestBody } = document.webhooks[event.type].post;
      return [
        ...check.deviations(requestBody.content['application/json'].schema, event),
        ...parameters.flatMap(({ schema, name }: Document) => check.deviations(schema, headers[name])),
      ].map((text) => `${event.type} ${text}`);
    });
    expect(wrong).toEqual([]);
  });

  longTest('has given every answer of the document, except the unreachable ones', () => {
    const documented = check.routes.flatMap(({ route, operation }) =>
      Object.entries<Document>(operation.responses).flatMap(([status, response]) =>
        Number(status) < 400
          ? [`${route} ${status}`]
          : Object.keys(response.content['application/json'].examples).map((code) => `${route} ${status} ${code}`),
      ),
    );
    const missing = documented.filter(
      (name) => !givenAnswers.has(name) && !UNREACHABLE_ANSWERS.some((pattern) => pattern.test(name)),
    );
    expect(missing).toEqual([]);
  });

  longTest('has sent Idempotent-Replayed wherever the document promises it', () => {
    const promised = check.routes.flatMap(({ route, operation }) =>
      Object.entries<Document>(operation.responses)
        .filter(([, { headers = {} }]) => 'Idempotent-Replayed' in headers)
        .map(([status]) => `${route} ${status}`),
    );
    expect([...replayed].sort()).toEqual(promised.sort());
  });

  /** The receivers of the guide, each with its language and its command. */
  const RECEIVERS = [
    ['Node', process.execPath, ['infra/openapi/guide/programs/receive.mjs']],
    ['Python', 'python3', ['infra/openapi/guide/programs/receive.py']],
    ['PHP', 'php', ['-S', '127.0.0.1:PORT', 'infra/openapi/guide/programs/receive.php']],
    ['Go', 'go', ['run', 'infra/openapi/guide/programs/receive.go']],
    ['Java', 'java', ['infra/openapi/guide/programs/Receive.java']],
  ] as const;

  /** Finds a webhook that `webhooks` received. Causes one if the tests above did not run. */
  const findWebhook = async (): Promise<Received> => {
    if (webhooks.received.length === 0) {
      const { reference } = (await api('POST', '/checkout/initialize', PAYER)).json.data;
      await api('POST', '/checkout/sandbox/simulate', { reference });
    }
    return eventually('a webhook', () => webhooks.received[0]);
  };

  /** Runs a receiver while `use` runs. */
  const withReceiver = async (command: string, args: readonly string[], use: (url: string) => Promise<void>) => {
    const port = await findQuietPort();
    const env = {
      ...process.env,
      PORT: String(port),
      WEBHOOK_SECRET: webhooks.secret,
      GO111MODULE: 'off',
      GOFLAGS: '',
      GOTOOLCHAIN: 'local',
    };
    const filled = args.map((argument) => argument.replace('PORT', String(port)));
    // This starts a process group. `go run` starts the program as a child, and both end with the group.
    const child: ChildProcess = spawn(command, filled, { env, stdio: 'ignore', detached: true });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    try {
      const url = `http://127.0.0.1:${port}/`;
      // The receiver refuses unsigned requests. Another server on the port would answer otherwise.
      const refuses = () =>
        fetch(url, { method: 'POST', body: '{}' }).then(
          ({ status }) => status === 400,
          () => false,
        );
      await eventually(
        `${command} listens`,
        async () => {
          if (child.exitCode !== null) throw new Error(`${command} ended with code ${child.exitCode}.`);
          return refuses();
        },
        TOOLS_LIMIT_MS,
      );
      await use(url);
    } finally {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
    }
  };

  const [installed, missing] = [true, false].map((is) =>
    RECEIVERS.filter(([language]) => (!isLongRun || hasLanguages([language])) === is),
  );

  if (missing?.length) {
    // Report these tests as skipped.
    test.skip.each(missing)(
      'signs webhooks so that the guide’s receiver takes them and no others: %s (not installed: %s)',
      () => {},
    );
  }
  longTest.each(installed ?? [])(
    'signs webhooks so that the guide’s receiver takes them and no others: %s',
    async (_, command, args) => {
      await withReceiver(command, args, async (url) => {
        const genuine = await findWebhook();
        // Sign the body again with the present time, as every attempt does.
        const id = String(genuine.headers['webhook-id']);
        const sign = (body: string, seconds: number | string = Math.floor(Date.now() / 1_000)) => {
          const key = Buffer.from(webhooks.secret.slice('whsec_'.length), 'base64');
          const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
          return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
        };
        const post = async (headers: Record<string, string>, body: string, rest = {}): Promise<number> =>
          (
            await fetch(url, {
              method: 'POST',
              headers: { 'content-type': 'application/json', ...headers },
              body,
              ...rest,
            })
          ).status;
        const asSent = Object.fromEntries(
          ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(genuine.headers[name])]),
        );
        const good = sign(genuine.body);
        const signature = good['webhook-signature'];
        const withSignature = (value: string) => ({ ...good, 'webhook-signature': value });
        const wrong = `v1,${Buffer.alloc(32).toString('base64')}`;
        const now = Math.floor(Date.now() / 1_000);
        const isYoung = Date.now() - genuine.at < 200_000;
        const accepted: [Record<string, string>, string][] = [
          [isYoung ? asSent : good, genuine.body],
          [good, genuine.body],
          [withSignature(`${wrong} ${signature}`), genuine.body],
          [withSignature(`v1a,AAAA ${signature} ${wrong}`), genuine.body],
        ];
        const refused: [Record<string, string>, string][] = [
          [good, genuine.body.replace('"mode":"test"', '"mode":"live"')],
          [{ ...good, 'webhook-id': 'evt_01M7WKNY3B5D7F9H2K4M6P8R1T' }, genuine.body],
          ...[
            wrong,
            `${wrong} ${wrong}`,
            '',
            'v1,AAAA',
            'nonsense',
            signature.slice('v1,'.length),
            signature.toLowerCase(),
          ].map((value): [Record<string, string>, string] => [withSignature(value), genuine.body]),
          [sign(genuine.body, now - 600), genuine.body],
          [sign(genuine.body, now + 600), genuine.body],
          [sign(genuine.body, 'soon'), genuine.body],
          [{}, genuine.body],
        ];
        for (const [headers, body] of accepted) expect([headers, await post(headers, body)]).toEqual([headers, 204]);
        for (const [headers, body] of refused) expect([headers, await post(headers, body)]).toEqual([headers, 400]);
        // A client that sends half a request must not block others, and its end must not stop the receiver.
        const halfSent = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
        halfSent.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{');
        await once(halfSent, 'connect');
        const inTime = { signal: AbortSignal.timeout(HALF_SENT_LIMIT_MS) };
        // Send several: a receiver that is about to end may still give one answer.
        const expectAnswers = async (): Promise<void> => {
          for (let i = 0; i < 3; i++) expect(await post(sign(genuine.body), genuine.body, inTime)).toBe(204);
        };
        await expectAnswers();
        halfSent.resetAndDestroy();
        await once(halfSent, 'close');
        await expectAnswers();
      });
    },
    TOOLS_LIMIT_MS,
  );
});
