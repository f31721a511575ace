import { PaymentsError } from './errors.ts';
import type { ErrorCode, ErrorDetail } from './types.ts';

/** The settings of a client. */
export interface ClientOptions {
  /** The address of the API, without a path: `https://payments.example.com`. */
  readonly baseUrl: string;
  /** The id of your business. A public key needs it. */
  readonly businessId?: string;
  /** The longest time of a try, in milliseconds; by default 30 seconds. */
  readonly timeoutMs?: number;
  /** The most repetitions of a call; by default two. */
  readonly maxRetries?: number;
  /** The function that sends requests; by default the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** Waits this many milliseconds before the next try. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Returns a number from 0 to 1, so that waits differ. */
  readonly random?: () => number;
}

/** The options of one call. */
export interface CallOptions {
  /**
   * Keep this key with your order. After a crash you can then repeat the call, and it takes effect only once. By default each call gets a new
   * key, and all of its tries use it.
   */
  readonly idempotencyKey?: string;
  /** Ends the call. */
  readonly signal?: AbortSignal;
}

/** Whether a try may be repeated if its outcome is unknown; `by_key` only with the same Idempotency-Key. */
export type Repeatable = 'always' | 'by_key' | 'never';

/** One call of an endpoint. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly repeatable: Repeatable;
}

/** A successful answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Calls an endpoint and returns its answer. The caller reads the body. */
export type Send = (call: Call, options?: CallOptions) => Promise<Answer>;

const DEFAULT_TIMEOUT = 30_000;
const DEFAULT_RETRIES = 2;
/** Milliseconds before the first repetition. Each further wait is twice as long, up to LONGEST_WAIT. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;
/**
 * The longest wait, in seconds, that a Retry-After header may ask for. If the header asks for more, the client does not wait, and throws the
 * error.
 */
const LONGEST_RETRY_AFTER = 60;
const LOWEST_ERROR = 400;
const TOO_MANY_REQUESTS = 429;
const LOWEST_FAILURE = 500;
const MILLIS = 1_000;

const makeUrl = (baseUrl: string, { path, query = {} }: Call): string => {
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/api/v1${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  return url.href;
};

/** Reads the seconds of a Retry-After header, which the API always writes as a number (RFC 9110, section 10.2.3). */
const parseRetryAfter = ({ headers }: Answer): number | undefined => {
  const text = headers.get('retry-after');
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
};

interface ErrorBody {
  readonly message?: string;
  readonly code?: ErrorCode;
  readonly request_id?: string;
  readonly errors?: readonly ErrorDetail[];
}

const parseErrorBody = ({ text }: Answer): ErrorBody => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

const toError = (answer: Answer): PaymentsError => {
  const { message, code, request_id, errors } = parseErrorBody(answer);
  const about = {
    status: answer.status,
    requestId: request_id ?? answer.headers.get('x-request-id') ?? undefined,
    errors,
    retryAfterSeconds: parseRetryAfter(answer),
  };
  // An answer without a code comes from a gateway in front of the API.
  return code === undefined
    ? new PaymentsError(`The API answered with status ${answer.status}.`, { ...about, code: 'unreadable_answer' })
    : new PaymentsError(message ?? code, { ...about, code });
};

/**
 * Checks whether a call may be repeated: the API refused it before any work (429), or its outcome is unknown and a repetition does no harm
 * (`repeatable`).
 */
const mayRepeat = ({ status, code }: PaymentsError, repeatable: Repeatable): boolean => {
  if (status === TOO_MANY_REQUESTS) return true;
  if (repeatable === 'never') return false;
  return status === undefined || status >= LOWEST_FAILURE || code === 'idempotency_in_progress';
};

/** Makes a function that sends requests with one key. Each try has a time-out, and is repeated if that is safe. */
export const transport = (key: string, options: ClientOptions): Send => {
  const { baseUrl, businessId, timeoutMs = DEFAULT_TIMEOUT, maxRetries = DEFAULT_RETRIES } = options;
  const request = options.fetch ?? globalThis.fetch;
  const sleep = options.sleep ?? ((ms: number) => new Promise<void>((done) => setTimeout(done, ms)));
  const random = options.random ?? Math.random;

  const attempt = async (address: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Answer> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    let answer: Answer;
    try {
      const response = await request(address, {
        ...init,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      const { status, headers } = response;
      answer = { status, headers, text: await response.text() };
    } catch (cause) {
      signal?.throwIfAborted();
      throw timeout.aborted
        ? new PaymentsError(`The API did not answer within ${timeoutMs / MILLIS} seconds.`, {
            code: 'timed_out',
            cause,
          })
        : new PaymentsError('The API could not be reached.', { code: 'connection_failed', cause });
    }
    if (answer.status >= LOWEST_ERROR) throw toError(answer);
    return answer;
  };

  /** Returns the milliseconds until the next try; undefined if another try would not help, or may come only after LONGEST_RETRY_AFTER. */
  const computeWait = (error: PaymentsError, tries: number, repeatable: Repeatable): number | undefined => {
    if (tries > maxRetries || !mayRepeat(error, repeatable)) return undefined;
    const { retryAfterSeconds } = error;
    if (retryAfterSeconds !== undefined) {
      return retryAfterSeconds <= LONGEST_RETRY_AFTER ? retryAfterSeconds * MILLIS : undefined;
    }
    const wait = Math.min(FIRST_WAIT * 2 ** (tries - 1), LONGEST_WAIT);
    return wait * (0.75 + random() / 2);
  };

  return async (call, { idempotencyKey, signal } = {}) => {
    const { method, body, repeatable } = call;
    const headers = {
      authorization: `Bearer ${key}`,
      accept: 'application/json',
      ...(businessId !== undefined && { 'x-business-id': businessId }),
      ...(body && { 'content-type': 'application/json' }),
      ...(repeatable === 'by_key' && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
    };
    const init: RequestInit = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const address = makeUrl(baseUrl, call);
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(address, init, signal);
      } catch (error) {
        const wait = error instanceof PaymentsError ? computeWait(error, tries, repeatable) : undefined;
        if (wait === undefined) throw error;
        await sleep(wait);
        signal?.throwIfAborted();
      }
    }
  };
};

/** Parses the body of an answer. */
export const parseBody = <T>(answer: Answer): T => {
  try {
    return JSON.parse(answer.text);
  } catch (cause) {
    throw new PaymentsError('The answer of the API could not be read.', {
      code: 'unreadable_answer',
      status: answer.status,
      requestId: answer.headers.get('x-request-id') ?? undefined,
      cause,
    });
  }
};

/** Calls an endpoint and returns the `data` of its answer. */
export const fetchData = async <T>(send: Send, call: Call, options?: CallOptions): Promise<T> =>
  parseBody<{ data: T }>(await send(call, options)).data;
