import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What comes before the body of a request. */
export interface HttpHead {
  readonly id: string;
  readonly method: string;
  /** Percent-decoded, as API Gateway matches and reports it. */
  readonly path: string;
  /** Without the question mark, as sent. */
  readonly query: string;
  readonly protocol: string;
  /** Lower-cased names; a repeated header's values joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The connection's own address: no header can change it. */
  readonly sourceIp: string;
  readonly receivedAt: Date;
}

/** A request as received, before it becomes an event of API Gateway. */
export interface HttpRequest extends HttpHead {
  readonly body: Buffer;
}

const joined = (rawHeaders: readonly string[]): Record<string, string> => {
  const headers = new Map<string, string>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    const before = headers.get(name);
    headers.set(name, before === undefined ? (rawHeaders[i + 1] ?? '') : `${before},${rawHeaders[i + 1]}`);
  }
  return Object.fromEntries(headers);
};

/** Host, path and query of a request target; a host only of a whole URL, which a proxy's client writes. */
const splitTarget = (target: string): { host: string | undefined; path: string; query: string } => {
  const [whole = '', host] = /^https?:\/\/([^/?]*)/i.exec(target) ?? [];
  const local = target.slice(whole.length);
  const mark = local.indexOf('?');
  return mark === -1
    ? { host, path: local, query: '' }
    : { host, path: local.slice(0, mark), query: local.slice(mark + 1) };
};

/** This machine has one address, so that a whitelist made in a browser holds for curl as well. */
const normaliseAddress = (remote: string): string =>
  remote === '::1' ? '127.0.0.1' : remote.replace(/^::ffff:(?=\d+\.)/, '');

/**
 * Reads the head of a request. `rawHeaders` is asked because Node drops a second Authorization header.
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
    // A whole URL's host counts instead of the header's (RFC 9112, 3.2.2).
    headers: { ...joined(incoming.rawHeaders), ...(host !== undefined && { host }) },
    sourceIp: normaliseAddress(incoming.socket.remoteAddress ?? ''),
    receivedAt: new Date(),
  };
};
