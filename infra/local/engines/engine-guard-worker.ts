import { parentPort, workerData } from 'node:worker_threads';
import { openGuard } from './engine-guard.ts';

/* The thread of a guard while a debugger may stop the others (dynamodb-engine.ts): reports its port, and ends by being terminated. */

const { engine, accessKeyId } = workerData;
const { endpoint } = await openGuard(engine, accessKeyId);
parentPort?.postMessage(Number(new URL(endpoint).port));
