import { Worker } from 'node:worker_threads';
import type { Engine } from './dynamodb-engine.ts';

/**
 * Starts an embedded SQS engine in a thread of its own: in the gateway's, a message would wait for requests that are answered
 * first. It is in memory: lost-messages.ts makes up for what it held when a stack ends.
 * @throws what kept the engine from starting.
 */
export const startSqs = async (): Promise<Engine> => {
  const thread = new Worker(new URL('./queue-engine-worker.ts', import.meta.url));
  const port = await new Promise<number>((resolve, reject) => {
    thread.once('error', reject);
    // Under `node --watch` a thread also reports to its parent which files it has loaded.
    thread.on('message', (message: unknown) => typeof message === 'number' && resolve(message));
  });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      await thread.terminate();
    },
  };
};
