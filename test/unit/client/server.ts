import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that the server received. */
export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer of the server. `cut`: the server breaks the connection instead; `hang`: the server never answers. */
export type Answer = 'cut' | 'hang' | { status: number; body?: unknown; headers?: Record<string, string> };

/** Starts an HTTP server that gives scripted answers, one after the other. */
export const startScriptedServer = async () => {
  const requests: ReceivedRequest[] = [];
  const answers: Answer[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    requests.push({ method, url, headers, body: await text(request) });
    const answer = answers.shift() ?? { status: 500 };
    if (answer === 'hang') return;
    if (answer === 'cut') {
      request.socket.destroy();
      return;
    }
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Sets the answers to the next requests. */
    answer: (...next: Answer[]): void => {
      answers.push(...next);
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
