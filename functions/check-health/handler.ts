import { probeTable } from '#shared/adapters/dynamodb/table/health.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { connectQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { probeQueue } from '#shared/adapters/sqs/health.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { healthEnv, readEnv } from '#shared/env/base.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { publicApi } from '#shared/http/public.ts';
import { log } from '#shared/observability/log.ts';

type Probe = () => Promise<void>;

/** 200 when the table and the queue answer, else 503 with the name of what does not. */
export const checkHealth = (deps: Pick<ApiDeps, 'now' | 'log'> & { probes: Record<'table' | 'queue', Probe> }) =>
  publicApi(deps, async () => {
    const probed = Object.entries(deps.probes).map(async ([name, probe]) => {
      await probe().catch(() => {
        throw new Refusal('service_unavailable', { message: `The ${name} does not answer.` });
      });
    });
    await Promise.all(probed);
    return { status: 200, body: { status: true, data: { table: 'ok', queue: 'ok' } } };
  });

const env = readEnv(healthEnv, process.env);
const table = connectTable(env);
const queue = connectQueue();
export const handler = checkHealth({
  now: runtime.now,
  log,
  probes: { table: () => probeTable(table), queue: () => probeQueue(queue, env.FIRST_QUEUE_URL) },
});
