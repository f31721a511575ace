import { Worker } from 'node:worker_threads';
import { CannotStart } from '#infra/local/errors.ts';
import { awaitEnd, awaitEndReason, watchEnd } from '#infra/local/watch-end.ts';
import type { Answer } from './answer.ts';
import type { Answerer, CallFunction } from './api.ts';
import type { FromGateway, GatewayAddress, GatewayCall, ToGateway } from './gateway-messages.ts';
import type { RoutedFunction } from './routes.ts';

/** The parts outside the gateway's thread that answer requests. */
interface Answerers {
  readonly functions: readonly RoutedFunction[];
  /** The most requests that each function gets at once. */
  readonly concurrency: number;
  readonly call: CallFunction;
  /** Answers requests for the local gateway's own pages. */
  readonly local: Answerer;
}

/** The gateway in its thread. It answers 503 until `serve` is called. */
export interface GatewayThread {
  readonly baseUrl: string;
  serve(answerers: Answerers): void;
  /** Accepts no new connections. Open ones have a second to get their answers. */
  stop(): Promise<void>;
  /** Resolves with the reason if the thread ends without `stop`. */
  readonly died: Promise<string>;
}

/**
 * Opens the gateway in its own thread, so that it refuses a flood without delay, even if the functions are busy. The functions' thread gets
 * only the requests that the gateway has not refused.
 * @throws CannotStart if the gateway cannot listen on the address.
 */
export const startGateway = async ({ host, port }: GatewayAddress): Promise<GatewayThread> => {
  const worker = new Worker(new URL('./gateway-worker.ts', import.meta.url), {
    workerData: { host, port } satisfies GatewayAddress,
  });
  const ended = awaitEndReason(worker);
  const { expectEnd, died } = watchEnd(ended);
  const post = (message: ToGateway): void => worker.postMessage(message);
  let answerers: Answerers | undefined;

  const findAnswer = (call: GatewayCall): Promise<Answer> | undefined => {
    if (call.kind === 'function') return answerers?.call(call.name, call.event);
    // A Buffer arrives from the thread as plain bytes.
    const { body, ...head } = call.request;
    return answerers?.local({ ...head, body: Buffer.from(body) });
  };
  const baseUrl = await new Promise<string>((resolve, reject) => {
    void ended.then((reason) => reject(new Error(`The gateway's thread ended: ${reason}.`)));
    worker.on('message', async (message: FromGateway) => {
      if (message.kind === 'listening') resolve(message.baseUrl);
      if (message.kind === 'cannot_listen') reject(new CannotStart(message.reason));
      if (message.kind !== 'asked') return;
      const answer = await findAnswer(message.call);
      if (answer) post({ kind: 'answer', id: message.id, answer });
    });
  });

  return {
    baseUrl,
    serve: (newAnswerers) => {
      answerers = newAnswerers;
      const { functions, concurrency } = newAnswerers;
      post({ kind: 'serve', functions, concurrency });
    },
    stop: async () => {
      expectEnd();
      post({ kind: 'stop' });
      await awaitEnd(worker, ended);
    },
    died,
  };
};
