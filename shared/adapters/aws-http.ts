import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';

/** An answer, whole. */
export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** How long one request may take, and what ends it early. */
export interface HttpLimits {
  /** Milliseconds until the whole answer is there. */
  readonly answerMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds until a connection to AWS stands. */
export const CONNECT_MS = 1_000;
/** To one host. More requests wait for a free connection, within their time. */
const CONNECTIONS = { keepAlive: true, maxSockets: 100 };

/** Shared by all clients of a process: a connection that one has opened serves the next call of any. */
const httpAgent = new http.Agent(CONNECTIONS);
const httpsAgent = new https.Agent(CONNECTIONS);

/** Named as the SDK names it. */
const timeoutError = (what: string): Error => Object.assign(new Error(what), { name: 'TimeoutError' });

/** Ends a request whose new connection does not stand in time. */
const limitConnecting = (request: http.ClientRequest, socket: Socket): void => {
  if (!socket.connecting) return;
  const timer = setTimeout(() => request.destroy(timeoutError('No connection within a second.')), CONNECT_MS);
  socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
};

/**
 * One POST to `/`, without a retry.
 * @throws TimeoutError past its limits, the signal's reason when that aborts it, and Node's error when the connection fails.
 */
export const post = (
  endpoint: URL,
  headers: http.OutgoingHttpHeaders,
  body: string,
  { answerMs, signal }: HttpLimits,
): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const isSecure = endpoint.protocol === 'https:';
    const { request: open } = isSecure ? https : http;
    const agent = isSecure ? httpsAgent : httpAgent;
    const host = endpoint.hostname.replace(/^\[|\]$/g, '');
    const request = open({ agent, host, port: endpoint.port || undefined, method: 'POST', path: '/', headers });
    const late = setTimeout(() => request.destroy(timeoutError(`No answer within ${answerMs} ms.`)), answerMs);
    const abort = (): void => {
      request.destroy(signal?.reason);
    };
    const end = (): void => {
      clearTimeout(late);
      signal?.removeEventListener('abort', abort);
    };
    const fail = (error: Error): void => {
      end();
      reject(error);
    };
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    request.once('socket', (socket) => limitConnecting(request, socket));
    request.on('error', fail);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.once('end', () => {
        end();
        resolve({ statusCode: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    request.end(body);
  });
