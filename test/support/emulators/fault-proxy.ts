import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The emulator handles the call. Then `onAnswer` is called, and the client gets no answer. */
interface KeptAnswer {
  readonly onAnswer: () => void;
}

/**
 * The fate of a call. With a status and a body, the client gets these. With `hang`, it gets no answer, and the emulator never gets the call.
 * With `lose-answer`, the emulator handles the call, then the connection breaks. With KeptAnswer, the emulator handles the call, and the
 * connection stays silent.
 */
export type Fault = { readonly status: number; readonly body: unknown } | 'hang' | 'lose-answer' | KeptAnswer;

/** Chooses the fault of a call by operation (`TransactWriteItems`, `SendMessageBatch`, …) and the request's JSON; undefined is no fault. */
export type Faults = (operation: string, input: Record<string, unknown>) => Fault | undefined;

/** Watches calls: changes a request's JSON before the emulator gets it, and sees the emulator's answer. */
export interface Watch {
  rewrite(input: Record<string, unknown>): Record<string, unknown>;
  observe(operation: string, answer: Record<string, unknown>): void;
}

export interface FaultProxy {
  readonly endpoint: string;
  /** Changes the faults from now on. */
  inject(faults: Faults): void;
  /** From now on, each call waits for the promise that `until` returns, before the emulator gets it. */
  hold(until: (operation: string) => Promise<void> | undefined): void;
  stop(): Promise<void>;
}

const readAll = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Replaces the access key id in the signature by that of the test run. A local stack has its own id, which the emulators of the run reject. */
const replaceKeyId = (headers: IncomingHttpHeaders): IncomingHttpHeaders => ({
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
      // Use a new connection for each call: the emulator closes idle ones, and a busy machine could send a call on a closing one.
      agent: false,
      method: incoming.method,
      headers: { ...replaceKeyId(incoming.headers), host: target.host, 'content-length': body.length },
    });
    outgoing.on('response', async (answer) => {
      resolve({ status: answer.statusCode ?? 500, headers: answer.headers, body: await readAll(answer) });
    });
    outgoing.on('error', reject);
    // A long poll of a killed client must not stay and take the next message.
    response.once('close', () => outgoing.destroy());
    outgoing.end(body);
  });

/** Starts a proxy between an SDK client and an emulator that injects the faults of a test. */
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
      fault.onAnswer();
      return;
    }
    // The emulator's connection headers do not apply to our connection.
    const { connection: _, 'keep-alive': __, ...headers } = answer.headers;
    response.writeHead(answer.status, headers);
    response.end(answer.body);
  };
  // Idle connections stay open: a timer would reset the next request of a client that was too busy to notice the close.
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

/** Makes DynamoDB's answer to a transaction in conflict with another. AWS returns it under contention; no emulator can. */
export const makeTransactionConflict = (items: number): Fault => ({
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
