import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { parseJson } from '#shared/platform/json.ts';
import { parseRetryAfter } from '#shared/platform/kernel/retry-after.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { clampRetryAfter } from '#shared/providers/domain/breaker.ts';
import { OutcomeUnknown, ProviderBusy, ProviderUnavailable } from '#shared/providers/domain/errors.ts';

/** One call to a provider. The path begins with a slash and is encoded already; a body is sent as JSON. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** When nobody waits for it any more (milliseconds since the epoch): it is cut then, at the latest. */
  readonly until?: Millis | undefined;
}

/** A provider's answer. `json` is undefined for a body that is not JSON, such as a gateway's HTML page. */
export interface ProviderAnswer {
  readonly status: number;
  readonly json: unknown;
}

/**
 * Sends a request.
 * @throws ProviderUnavailable when the provider was not reached, and ProviderBusy when it answered 429: it did nothing. OutcomeUnknown
 * when it may have done something (time-out, broken connection, 5xx, or a success that is not JSON).
 */
export type ProviderHttp = (request: ProviderRequest) => Promise<ProviderAnswer>;

/** Milliseconds to connect, TLS included. */
const CONNECT_MS = 3_000;
/** Milliseconds for a whole call. Two calls in a row and a token stay under the 28 s of the functions that create accounts. */
const ANSWER_MS = 8_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const USER_AGENT = 'payments-providers/1';

/** How to reach a provider. */
export interface ProviderHttpOptions {
  /** Where the provider is; a path in it goes before each request's. */
  readonly baseUrl: string;
  readonly now: () => Millis;
  readonly connectMs?: number;
  readonly answerMs?: number;
}

/** Providers use 64-bit transaction ids: an integer beyond a double's precision stays text. */
const largeIntegersAsText = (_key: string, value: unknown, context?: { source?: string }): unknown => {
  const { source = '' } = context ?? {};
  return typeof value === 'number' && /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? source : value;
};

/** Reads an answer to its end. @throws OutcomeUnknown when it is longer than any provider's answer needs to be. */
const readText = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new OutcomeUnknown('The answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const TOO_MANY = 429;
const isServerFault = (status: number): boolean => status >= 500;
/** Whether an HTTP status is a success. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The seconds until a limit ends, which a provider may tell in this header instead (providers.md section 1.1). */
const readReset = ({ headers }: IncomingMessage): string | null => {
  const reset = headers['x-ratelimit-reset'];
  return typeof reset === 'string' ? reset : null;
};

/** Where a provider is, and how long a call to it may take. */
interface Target {
  readonly base: string;
  readonly isHttps: boolean;
  readonly agent: HttpAgent;
  readonly connectMs: number;
  readonly answerMs: number;
}

const open = (
  { base, isHttps, agent }: Target,
  { method, path, headers }: ProviderRequest,
  payload: string | undefined,
): ClientRequest =>
  (isHttps ? requestHttps : requestHttp)(`${base}${path}`, {
    method,
    agent,
    headers: {
      accept: 'application/json',
      'user-agent': USER_AGENT,
      ...(payload !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
      }),
      ...headers,
    },
  });

/** Sends a request once, whatever its answer. @throws ProviderUnavailable before the connection stands, OutcomeUnknown after it. */
const exchange = (
  target: Target,
  request: ProviderRequest,
): Promise<ProviderAnswer & { readonly retryAfter: string | null }> =>
  new Promise((resolve, reject) => {
    const payload = request.body === undefined ? undefined : JSON.stringify(request.body);
    const outgoing = open(target, request, payload);
    let connected = false;
    const fail = (reason: string): void => {
      reject(connected ? new OutcomeUnknown(reason) : new ProviderUnavailable(reason));
      outgoing.destroy();
    };
    const connecting = setTimeout(() => connected || fail('No connection in time.'), target.connectMs);
    const answering = setTimeout(() => fail('No answer in time.'), target.answerMs);
    outgoing.on('socket', (socket) => {
      socket.once(target.isHttps ? 'secureConnect' : 'connect', () => {
        connected = true;
        clearTimeout(connecting);
      });
    });
    outgoing.on('response', (incoming) => {
      const status = incoming.statusCode ?? 0;
      const retryAfter = incoming.headers['retry-after'] ?? readReset(incoming);
      readText(incoming).then(
        (text) => resolve({ status, json: parseJson(text, largeIntegersAsText), retryAfter }),
        () => fail('The answer was cut off.'),
      );
    });
    // Only error codes of the runtime: a message may contain the URL.
    outgoing.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? 'The connection failed.'));
    outgoing.on('close', () => {
      clearTimeout(connecting);
      clearTimeout(answering);
    });
    outgoing.end(payload);
  });

/** An HTTP client for one provider. It sends every request once, and its errors say whether the provider may have acted on it. */
export const providerHttp = ({
  baseUrl,
  now,
  connectMs = CONNECT_MS,
  answerMs = ANSWER_MS,
}: ProviderHttpOptions): ProviderHttp => {
  const base = baseUrl.replace(/\/$/, '');
  const isHttps = new URL(base).protocol === 'https:';
  // No keep-alive: a connection that the provider has just closed would leave the outcome of a POST unknown.
  const agent = isHttps ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
  const target = { base, isHttps, agent, connectMs };

  return async (request) => {
    const { until = Number.POSITIVE_INFINITY } = request;
    const inTime = { ...target, answerMs: Math.max(0, Math.min(answerMs, until - now())) };
    const { retryAfter, ...answer } = await exchange(inTime, request);
    if (answer.status === TOO_MANY) {
      const waitMs = parseRetryAfter(answer.status, retryAfter, now()) ?? undefined;
      throw new ProviderBusy('The provider limits our requests.', clampRetryAfter(waitMs));
    }
    if (isServerFault(answer.status)) throw new OutcomeUnknown(`The provider answered ${answer.status}.`);
    if (isSuccess(answer.status) && answer.json === undefined) throw new OutcomeUnknown('The answer is not JSON.');
    return answer;
  };
};
