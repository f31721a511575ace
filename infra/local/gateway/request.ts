import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A request as received, before it becomes an event of API Gateway. */
export interface HttpRequest {
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

/** Path and query of a request target, which a proxy's client writes as a whole URL. */
const splitTarget = (target: string): { path: string; query: string } => {
  const local = target.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  return mark === -1 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
};

/**
 * Reads the head of a request. `rawHeaders` is asked because Node drops a second Authorization header.
 * @throws URIError for a malformed percent-encoding in the path.
 */
export const readHead = (incoming: IncomingMessage): Omit<HttpRequest, 'body'> => {
  const { path, query } = splitTarget(incoming.url ?? '/');
  return {
    id: randomUUID(),
    method: incoming.method ?? 'GET',
    path: decodeURIComponent(path),
    query,
    protocol: `HTTP/${incoming.httpVersion}`,
    headers: joined(incoming.rawHeaders),
    sourceIp: (incoming.socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, ''),
    receivedAt: new Date(),
  };
};
