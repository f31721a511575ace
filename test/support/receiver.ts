import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { holdWebhook } from './webhooks-held.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** How to answer from now on; at first 200. */
  answer(how: (response: ServerResponse, received: Received) => void): void;
  stop(): Promise<void>;
}

/** A merchant's server: a real HTTP receiver that remembers what it got, and holds webhooks against the contract. */
export const startReceiver = async (): Promise<Receiver> => {
  const received: Received[] = [];
  let how = (response: ServerResponse, _received: Received): void => {
    response.writeHead(200).end('ok');
  };
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const one = { headers: incoming.headers, body: Buffer.concat(chunks).toString(), at: Date.now() };
    if ('webhook-signature' in one.headers) holdWebhook(one.body);
    received.push(one);
    how(response, one);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received,
    answer: (next) => {
      how = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
