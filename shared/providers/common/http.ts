import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { parseJson } from '#shared/platform/json.ts';
import { parseRetryAfter } from '#shared/platform/kernel/retry-after.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { clampRetryAfter } from '#shared/providers/domain/breaker.ts';
import { OutcomeUnknown, ProviderBusy, ProviderUnavailable } from '#shared/providers/domain/errors.ts';

/** A request to a provider. The path begins with a slash and is already encoded. A body is sent as JSON. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Deadline (milliseconds since the epoch). The call is aborted then, because nobody waits for it any more. */
  readonly until?: Millis | undefined;
}

/** A provider's answer. `json` is undefined if the body is not JSON, for example if a gateway answers with an HTML page. */
export interface ProviderAnswer {
  readonly status: number;
  readonly json: unknown;
}

/**
 * Sends a request.
 * @throws ProviderUnavailable if the provider was not reached, and ProviderBusy if it answered 429: in both cases it did nothing.
 * @throws OutcomeUnknown if it may have acted: time-out, broken connection, 5xx, or a success that is not JSON.
 */
export type ProviderHttp = (request: ProviderRequest) => Promise<ProviderAnswer>;

/** Time limit to connect, TLS included. Milliseconds. */
const CONNECT_MS = 3_000;
/**
 * Time limit of a whole call, in milliseconds. A token request and two calls in a row (24 s) end before the functions that create accounts time
 * out at 28 s.
 */
const ANSWER_MS = 8_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const USER_AGENT = 'payments-providers/1';

/** Options of a provider's HTTP client. */
export interface ProviderHttpOptions {
  /** The provider's address. A path in it precedes the path of each request. */
  readonly baseUrl: string;
  readonly now: () => Millis;
  readonly connectMs?: number;
  readonly answerMs?: number;
}

/** Keeps an integer beyond a double's precision as text, because providers use 64-bit transaction ids. */
const largeIntegersAsText = (_key: string, value: unknown, context?: { source?: string }): unknown => {
  const { source = '' } = context ?? {};
  return typeof value === 'number' && /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? source : value;
};

/** Reads a whole answer. @throws OutcomeUnknown if it is longer than any valid answer of a provider. */
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
export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Reads the header that some providers send instead of Retry-After: the seconds until the limit ends (providers.md section 1.1). */
const readReset = ({ headers }: IncomingMessage): string | null => {
  const reset = headers['x-ratelimit-reset'];
  return typeof reset === 'string' ? reset : null;
};

/** A provider's address, and the time limits of calls to it. */
interface Target {
  readonly base: string;
  readonly isHttps: boolean;
  readonly agent: HttpAgent;
  readonly connectMs: number;
  readonly answerMs: number;
}

const openRequest = (
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

/**
 * Sends a request once and resolves with any answer.
 * @throws ProviderUnavailable if the request fails before the connection is open, OutcomeUnknown if it fails afterwards.
 */
const exchange = (
  target: Target,
  request: ProviderRequest,
): Promise<ProviderAnswer & { readonly retryAfter: string | null }> =>
  new Promise((resolve, reject) => {
    const payload = request.body === undefined ? undefined : JSON.stringify(request.body);
    const outgoing = openRequest(target, request, payload);
    let isConnected = false;
    const fail = (reason: string): void => {
      reject(isConnected ? new OutcomeUnknown(reason) : new ProviderUnavailable(reason));
      outgoing.destroy();
    };
    const connectTimer = setTimeout(() => isConnected || fail('No connection in time.'), target.connectMs);
    const answerTimer = setTimeout(() => fail('No answer in time.'), target.answerMs);
    outgoing.on('socket', (socket) => {
      socket.once(target.isHttps ? 'secureConnect' : 'connect', () => {
        isConnected = true;
        clearTimeout(connectTimer);
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
    // Only the code of the error is used: the message may contain the URL.
    outgoing.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? 'The connection failed.'));
    outgoing.on('close', () => {
      clearTimeout(connectTimer);
      clearTimeout(answerTimer);
    });
    outgoing.end(payload);
  });

/** Creates the HTTP client of one provider. It sends every request once. Its errors tell whether the provider may have acted. */
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
