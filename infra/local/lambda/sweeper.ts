import { setTimeout as wait } from 'node:timers/promises';
import { log } from '#shared/platform/observability/log.ts';
import type { Lambda } from './lambda.ts';
import type { Loop } from './poller.ts';

/** Calls a scheduled function repeatedly, `seconds` after its last call ended, and never twice at once. Logs its errors. */
export const startSweeper = (lambda: Lambda, seconds: number): Loop => {
  const ending = new AbortController();
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await lambda.invoke({}).catch((error: unknown) => log('work_failed', { kind: lambda.spec.name }, error));
      await wait(seconds * 1_000, undefined, { signal: ending.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    stop: () => {
      ending.abort();
      return running;
    },
  };
};
