import type * as z from 'zod/mini';
import { probeTable } from '#shared/adapters/dynamodb/table/health.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { connectQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { probeQueue } from '#shared/adapters/sqs/health.ts';
import type { healthEnv } from '#shared/env/health.ts';
import { publicDeps } from './public.ts';

/** check-health: the table and the queue of first attempts. */
export const checkHealthDeps = (env: z.infer<typeof healthEnv>) => {
  const table = connectTable(env);
  const queue = connectQueue();
  return {
    ...publicDeps,
    probes: { table: () => probeTable(table), queue: () => probeQueue(queue, env.FIRST_QUEUE_URL) },
  };
};
