import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { finished } from 'node:stream/promises';
import { CannotStart } from '#infra/local/errors.ts';
import type { RequestReport } from '#infra/local/terminal/terminal.ts';
import { type Answer, gatewayAnswer, send } from './answer.ts';
import type { Service } from './api.ts';
import { readBody } from './body.ts';
import { type HttpHead, readHead } from './request.ts';

/** A listening server. It answers 503 until `serve` is called. */
export interface Gateway {
  readonly baseUrl: string;
  serve(service: Service, report: (request: RequestReport) => void): void;
  /** Accepts no new connections. Open ones have a second to get their answers. */
  stop(): Promise<void>;
}

/** Time limits in milliseconds for clients that send slowly. */
const CLIENT_LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };
/** How long an idle connection stays open. Clients close it earlier themselves, so none sends a request on a connection that we are closing. */
const KEEP_ALIVE_MS = 60_000;
/** Time for open connections to get their answers when the server stops. */
const LAST_ANSWERS_MS = 1_000;
/** The most characters of a path that the terminal shows. */
const MAX_PRINTED_PATH = 200;

const UNAVAILABLE = gatewayAnswer(503, 'Service Unavailable');
const NOT_READY: Service = { answerHead: () => UNAVAILABLE, answer: async () => UNAVAILABLE };

/** Answers a request. @throws Error if the client closes the connection before the end of the request. */
const respond = async (incoming: IncomingMessage, service: Service, isLast: boolean): Promise<Answer> => {
  let head: HttpHead;
  try {
    head = readHead(incoming);
  } catch {
    return gatewayAnswer(400, 'Bad Request');
  }
  const early = service.answerHead(head);
  if (early) {
    // Node closes the connection after its last answer. A client that is still sending its body would not get that answer, so the body is read first.
    if (isLast) await finished(incoming.resume());
    return early;
  }
  const body = await readBody(incoming);
  return body ? service.answer({ ...head, body }) : gatewayAnswer(413, 'Request Entity Too Large');
};

/** Makes the path of a request safe to print. */
const toPrintablePath = (url: string | undefined): string =>
  (url ?? '')
    .replace(/\?.*/s, '')
    .replace(/[^\x21-\x7e]/g, '?')
    .slice(0, MAX_PRINTED_PATH);

const explainListenError = (error: NodeJS.ErrnoException, host: string, port: number): CannotStart => {
  if (error.code === 'EADDRINUSE') {
    return new CannotStart(
      `Port ${port} is in use. Stop the program that uses it, or start on any free port with: PORT=0 npm start`,
    );
  }
  if (error.code === 'EACCES') {
    return new CannotStart(`You may not use port ${port}. Choose a port above 1023, e.g. PORT=3000.`);
  }
  return new CannotStart(
    `HOST ${host} is not an address of this machine (${error.code}). Leave HOST out to use 127.0.0.1.`,
  );
};

const buildUrl = (host: string, port: number): string => {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
};

/** @throws CannotStart if the server cannot listen on the address. */
const listen = async (onRequest: RequestListener, host: string, port: number): Promise<Server> => {
  const server = createServer({ ...CLIENT_LIMITS, keepAliveTimeout: KEEP_ALIVE_MS }, onRequest);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((error) => {
    throw explainListenError(error, host, port);
  });
  return server;
};

const getPort = (server: Server): number => (server.address() as AddressInfo).port;

const hasIpv6 = (): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

/**
 * Listens on 127.0.0.1, and on ::1 if this machine has it. For `localhost` a browser tries ::1 first: if another program listened there, it would
 * get the dashboard's cookie.
 */
const listenOnLoopbacks = async (onRequest: RequestListener, port: number): Promise<Server[]> => {
  const first = await listen(onRequest, '127.0.0.1', port);
  if (!hasIpv6()) return [first];
  try {
    return [first, await listen(onRequest, '::1', getPort(first))];
  } catch (error) {
    first.close();
    throw error;
  }
};

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const closeAll = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS);
    server.close(() => {
      clearTimeout(closeAll);
      resolve();
    });
  });

/**
 * Listens at once, so that a port in use is noticed before anything else starts. If `host` is 127.0.0.1, it listens on both loopback addresses.
 * @throws CannotStart if the server cannot listen on the address.
 */
export const openGateway = async ({ host, port }: { host: string; port: number }): Promise<Gateway> => {
  let service = NOT_READY;
  let report: (request: RequestReport) => void = () => {};

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedAt = performance.now();
    const answer = await respond(incoming, service, !response.shouldKeepAlive);
    send(response, answer);
    report({
      method: incoming.method ?? '',
      path: toPrintablePath(incoming.url),
      status: answer.status,
      milliseconds: Math.round(performance.now() - startedAt),
    });
  };
  const onRequest: RequestListener = (incoming, response) => {
    // `handle` fails only if the client closes the connection before the end of its request. An error of a function has become a 500 before.
    handle(incoming, response).catch(() => response.destroy());
  };
  const servers =
    host === '127.0.0.1' ? await listenOnLoopbacks(onRequest, port) : [await listen(onRequest, host, port)];
  const [first] = servers as [Server, ...Server[]];

  return {
    baseUrl: buildUrl(host, getPort(first)),
    serve: (newService, reportTo) => {
      service = newService;
      report = reportTo;
    },
    stop: async () => {
      await Promise.all(servers.map(close));
    },
  };
};
