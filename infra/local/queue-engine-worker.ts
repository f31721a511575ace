import { parentPort } from 'node:worker_threads';
import { startFauxqs } from 'fauxqs';

/* The thread of the SQS engine (queue-engine.ts): says on which port it listens, and ends by being terminated. */

const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
parentPort?.postMessage(server.port);
