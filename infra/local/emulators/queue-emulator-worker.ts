import { parentPort, workerData } from 'node:worker_threads';
import { buildApp } from 'fauxqs';
import { ACCESS_DENIED, isAdmitted } from './admission.ts';

/*
 * The thread of the SQS emulator (queue-emulator.ts). The thread reports the emulator's endpoint, and runs until it is terminated. It does not
 * call `start` of fauxqs, which listens on every interface and answers everybody.
 */

const { accessKeyId } = workerData;
let host = '';
const app = buildApp({ logger: false });
app.addHook('onRequest', (request, reply, done) => {
  if (isAdmitted(request.headers, { host, accessKeyId })) done();
  else reply.code(403).header('connection', 'close').type('application/x-amz-json-1.0').send(ACCESS_DENIED);
});
const endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
host = new URL(endpoint).host;
parentPort?.postMessage(endpoint);
