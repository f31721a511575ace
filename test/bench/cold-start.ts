import { createRequire } from 'node:module';
import type { Context } from 'aws-lambda';

/* A child process of cold.ts: imports a function as it is shipped and calls it once. */

export interface ColdOrder {
  readonly file: string;
  readonly event: unknown;
}

/** The times in milliseconds, and the function's answer. */
export interface ColdStart {
  readonly importMs: number;
  readonly requestMs: number;
  readonly answer: { readonly statusCode?: number; readonly batchItemFailures?: readonly unknown[] };
}

const REMAINING_MS = 15_000;
const context = {
  awsRequestId: 'bench',
  functionName: 'bench',
  getRemainingTimeInMillis: () => REMAINING_MS,
} as Context;

// The parent process sends the message when it has limited this process to its share of a processor.
process.once('message', async ({ file, event }: ColdOrder) => {
  const startedAt = performance.now();
  const { handler } = createRequire(import.meta.url)(file) as {
    handler: (event: unknown, context: Context) => Promise<ColdStart['answer']>;
  };
  const importedAt = performance.now();
  const answer = await handler(event, context);
  const importMs = importedAt - startedAt;
  process.send?.({ importMs, requestMs: performance.now() - importedAt, answer } satisfies ColdStart, () =>
    process.exit(),
  );
});
process.send?.('ready');
