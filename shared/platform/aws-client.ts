import http from 'node:http';
import https from 'node:https';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';

/** How long a call of AWS may take: milliseconds until one attempt is answered, and the number of attempts. The SDK pauses between them. */
export interface CallLimits {
  readonly answerMs: number;
  readonly maxAttempts: number;
}

/** Milliseconds until a connection to AWS stands. */
const CONNECT_MS = 1_000;
/** Milliseconds. AWS and the network drop idle connections without a word, and a frozen container does not hear of it. */
const IDLE_MS = 10_000;

/** Agents whose connections close after `idleMs` idle milliseconds. At most 100 to a host; more requests wait, within their time-out. */
export const connections = (idleMs: number) => {
  const options = { keepAlive: true, maxSockets: 100, timeout: idleMs };
  return { httpAgent: new http.Agent(options), httpsAgent: new https.Agent(options) };
};

/** The connections of all clients of a process, so that each client reuses those that another has opened. */
const sharedConnections = connections(IDLE_MS);

/**
 * The settings of a client of the SDK. `requestTimeout` ends with the answer's headers, so `socketTimeout` ends a body that stops.
 * Without `throwOnRequestTimeout` the SDK only prints a warning when an answer is late, and keeps waiting.
 */
export const clientSettings = ({ answerMs, maxAttempts }: CallLimits, agents = sharedConnections) => ({
  maxAttempts,
  requestHandler: {
    connectionTimeout: CONNECT_MS,
    requestTimeout: answerMs,
    socketTimeout: answerMs,
    throwOnRequestTimeout: true,
    ...agents,
  },
});

/**
 * The names of AWS's errors for too many requests; DynamoDB's come with HTTP status 400. They are those that the SDK knows
 * (its standard retry mode), and two of SQS's own.
 */
const THROTTLED = new Set([
  'BandwidthLimitExceeded',
  'LimitExceededException',
  'PriorRequestNotComplete',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionInProgressException',
  'KmsThrottled',
  'OverLimit',
]);
const TOO_MANY_REQUESTS = 429;
/** The names of errors when AWS, the client or the caller's signal gave up waiting. */
const TIMED_OUT = new Set(['TimeoutError', 'RequestTimeout', 'RequestTimeoutException', 'AbortError']);
/** Node's codes for no connection, or none that lasted until the answer. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const SERVER_ERROR = 500;

const readStatusCode = (error: Error): number =>
  (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0;

/** Whether AWS throttled a call, failed, or did not answer in time. Any other error is a refusal of the call itself. */
const isUnavailable = (error: unknown): error is Error => {
  if (!(error instanceof Error)) return false;
  if (TIMED_OUT.has(error.name) || THROTTLED.has(error.name)) return true;
  if ('code' in error && UNREACHABLE.has(String(error.code))) return true;
  return readStatusCode(error) === TOO_MANY_REQUESTS || readStatusCode(error) >= SERVER_ERROR;
};

type Next = (args: never) => Promise<unknown>;
interface Client {
  readonly middlewareStack: {
    // biome-ignore lint/suspicious/noExplicitAny: each client's stack names its own commands; this step reads none of them.
    add(middleware: any, options: { readonly step: 'initialize'; readonly name: string }): void;
  };
}

/** Changes a client, and returns it: its calls throw DependencyUnavailable if AWS throttled every attempt, failed, or did not answer. */
export const reportUnavailable = <C extends Client>(client: C): C => {
  // The first step sees the errors that outlasted the SDK's retries.
  const step = (next: Next) => async (args: never) => {
    try {
      return await next(args);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      throw new DependencyUnavailable('AWS throttled a call, failed, or did not answer.', error);
    }
  };
  client.middlewareStack.add(step, { step: 'initialize', name: 'reportUnavailable' });
  return client;
};
