import http from 'node:http';
import https from 'node:https';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';

/**
 * The limits of a call of AWS: how many milliseconds one attempt waits for its answer, and how many attempts are made at most. The SDK
 * pauses between them.
 */
export interface CallLimits {
  readonly answerMs: number;
  readonly maxAttempts: number;
}

/** The most milliseconds for making a connection to AWS. */
const CONNECT_MS = 1_000;
/**
 * The milliseconds after which an idle connection closes. AWS and the network drop idle connections silently, and a frozen container does not
 * notice.
 */
const IDLE_MS = 10_000;

/**
 * Makes agents whose connections close after `idleMs` idle milliseconds. A host gets at most 100 connections; further requests wait, within
 * their time-out.
 */
export const connections = (idleMs: number) => {
  const options = { keepAlive: true, maxSockets: 100, timeout: idleMs };
  return { httpAgent: new http.Agent(options), httpsAgent: new https.Agent(options) };
};

/** The connections of all clients of a process, so that each client reuses those that another has opened. */
const sharedConnections = connections(IDLE_MS);

/**
 * Builds the settings of an SDK client. `requestTimeout` covers only the time until the answer's headers. If the body then stops,
 * `socketTimeout` ends the call. Without `throwOnRequestTimeout` the SDK only prints a warning when an answer is late, and keeps waiting.
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
 * The names of AWS's errors for too many requests: the names that the SDK's standard retry mode knows, and two of SQS. DynamoDB sends such
 * an error with HTTP status 400, so only its name tells.
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
/** The names of errors that say that AWS, the client or the caller's signal gave up waiting. */
const TIMED_OUT = new Set(['TimeoutError', 'RequestTimeout', 'RequestTimeoutException', 'AbortError']);
/** Node's codes for a connection that was not made, or broke before the answer. */
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

/** Checks whether AWS throttled a call, failed, or did not answer in time. Any other error means that AWS rejected the call itself. */
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
  // The first step sees only errors that outlasted the SDK's retries.
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
