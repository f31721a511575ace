import { startFauxqs } from 'fauxqs';
import type { Engine } from './dynamodb-engine.ts';

/** Starts an embedded SQS engine in this process. It lives in memory: what was only in a queue comes back by the due-work index. */
export const startSqs = async (): Promise<Engine> => {
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  return { endpoint: `http://127.0.0.1:${server.port}`, stop: () => server.stop() };
};
