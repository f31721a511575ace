import { Worker } from 'node:worker_threads';
import type { QueueUrls } from '#infra/local/emulators/create-queues.ts';
import { awaitEnd, awaitEndReason, watchEnd } from '#infra/local/watch-end.ts';

/** The settings of the background thread. The addresses of the emulators are in the environment. */
export interface BackgroundWork {
  readonly dataDir: string;
  readonly queueUrls: QueueUrls;
  readonly sweepSeconds: number;
  /** Whether a debugger may attach. Then functions have no time limit. */
  readonly isDebugged: boolean;
}

/** Orders to the thread. */
export type BackgroundOrder = 'start' | 'stop';

/** The thread of functions that queues and schedules call. */
export interface Background {
  start(): void;
  /** Takes no new work. Work that is under way has a second to end. */
  stop(): Promise<void>;
  /** Resolves with the reason if the thread ends without `stop`. */
  readonly died: Promise<string>;
}

/** Loads background-worker.ts into its own thread, so that requests and deliveries do not wait for each other. */
export const loadBackground = (work: BackgroundWork): Background => {
  const worker = new Worker(new URL('./background-worker.ts', import.meta.url), { workerData: work });
  const order = (word: BackgroundOrder): void => worker.postMessage(word);
  const ended = awaitEndReason(worker);
  const { expectEnd, died } = watchEnd(ended);
  return {
    start: () => order('start'),
    stop: async () => {
      expectEnd();
      order('stop');
      await awaitEnd(worker, ended);
    },
    died,
  };
};
