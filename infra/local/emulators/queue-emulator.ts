import { Worker } from 'node:worker_threads';
import { awaitEndReason, watchEnd } from '#infra/local/watch-end.ts';
import type { Emulator } from './emulator.ts';

/**
 * Starts an embedded SQS emulator in a thread of its own: in the functions' thread, a message would wait for requests that are answered
 * first. It answers clients with this access key id. It is in memory: lost-messages.ts makes up for what it held when a stack ends.
 * @throws what kept the emulator from starting.
 */
export const startSqs = async (accessKeyId: string): Promise<Emulator> => {
  const thread = new Worker(new URL('./queue-emulator-worker.ts', import.meta.url), { workerData: { accessKeyId } });
  const endpoint = await new Promise<string>((resolve, reject) => {
    thread.once('error', reject);
    // Under `node --watch` a thread also reports to its parent which files it has loaded.
    thread.on('message', (message: unknown) => typeof message === 'string' && resolve(message));
  });
  const { expectEnd, died } = watchEnd(awaitEndReason(thread));
  return {
    endpoint,
    stop: async () => {
      expectEnd();
      await thread.terminate();
    },
    died,
  };
};
