import { Worker } from 'node:worker_threads';
import { awaitEndReason, watchEnd } from '#infra/local/watch-end.ts';
import type { Emulator } from './emulator.ts';

/**
 * Starts an embedded SQS emulator in its own thread. In the functions' thread, a message would have to wait while a function handles a
 * request. The emulator answers only clients with this access key id. Messages are in memory. They are lost when the local stack ends;
 * lost-messages.ts handles that.
 * @throws the error that kept the emulator from starting.
 */
export const startSqs = async (accessKeyId: string): Promise<Emulator> => {
  const thread = new Worker(new URL('./queue-emulator-worker.ts', import.meta.url), { workerData: { accessKeyId } });
  const endpoint = await new Promise<string>((resolve, reject) => {
    thread.once('error', reject);
    // With `node --watch`, a thread also sends its parent messages about loaded files.
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
