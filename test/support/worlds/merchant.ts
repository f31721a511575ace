import { checkAgainstDocument } from '#test/support/hostile/document-seen.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { Target } from './stack.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any field of the answer, and fails if it is missing.
  readonly json: any;
}

export interface Call {
  readonly key?: string | undefined;
  /** An object is sent as JSON; a string and bytes unchanged. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Makes one HTTP call to the API, like any client, and checks its answer against the API document. */
export const call = async (target: Target, method: string, path: string, { key, body, headers }: Call = {}) => {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(`${target.baseUrl}${path}`, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const seen = { status: response.status, headers: response.headers, text };
  await checkAgainstDocument(method, path, seen);
  const isText = response.headers.get('content-type')?.startsWith('text/');
  const answer: HttpAnswer = { ...seen, json: isText ? undefined : text && JSON.parse(text) };
  return answer;
};

export interface OperatorKey {
  readonly id: string;
  readonly mode: 'live' | 'test';
  readonly kind: 'secret' | 'public';
  readonly key: string;
}

/** Creates a business with its keys, and functions that call the API as this business. */
export const openBusiness = async (target: Target, name: string) => {
  const { business, keys } = (await target.ops('business', 'create', '--name', name)) as {
    business: { id: string; name: string };
    keys: OperatorKey[];
  };
  const find = (kind: string, mode: string): OperatorKey => {
    const match = keys.find((key) => key.kind === kind && key.mode === mode);
    if (!match) throw new Error(`The business came without a ${kind} ${mode} key.`);
    return match;
  };
  const secretTest = find('secret', 'test');
  const api = (method: string, path: string, rest: Omit<Call, 'key'> = {}) =>
    call(target, method, `/api/v1${path}`, { key: secretTest.key, ...rest });
  return {
    id: business.id,
    secretTest,
    publicTest: find('public', 'test'),
    secretLive: find('secret', 'live'),
    publicLive: find('public', 'live'),
    /** Calls the API with the business's secret test key. */
    api,
    /** Starts a receiver for test-mode webhooks of these event types, or of all. Returns it with its secret. */
    listen: async (...events: string[]): Promise<Receiver & { secret: string }> => {
      const receiver = await startReceiver();
      const body = { url: receiver.url, ...(events.length > 0 && { events }) };
      const { status, text, json } = await api('POST', '/webhook-endpoints', { body });
      if (status !== 201) throw new Error(`The endpoint was not created: ${status} ${text}`);
      return { ...receiver, secret: json.data.secret };
    },
  };
};
export type Merchant = Awaited<ReturnType<typeof openBusiness>>;

const POLL_MS = 20;
/** Milliseconds: long, because only a failing test waits for all of it. A stage sweeps once a minute, the local stack every second. */
const WITHIN_MS = process.env.E2E_BASE_URL ? 150_000 : 60_000;

/**
 * Polls until `read` returns a truthy value, and returns that value.
 * @throws Error with the sentence `what`, such as `the checkout is paid`, if that takes longer than `withinMs` milliseconds.
 */
export const eventually = async <T>(
  what: string,
  read: () => T | undefined | Promise<T | undefined>,
  withinMs = WITHIN_MS,
) => {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`This did not happen within ${withinMs} ms: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};
