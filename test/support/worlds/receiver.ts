import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { checkWebhook } from '#test/support/jest/webhook-bodies.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Sets how to answer from now on. The default is 200. */
  answer(how: (response: ServerResponse, received: Received) => void): void;
  stop(): Promise<void>;
  /** Listens again at the same URL after a stop. */
  restart(): Promise<void>;
}

/** Milliseconds to wait for the port of a stopped server: another process's outgoing connection may use it. */
const PORT_FREE_WITHIN_MS = 60_000;
const TRY_PORT_AGAIN_MS = 100;

/** Starts a merchant's HTTP server. It records every request, and checks webhooks against the contract. */
export const startReceiver = async (): Promise<Receiver> => {
  const received: Received[] = [];
  let respond = (response: ServerResponse, _received: Received): void => {
    response.writeHead(200).end('ok');
  };
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const request = { headers: incoming.headers, body: Buffer.concat(chunks).toString(), at: Date.now() };
    if ('webhook-signature' in request.headers) checkWebhook(request.body);
    received.push(request);
    respond(response, request);
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    received,
    answer: (next) => {
      respond = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    restart: async () => {
      const deadline = Date.now() + PORT_FREE_WITHIN_MS;
      for (;;) {
        try {
          return await listen(port);
        } catch (error) {
          if (Date.now() > deadline) throw error;
          await wait(TRY_PORT_AGAIN_MS);
        }
      }
    },
  };
};
