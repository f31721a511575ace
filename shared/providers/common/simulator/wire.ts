import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request that a simulated provider receives. The path is below its base URL and still encoded. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  /** The body before parsing. */
  readonly text: string;
}

/** An answer: JSON, or an HTML error page like that of a gateway in front of the provider. */
export type Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A transfer that the call makes, like a sandbox's call to pay an account. The amount is in kobo. */
  readonly transfers?: {
    readonly accountNumber: string;
    readonly amount: number;
    readonly senderName: string;
    readonly senderBank: string;
  };
} & ({ readonly json: unknown } | { readonly html: string });

/** A method, a pattern for the path, and the handler. The groups of the pattern capture the variable parts of the path; the handler gets them decoded. */
export type Route = readonly [method: string, path: RegExp, handle: (call: Call, ...parts: string[]) => Answer];

/** Answers a call by the first route that matches; undefined if none matches. */
export const routeCall = (routes: readonly Route[], call: Call): Answer | undefined => {
  for (const [method, path, handle] of routes) {
    const match = method === call.method ? path.exec(call.path) : null;
    if (match) return handle(call, ...match.slice(1).map((part) => decodeURIComponent(part)));
  }
  return undefined;
};

const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads a request. `prefix` is the part of the path that belongs to the base URL. */
export const readCall = async (incoming: IncomingMessage, prefix: string): Promise<Call> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const [path = '', query = ''] = (incoming.url ?? '').slice(prefix.length).split('?');
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    method: incoming.method ?? 'GET',
    path,
    query: new URLSearchParams(query),
    headers: incoming.headers,
    body: parseBody(text),
    text,
  };
};

export const sendAnswer = (response: ServerResponse, answer: Answer): void => {
  const [type, text] =
    'html' in answer ? ['text/html; charset=utf-8', answer.html] : ['application/json', JSON.stringify(answer.json)];
  response.writeHead(answer.status, { 'content-type': type, ...answer.headers }).end(text);
};

/** Cuts one list page out of a list, and counts all items and pages. */
export const slicePage = <T>(all: readonly T[], offset: number, size: number) => ({
  items: all.slice(offset, offset + size),
  total: all.length,
  pages: Math.ceil(all.length / size),
});
