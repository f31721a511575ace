import { createRequire } from 'node:module';
import type { Context } from 'aws-lambda';
import { type ApiCall, apiEvent, lambdaContext } from '#test/support/worlds/api-event.ts';

/* A child process of memory.ts: one container, that is one bundle as it is shipped, called again and again. */

/** The container's parameters. */
export interface ContainerOrder {
  /** The bundle. */
  readonly file: string;
  readonly call: ApiCall;
  readonly status: number;
  readonly requests: number;
  /** Memory is measured each time after this many requests. */
  readonly every: number;
}

/** Bytes, right after a full collection. */
export interface MemoryAt {
  readonly requests: number;
  readonly heapUsed: number;
  readonly rss: number;
}

type Handler = (event: unknown, context: Context) => Promise<{ statusCode: number; body: string }>;

const REMAINING_MS = 15_000;

const look = (requests: number): MemoryAt => {
  // Twice, because the first collection may release objects that refer to others.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  return { requests, heapUsed, rss };
};

process.once('message', async ({ file, call, status, requests, every }: ContainerOrder) => {
  const { handler } = createRequire(import.meta.url)(file) as { handler: Handler };
  const seen: MemoryAt[] = [];
  for (let done = 1; done <= requests; done++) {
    const context = { ...lambdaContext(), getRemainingTimeInMillis: () => REMAINING_MS };
    const answer = await handler(apiEvent(call), context);
    if (answer.statusCode !== status) throw new Error(`The function answered ${answer.statusCode}: ${answer.body}`);
    if (done % every === 0) seen.push(look(done));
  }
  process.send?.(seen, () => process.exit());
});
