import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { finished } from 'node:stream/promises';
import { CannotStart } from '#infra/local/errors.ts';
import type { RequestReport } from '#infra/local/terminal/terminal.ts';
import { type Answer, ownAnswer, send } from './answer.ts';
import type { Service } from './api.ts';
import { readBody } from './body.ts';
import { type HttpHead, readHead } from './request.ts';

/** A server that listens. It answers 503 until `serve` is called. */
export interface Gateway {
  readonly baseUrl: string;
  serve(service: Service, report: (request: RequestReport) => void): void;
  /** Accepts no new connection; those that are open have a second to get their answers. */
  stop(): Promise<void>;
}

/** However slowly a client sends, it holds its socket no longer than this. */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };
/** Longer than clients keep an idle connection: a busy one may send its next request before it notices that we closed. */
const KEEP_ALIVE_MS = 60_000;
const LAST_ANSWERS_MS = 1_000;
const LONGEST_PATH = 200;

const UNAVAILABLE = ownAnswer(503, 'Service Unavailable');
const NOT_READY: Service = { answerHead: () => UNAVAILABLE, answer: async () => UNAVAILABLE };

/** The answer to a request. @throws Error when the client goes away before its end. */
const respond = async (incoming: IncomingMessage, service: Service, isLast: boolean): Promise<Answer> => {
  let head: HttpHead;
  try {
    head = readHead(incoming);
  } catch {
    return ownAnswer(400, 'Bad Request');
  }
  const early = service.answerHead(head);
  if (early) {
    // Node closes a connection that is not kept with its answer, which a client that still writes would not get.
    if (isLast) await finished(incoming.resume());
    return early;
  }
  const body = await readBody(incoming);
  return body ? service.answer({ ...head, body }) : ownAnswer(413, 'Request Entity Too Large');
};

/** The path of a request, safe to print. */
const printablePath = (url: string | undefined): string =>
  (url ?? '')
    .replace(/\?.*/s, '')
    .replace(/[^\x21-\x7e]/g, '?')
    .slice(0, LONGEST_PATH);

const cannotListen = (error: NodeJS.ErrnoException, host: string, port: number): CannotStart => {
  if (error.code === 'EADDRINUSE') {
    return new CannotStart(`Port ${port} is in use. Stop what listens there, or take any free one: PORT=0 npm start`);
  }
  if (error.code === 'EACCES') {
    return new CannotStart(`Port ${port} needs more rights than you have. Choose one above 1023, e.g. PORT=3000.`);
  }
  return new CannotStart(
    `HOST ${host} is not an address of this machine (${error.code}). Leave it out to use 127.0.0.1.`,
  );
};

const buildUrl = (host: string, port: number): string => {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
};

/** @throws CannotStart when the address cannot be listened on. */
const listen = async (onRequest: RequestListener, host: string, port: number): Promise<Server> => {
  const server = createServer({ ...LIMITS, keepAliveTimeout: KEEP_ALIVE_MS }, onRequest);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((error) => {
    throw cannotListen(error, host, port);
  });
  return server;
};

const getPort = (server: Server): number => (server.address() as AddressInfo).port;

const hasIpv6 = (): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

/** Browsers try `localhost` on ::1 first: whatever else listened there would get the dashboard's cookie. */
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
 * Listens at once, so that a port in use is found before anything else has begun; by default on both loopback addresses.
 * @throws CannotStart when the address cannot be listened on.
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
      path: printablePath(incoming.url),
      status: answer.status,
      milliseconds: Math.round(performance.now() - startedAt),
    });
  };
  const onRequest: RequestListener = (incoming, response) => {
    // A client went away before it had sent everything. Functions' errors are answers by now.
    handle(incoming, response).catch(() => response.destroy());
  };
  const servers =
    host === '127.0.0.1' ? await listenOnLoopbacks(onRequest, port) : [await listen(onRequest, host, port)];
  const [first] = servers as [Server, ...Server[]];

  return {
    baseUrl: buildUrl(host, getPort(first)),
    serve: (how, reportTo) => {
      service = how;
      report = reportTo;
    },
    stop: async () => {
      await Promise.all(servers.map(close));
    },
  };
};
