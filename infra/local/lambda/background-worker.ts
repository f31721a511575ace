import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { newCleanup } from '#infra/local/cleanup.ts';
import { fileIn } from '#infra/local/data/data-dir.ts';
import { newLogReader } from '#infra/local/terminal/log-reader.ts';
import { keepServiceLog } from '#infra/local/terminal/service-log.ts';
import { flushTerminal } from '#infra/local/terminal/terminal.ts';
import type { BackgroundOrder, BackgroundWork } from './background.ts';
import { isCalledByRequests, type Lambda, loadLambda } from './lambda.ts';
import { type Loop, startPoller } from './poller.ts';
import { startSweeper } from './sweeper.ts';

/* The background thread (background.ts). It has the pollers of the queues, the sweepers, and the functions that they call. */

/** Milliseconds at the end for work that is under way. Work that does not end comes back through the due-work index at the next start. */
const LAST_WORK_MS = 1_000;

const { dataDir, queueUrls, sweepSeconds, isDebugged } = workerData as BackgroundWork;

const startLoops = (lambda: Lambda): Loop[] => {
  const { trigger } = lambda.spec;
  if (trigger.kind === 'queue') {
    return trigger.lanes.map((lane) => startPoller(lambda, queueUrls[lane], trigger.batchSize));
  }
  if (trigger.kind === 'mails') return [startPoller(lambda, queueUrls.codes, trigger.batchSize)];
  return trigger.kind === 'schedule' ? [startSweeper(lambda, sweepSeconds)] : [];
};

const logCleanup = newCleanup();
keepServiceLog(dataDir, newLogReader(fileIn(dataDir, 'log')), logCleanup);
const specs = ALL_FUNCTIONS.filter((spec) => !isCalledByRequests(spec));
const lambdas = await Promise.all(specs.map((spec) => loadLambda(spec, { isDebugged })));
let loops: Loop[] = [];

const end = async (): Promise<never> => {
  await Promise.race([Promise.all(loops.map((loop) => loop.stop())), wait(LAST_WORK_MS)]);
  flushTerminal();
  await logCleanup.run();
  // In a worker, `process.exit` ends only the thread.
  process.exit();
};

parentPort?.on('message', (order: BackgroundOrder) => {
  if (order === 'stop') void end();
  else loops = lambdas.flatMap(startLoops);
});
