import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The emulator does a call, and nobody hears its answer: then this is called. */
interface Unheard {
  readonly unheard: () => void;
}

/** What happens to a call: an answer of ours, silence, or the emulator does it and its answer gets lost or is kept back. */
export type Fault = { readonly status: number; readonly body: unknown } | 'hang' | 'lose-answer' | Unheard;

/** Called with the operation (`TransactWriteItems`, `SendMessageBatch`, …) and the request's JSON; undefined lets it pass. */
export type Faults = (operation: string, input: Record<string, unknown>) => Fault | undefined;

/** Looks at what passes: changes a request's JSON before the emulator sees it, and sees the emulator's answer. */
export interface Watch {
  rewrite(input: Record<string, unknown>): Record<string, unknown>;
  observe(operation: string, answer: Record<string, unknown>): void;
}

export interface FaultProxy {
  readonly endpoint: string;
  /** Changes the faults from now on. */
  inject(faults: Faults): void;
  /** Lets calls wait, from now on, for what this returns, before the emulator sees them. */
  hold(until: (operation: string) => Promise<void> | undefined): void;
  stop(): Promise<void>;
}

const readAll = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** A local stack has an access key id of its own. The emulators of a test run answer that of the run. */
const asOurs = (headers: IncomingHttpHeaders): IncomingHttpHeaders => ({
  ...headers,
  authorization: headers.authorization?.replace(/Credential=[^/]+/, `Credential=${process.env.AWS_ACCESS_KEY_ID}`),
});

const forward = (
  upstream: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> =>
  new Promise((resolve, reject) => {
    const target = new URL(incoming.url ?? '/', upstream);
    const outgoing = request(target, {
      // A connection of its own: the emulator closes idle ones, and a busy machine would send a call on one that is being closed.
      agent: false,
      method: incoming.method,
      headers: { ...asOurs(incoming.headers), host: target.host, 'content-length': body.length },
    });
    outgoing.on('response', async (answer) => {
      resolve({ status: answer.statusCode ?? 500, headers: answer.headers, body: await readAll(answer) });
    });
    outgoing.on('error', reject);
    // A client that was killed must not leave a long poll behind that swallows the next message.
    response.once('close', () => outgoing.destroy());
    outgoing.end(body);
  });

/** Stands between an SDK client and an emulator, speaks the same protocol, and injects the faults that a test sets. */
export const startFaultProxy = async (upstream: string, watch?: Watch): Promise<FaultProxy> => {
  let faults: Faults = () => undefined;
  let holdUntil: (operation: string) => Promise<void> | undefined = () => undefined;
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await readAll(incoming);
    const operation =
      String(incoming.headers['x-amz-target'] ?? '')
        .split('.')
        .at(-1) ?? '';
    const input = received.length > 0 ? JSON.parse(received.toString()) : {};
    await holdUntil(operation);
    const fault = faults(operation, input);
    if (fault === 'hang') return;
    if (fault && fault !== 'lose-answer' && 'status' in fault) {
      response.writeHead(fault.status, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(fault.body));
      return;
    }
    const body = watch ? Buffer.from(JSON.stringify(watch.rewrite(input))) : received;
    const answer = await forward(upstream, incoming, response, body);
    if (watch) watch.observe(operation, JSON.parse(answer.body.toString() || '{}'));
    if (fault === 'lose-answer') {
      incoming.socket.destroy();
      return;
    }
    if (fault) {
      fault.unheard();
      return;
    }
    // What the emulator says of its own connections does not hold for ours.
    const { connection: _, 'keep-alive': __, ...headers } = answer.headers;
    response.writeHead(answer.status, headers);
    response.end(answer.body);
  };
  // An idle connection stays open: closed by a timer, it would reset the next request of a client that was too busy to notice.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    serve(incoming, response).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    inject: (next) => {
      faults = next;
    },
    hold: (until) => {
      holdUntil = until;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** DynamoDB's answer to a transaction that met another one: what AWS raises under contention and no emulator can. */
export const transactionConflict = (items: number): Fault => ({
  status: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    Message: 'Transaction cancelled, please refer cancellation reasons for specific reasons',
    CancellationReasons: Array.from({ length: items }, () => ({
      Code: 'TransactionConflict',
      Message: 'Transaction is ongoing for the item',
    })),
  },
});
