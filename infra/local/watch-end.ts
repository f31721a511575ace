import { setTimeout as wait } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

/** Time for a thread to end: a second for its last work, and half a second to write its log. A thread at a breakpoint does not end, and is terminated. */
const END_WAIT_MS = 1_500;

/** Describes an error of a thread in one line. For a syntax error, that line also names the file. */
const describeError = (error: unknown): string => {
  const file = error instanceof Error ? /^file:\/\/(\S+:\d+)$/m.exec(error.stack ?? '')?.[1] : undefined;
  return `${String(error).replace(/\s*\n\s*/g, ' ')}${file === undefined ? '' : ` (${file})`}`;
};

/** Resolves with the reason when a thread ends. */
export const awaitEndReason = (thread: Worker): Promise<string> =>
  new Promise((resolve) => {
    thread.once('error', (error) => resolve(describeError(error)));
    thread.once('exit', (code) => resolve(`it ended with code ${code}`));
  });

/** Waits until a stopping thread has ended. Terminates the thread if it takes too long. */
export const awaitEnd = async (thread: Worker, ended: Promise<string>): Promise<void> => {
  await Promise.race([ended, wait(END_WAIT_MS)]);
  await thread.terminate();
};

/** Watches a part that must not end by itself. `died` resolves with the reason of its end, unless `expectEnd` was called. */
export const watchEnd = (ended: Promise<string>) => {
  let isExpected = false;
  return {
    expectEnd: (): void => {
      isExpected = true;
    },
    died: new Promise<string>((resolve) => {
      void ended.then((reason) => isExpected || resolve(reason));
    }),
  };
};
