import { Worker } from 'node:worker_threads';
import { endOf, watchEnd } from '#infra/local/watch-end.ts';
import type { Engine } from './engine.ts';

/**
 * Starts a module in a thread of its own that reports the port of 127.0.0.1 on which it listens. Ends by being terminated.
 * @throws what kept it from listening.
 */
export const startListening = async (module: URL, workerData: unknown): Promise<Engine> => {
  const thread = new Worker(module, { workerData });
  const port = await new Promise<number>((resolve, reject) => {
    thread.once('error', reject);
    // Under `node --watch` a thread also reports to its parent which files it has loaded.
    thread.on('message', (message: unknown) => typeof message === 'number' && resolve(message));
  });
  const { expectEnd, died } = watchEnd(endOf(thread));
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      expectEnd();
      await thread.terminate();
    },
    died,
  };
};
