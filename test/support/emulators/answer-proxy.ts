import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that passed: method, path with query, and the JSON of the answer. */
export interface PassedCall {
  readonly method: string;
  readonly path: string;
  readonly json: unknown;
}

/** A proxy in front of an HTTP API that changes its answers. */
export interface AnswerProxy {
  readonly origin: string;
  /** Lists all calls since `change` was called, with the original answers. */
  readonly passed: () => readonly PassedCall[];
  /** Changes answers from now on. `index` is 0 for the first call after this. */
  change(rewrite: (call: PassedCall, index: number) => unknown): void;
  stop(): Promise<void>;
}

const readAll = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Starts a proxy in front of an API with JSON answers. Calls must come one after the other. */
export const startAnswerProxy = async (upstream: string): Promise<AnswerProxy> => {
  let passed: PassedCall[] = [];
  let rewrite: (call: PassedCall, index: number) => unknown = ({ json }) => json;
  const server = createServer(async (incoming, response) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const body = await readAll(incoming);
    const answer = await fetch(new URL(path, upstream), {
      method,
      headers: {
        ...(headers.authorization !== undefined && { authorization: headers.authorization }),
        'content-type': headers['content-type'] ?? 'application/json',
      },
      ...(body.length > 0 && { body }),
    });
    const call = { method, path, json: await answer.json() };
    passed.push(call);
    response.writeHead(answer.status, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify(rewrite(call, passed.length - 1)));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed: () => passed,
    change: (next) => {
      passed = [];
      rewrite = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
