import { parentPort, workerData } from 'node:worker_threads';
import { CannotStart } from '#infra/local/errors.ts';
import { flushTerminal, sayRequest } from '#infra/local/terminal/terminal.ts';
import type { Answer } from './answer.ts';
import { type Service, serveApi } from './api.ts';
import type { FromGateway, GatewayAddress, GatewayCall, ToGateway } from './gateway-messages.ts';
import { isLocal, refuseStranger } from './refuse-strangers.ts';
import { openGateway } from './server.ts';

/* The gateway's thread (gateway-thread.ts). It reads requests, refuses those above the limit, and passes the others to the functions' thread. */

const address = workerData as GatewayAddress;
const post = (message: FromGateway): void => parentPort?.postMessage(message);

const gateway = await openGateway(address).catch((error: unknown) => {
  if (!(error instanceof CannotStart)) throw error;
  post({ kind: 'cannot_listen', reason: error.message });
  return process.exit();
});

const waiting = new Map<number, (answer: Answer) => void>();
let lastId = 0;
const ask = (call: GatewayCall): Promise<Answer> =>
  new Promise((resolve) => {
    lastId += 1;
    waiting.set(lastId, resolve);
    post({ kind: 'asked', id: lastId, call });
  });

const serve = ({ functions, concurrency }: Extract<ToGateway, { kind: 'serve' }>): void => {
  const service = serveApi(functions, (name, event) => ask({ kind: 'function', name, event }), concurrency);
  const withLocalPages: Service = {
    answerHead: (head) =>
      refuseStranger(head, address.host) ?? (isLocal(head.path) ? undefined : service.answerHead(head)),
    answer: (request) => (isLocal(request.path) ? ask({ kind: 'local', request }) : service.answer(request)),
  };
  // Requests for local pages are not printed, because the inbox page sends one every two seconds.
  gateway.serve(withLocalPages, (report) => isLocal(report.path) || sayRequest(report));
};

const end = async (): Promise<never> => {
  await gateway.stop();
  flushTerminal();
  // In a worker, `process.exit` ends only the thread.
  process.exit();
};

parentPort?.on('message', (message: ToGateway) => {
  if (message.kind === 'serve') serve(message);
  if (message.kind === 'stop') void end();
  if (message.kind !== 'answer') return;
  waiting.get(message.id)?.(message.answer);
  waiting.delete(message.id);
});
post({ kind: 'listening', baseUrl: gateway.baseUrl });
