import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A request without its body. */
export interface HttpHead {
  readonly id: string;
  readonly method: string;
  /** Percent-decoded, as in API Gateway. */
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly query: string;
  readonly protocol: string;
  /** Names in lower case. The values of a repeated header are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The address of the connection. Headers cannot change it. */
  readonly sourceIp: string;
  readonly receivedAt: Date;
}

/** A received request, before it becomes an event of API Gateway. */
export interface HttpRequest extends HttpHead {
  readonly body: Buffer;
}

const joinHeaders = (rawHeaders: readonly string[]): Record<string, string> => {
  const headers = new Map<string, string>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? (rawHeaders[i + 1] ?? '') : `${earlier},${rawHeaders[i + 1]}`);
  }
  return Object.fromEntries(headers);
};

/** Splits a request target into host, path and query. Only a whole URL, as clients of a proxy send it, has a host. */
const splitTarget = (target: string): { host: string | undefined; path: string; query: string } => {
  const [whole = '', host] = /^https?:\/\/([^/?]*)/i.exec(target) ?? [];
  const pathAndQuery = target.slice(whole.length);
  const questionMark = pathAndQuery.indexOf('?');
  return questionMark === -1
    ? { host, path: pathAndQuery, query: '' }
    : { host, path: pathAndQuery.slice(0, questionMark), query: pathAndQuery.slice(questionMark + 1) };
};

/** Writes the address of a client in one form. A client on this machine may come by IPv4 or IPv6, and one entry of an IP whitelist must match both. */
const normaliseAddress = (remote: string): string =>
  remote === '::1' ? '127.0.0.1' : remote.replace(/^::ffff:(?=\d+\.)/, '');

/**
 * Reads the head of a request. It uses `rawHeaders`, because Node drops a second Authorization header.
 * @throws URIError for a malformed percent-encoding in the path.
 */
export const readHead = (incoming: IncomingMessage): HttpHead => {
  const { host, path, query } = splitTarget(incoming.url ?? '/');
  return {
    id: randomUUID(),
    method: incoming.method ?? 'GET',
    path: decodeURIComponent(path),
    query,
    protocol: `HTTP/${incoming.httpVersion}`,
    // The host of a whole URL replaces the `Host` header (RFC 9112, 3.2.2).
    headers: { ...joinHeaders(incoming.rawHeaders), ...(host !== undefined && { host }) },
    sourceIp: normaliseAddress(incoming.socket.remoteAddress ?? ''),
    receivedAt: new Date(),
  };
};
