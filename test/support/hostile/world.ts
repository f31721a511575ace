import { Agent, request as httpRequest } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { isPayersRoute } from '#infra/function-spec.ts';
import { makeDocument } from '#infra/openapi/document.ts';
import { documentCheck, parsePath } from '#test/contract/document-check.ts';
import { call, eventually, openBusiness } from '#test/support/worlds/merchant.ts';
import { startReceiver } from '#test/support/worlds/receiver.ts';
import { type Stack, watched } from '#test/support/worlds/stack.ts';
import type { HostileRequest, Sender } from './requests.ts';
import { resetUsageLimits } from './usage-limits.ts';
import { isCommon, SLOT } from './values.ts';

/** Decompresses the body of an answer. */
const unpack = (body: Buffer, encoding: string | null): Buffer => {
  if (body.length === 0) return body;
  if (encoding === 'br') return brotliDecompressSync(body);
  return encoding === 'gzip' ? gunzipSync(body) : body;
};

/** Marks of the tenants' data. No business name, id or path contains them. */
const MARKS = ['adatestmark', 'adalivemark', 'ojatestmark', 'ojalivemark'] as const;

/** Matches ids, except the reference of example events, which all businesses share (shared/webhooks/use-cases/example-data.ts). */
const ID = /\b(?:(?:va|pay|evt|dlv|whe|biz|key)_[0-9A-HJKMNP-TV-Z]{26}|PAY-(?!EXAMPLE)[0-9A-Z]{20})\b/g;
const KIND_OF_ID: Readonly<Record<string, string>> = {
  va: 'virtual_account',
  PAY: 'checkout',
  pay: 'payment',
  whe: 'webhook_endpoint',
  evt: 'event',
};
/** A tenant keeps this many values of each kind, the newest first. Its slots choose from them. */
const POOL = 20;

/** Words that only our internals use, and traces of their errors. */
const INSIDES =
  /\bat (Object|async|new|file:|\w+ \(|<anonymous>)|node_modules|node:internal|\.[cm]?ts:\d|\/(work|home|tmp|var)\/|DynamoDB|ConditionalCheck|TransactionCancel|ResourceNotFound|ValidationException|ProvisionedThroughput|\b(Type|Reference|Range|Syntax|Zod|URI)Error\b|\[object |ZodError|invalid_type|\bzod\b|\bgsi[123]\b|BIZ#|CHK#|ECONN|AWS4-|amazonaws|fauxqs|dynoxide|\bsqs\b|Unexpected token|HASH_KEY/i;

/** One business in one mode. */
interface Tenant {
  readonly business: string;
  readonly secret: string;
  readonly public: string;
  readonly mark: string;
  /** The values from which slots choose, by kind. */
  readonly pools: Map<string, string[]>;
}

export interface HostileAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | null;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Tells whether a provider rejected the request, which the contract allows: paystack takes no checkout below 50 naira, for example. */
const isProviderRejection = ({ mark }: Tenant, { body }: SentRequest, { status, text }: HostileAnswer): boolean =>
  status === 502 &&
  (mark.includes('live') || /fail\+/i.test(body?.toString() ?? '')) &&
  (parseJson(text) as { code?: string })?.code === 'provider_error';

/** The statuses that a payment page may answer. */
const PAGE_STATUSES: readonly number[] = [200, 204, 303, 304, 404, 405, 413, 422, 429];

/** Opens two businesses, each in both modes, with marked data. Finds the faults of any answer. */
export const openHostileWorld = async (target: Stack) => {
  // Common values may be in a log by chance: lists repeat them, and paths contain the same words. So the search of the logs ignores them.
  watched()?.ignore(isCommon);
  const check = documentCheck(makeDocument());
  const sink = await startReceiver();
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const [ada, oja] = await Promise.all([
    openBusiness(target, 'Ada Stores Limited'),
    openBusiness(target, 'Oja Online'),
  ]);
  for (const { id } of [ada, oja]) await target.ops('business', 'set', id, '--routing');
  const tenants: readonly Tenant[] = [
    { business: ada.id, secret: ada.secretTest.key, public: ada.publicTest.key, mark: MARKS[0], pools: new Map() },
    { business: ada.id, secret: ada.secretLive.key, public: ada.publicLive.key, mark: MARKS[1], pools: new Map() },
    { business: oja.id, secret: oja.secretTest.key, public: oja.publicTest.key, mark: MARKS[2], pools: new Map() },
    { business: oja.id, secret: oja.secretLive.key, public: oja.publicLive.key, mark: MARKS[3], pools: new Map() },
  ];
  /** The owner of an id: the tenant whose answer named it first. */
  const owners = new Map<string, Tenant>();
  const isOwner = ({ mark, business }: Tenant, owner: Tenant, id: string): boolean =>
    id.startsWith('biz_') ? business === owner.business : mark === owner.mark;

  /** Links of payment pages. Each admits anybody who has it. */
  const links = new Set<string>();

  const add = (tenant: Tenant, kind: string, value: string): void => {
    const pool = tenant.pools.get(kind) ?? [];
    if (!pool.includes(value)) tenant.pools.set(kind, [value, ...pool].slice(0, POOL));
  };
  const remember = (tenant: Tenant, text: string): void => {
    for (const [id] of text.matchAll(ID)) {
      if (!owners.has(id)) owners.set(id, tenant);
      const kind = KIND_OF_ID[id.split(/[_-]/)[0] ?? ''];
      if (kind && owners.get(id) === tenant) add(tenant, kind, id);
    }
    const cursor = /"next_cursor":"([\w-]+)"/.exec(text)?.[1];
    if (cursor) add(tenant, 'cursor', cursor);
    for (const [, link = ''] of text.matchAll(/"checkout_url":"[^"]*\/pay\/([^"]+)"/g)) {
      links.add(link);
      add(tenant, 'payment_link', link);
    }
  };
  for (const tenant of tenants) {
    add(tenant, 'business', tenant.business);
    add(tenant, 'url', `${sink.url}/${tenant.mark}`);
    add(tenant, 'order', `ORDER-${tenant.mark}`);
    add(tenant, 'email', `${tenant.mark}@example.com`);
    owners.set(tenant.business, tenant);
  }

  const api = async (tenant: Tenant, method: string, path: string, body?: object) => {
    const answer = await call(target, method, `/api/v1${path}`, { key: tenant.secret, ...(body && { body }) });
    remember(tenant, answer.text);
    return answer;
  };

  /** Gives a tenant one new resource of each kind, the newest in its pools. */
  const fill = async (tenant: Tenant): Promise<void> => {
    const { mark } = tenant;
    await resetUsageLimits(target.dataDir, [tenant.business, ...(tenant.pools.get('webhook_endpoint') ?? [])]);
    const endpoints = (await api(tenant, 'GET', '/webhook-endpoints')).json.data;
    for (const { id } of endpoints.slice(2)) await api(tenant, 'DELETE', `/webhook-endpoints/${id}`);
    const endpoint = (await api(tenant, 'POST', '/webhook-endpoints', { url: `${sink.url}/${mark}` })).json.data;
    const person = { customer_name: `Ada ${mark}`, customer_phone: '+2348031234567', metadata: { mark } };
    const identity = { customer_email: `${mark}@example.com`, bvn: '22345678901', nin: '12345678902' };
    const banks = ['korapay', 'monnify'];
    const opened = (await api(tenant, 'POST', '/virtual-accounts', { ...person, ...identity, banks })).json;
    if (mark.includes('test')) {
      const transfer = { amount: 1_250.5, sender_name: `Sender ${mark}` };
      await api(tenant, 'POST', `/virtual-accounts/${opened.accounts[0].id}/sandbox/simulate`, transfer);
    }
    const order = {
      amount: 8_500.75,
      payer_email: `${mark}@example.com`,
      payer_name: `Payer ${mark}`,
      metadata: { mark },
    };
    await api(tenant, 'POST', '/checkout/initialize', { ...order, merchant_reference: `ORDER-${mark}` });
    await api(tenant, 'POST', '/checkout/initialize', { ...order, provider: 'monnify' });
    // These lists give the tenant cursors.
    await api(tenant, 'GET', '/events?limit=1');
    await api(tenant, 'GET', '/checkouts?limit=1');
    await api(tenant, 'GET', '/payments?limit=1');
    const event = (await api(tenant, 'POST', `/webhook-endpoints/${endpoint.id}/test`)).json.data;
    const isDelivered = async () => {
      const { json } = await api(tenant, 'GET', `/events/${event.id}`);
      return json.data.deliveries[0].status === 'succeeded';
    };
    await eventually('the test event is delivered', isDelivered, 60_000);
  };
  for (const tenant of tenants) await fill(tenant);

  const findTenant = ({ tenant }: Sender): Tenant => tenants[tenant % tenants.length] as Tenant;
  /** Fills the slots of a text. A slot without a value becomes a word that names nothing. */
  const fillSlots = (tenant: Tenant, text: string): string =>
    text.replace(SLOT, (_, kind: string, whose: string, n: string) => {
      const strangers = tenants.filter((other) => other !== tenant);
      const from = whose === 'own' ? tenant : (strangers[Number(n) % strangers.length] as Tenant);
      const pool = from.pools.get(kind) ?? [];
      return pool[Number(n) % pool.length] ?? 'nothing';
    });

  const credentials = (tenant: Tenant, sender: Sender): [string, string][] => {
    const key = {
      secret: tenant.secret,
      public: tenant.public,
      damaged: `${tenant.secret.slice(0, -1)}!`,
      nothing: undefined,
    }[sender.with];
    const own: [string, string][] = sender.with === 'public' ? [['x-business-id', tenant.business]] : [];
    return key === undefined ? [] : [['authorization', `Bearer ${key}`], ...own];
  };

  const send = ({ method, target: path, headers, body }: SentRequest): Promise<HostileAnswer> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(target.baseUrl);
      const rawHeaders = [...headers, ...(body ? [['content-length', String(body.length)] as const] : [])].flat();
      const host = headers.some(([name]) => name === 'host') ? [] : ['host', `${hostname}:${port}`];
      const outgoing = httpRequest(
        { hostname, port, agent, method, path, headers: [...host, ...rawHeaders] as never },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const seen = new Headers();
            for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
              seen.append(incoming.rawHeaders[i] ?? '', incoming.rawHeaders[i + 1] ?? '');
            }
            const bytes = unpack(Buffer.concat(chunks), seen.get('content-encoding'));
            resolve({ status: incoming.statusCode ?? 0, headers: seen, text: bytes.toString() });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body ?? undefined);
    });

  const isFromBrowser = ({ headers }: SentRequest): boolean =>
    headers.some(([name]) => name.toLowerCase() === 'origin' || name.toLowerCase() === 'sec-fetch-site');

  /** Lists how an answer differs from its contract. */
  const findDeviations = (sent: SentRequest, answer: HostileAnswer): string[] => {
    const { method } = sent;
    const body = parseJson(answer.text);
    // API Gateway answers such a path itself: no function sees it.
    if (parsePath(sent.target) === undefined)
      return answer.status === 400 ? [] : [`status ${answer.status} for a path that cannot be decoded`];
    // The local stack accepts no notification from a browser.
    if (answer.status === 403 && sent.target.startsWith('/providers') && isFromBrowser(sent)) return [];
    if (isPayersRoute(` ${parsePath(sent.target)}`)) {
      return PAGE_STATUSES.includes(answer.status) ? [] : [`status ${answer.status} for a payer's page`];
    }
    if (method === 'OPTIONS') return answer.status === 204 && answer.text === '' ? [] : ['a preflight with an answer'];
    if (method === 'HEAD' && parsePath(sent.target) === '/health') {
      return answer.status === 200 && answer.text === '' ? [] : ['a HEAD of health that is not 200 without a body'];
    }
    if (check.routeOf(method, sent.target)) return check.answerDeviations(method, sent.target, answer);
    const expected = check.methodsOf(sent.target).length > 0 ? [405, 'method_not_allowed'] : [404, 'not_found'];
    const actual = [answer.status, method === 'HEAD' ? expected[1] : (body as { code?: string })?.code];
    return isDeepStrictEqual(actual, expected) ? [] : [`${actual.join(' ')} in place of ${expected.join(' ')}`];
  };

  /** Lists what an answer reveals of other tenants. */
  const findLeaks = (tenant: Tenant | undefined, requestText: string, { text }: HostileAnswer): string[] => {
    const ids = [...text.matchAll(ID)].flatMap(([id]) => {
      const owner = owners.get(id);
      const isForeign = owner !== undefined && (tenant === undefined || !isOwner(tenant, owner, id));
      return isForeign && !requestText.includes(id) ? [`${id} of ${owner.mark}`] : [];
    });
    const marks = MARKS.filter((mark) => mark !== tenant?.mark && text.includes(mark) && !requestText.includes(mark));
    return [...ids, ...marks];
  };

  /** Sends a generated request and lists the faults of its answer. */
  const sendAndCheck = async (hostile: HostileRequest): Promise<{ faults: string[]; status: number }> => {
    const { sender } = hostile;
    const tenant = findTenant(sender);
    const sent: SentRequest = {
      method: hostile.method,
      target: fillSlots(tenant, hostile.target),
      headers: [
        ...credentials(tenant, sender),
        ...hostile.headers.map(([name, value]) => [name, fillSlots(tenant, value)] as const),
      ],
      body: hostile.body === null ? null : Buffer.from(fillSlots(tenant, hostile.body), 'latin1'),
    };
    const answer = await send(sent);
    // Only `fetch` is watched for the search of the logs, so this request is noted by hand.
    watched()?.noteHeaders(sent.headers.flat());
    for (const text of [sent.body?.toString() ?? '', answer.text]) watched()?.note(text);
    const hasValidKey = sender.with === 'secret' || sender.with === 'public';
    const isPublished = /^\/(docs(\/.*)?|llms\.txt|api\/v1\/(openapi\.(json|yaml)|postman\.json))$/.test(
      parsePath(sent.target) ?? '',
    );
    const pageLink = /^\/pay\/([^/?]+)/.exec(sent.target)?.[1] ?? '';
    const requestText = [sent.target, ...sent.headers.flat(), sent.body?.toString() ?? ''].join('\n');
    const insides = isPublished ? undefined : INSIDES.exec(answer.text)?.[0];
    const faults = [
      ...(answer.status >= 500 && !isProviderRejection(tenant, sent, answer)
        ? [`status ${answer.status}: ${answer.text}`]
        : []),
      ...(insides === undefined ? [] : [`it reveals our internals: ${insides}`]),
      ...(isPublished || links.has(pageLink)
        ? []
        : findLeaks(hasValidKey ? tenant : undefined, requestText, answer).map(
            (text) => `it reveals another’s ${text}`,
          )),
      ...findDeviations(sent, answer),
    ];
    if (hasValidKey && faults.length === 0) remember(tenant, answer.text);
    return { faults, status: answer.status };
  };

  return {
    tenants,
    fill,
    sendAndCheck,
    stop: async (): Promise<void> => {
      agent.destroy();
      await sink.stop();
    },
  };
};
export type HostileWorld = Awaited<ReturnType<typeof openHostileWorld>>;
