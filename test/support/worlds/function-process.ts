import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { DeliveryJob } from '#shared/webhooks/domain/delivery.ts';

/** Starts a function in a process of its own (function-child.ts) with one event. `settings` override this process's environment. */
export const startFunction = (name: string, event: unknown, settings: Record<string, string>) =>
  spawn(process.execPath, ['test/support/worlds/function-child.ts', name, JSON.stringify(event)], {
    env: { ...process.env, ...settings, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Runs a function to its end in a process of its own. Returns its log lines and then its answer. */
export const runFunction = async (...args: Parameters<typeof startFunction>): Promise<string[]> => {
  const child = startFunction(...args);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  return printed.trim().split('\n');
};

/** Makes a batch of the first queue, as Lambda passes it to the consumer. */
export const makeBatch = (jobs: readonly DeliveryJob[]) => ({
  Records: jobs.map((job, n) => ({
    messageId: String(n),
    body: JSON.stringify(job),
    eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:first',
  })),
});
