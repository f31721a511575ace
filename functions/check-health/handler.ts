import { checkHealthDeps } from '#shared/composition/health.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { healthEnv } from '#shared/env/health.ts';
import { readEnv } from '#shared/env/kernel.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { publicApi } from '#shared/http/public.ts';

type Probe = () => Promise<void>;

/** 200 when the table and the queue answer, else 503 with the name of what does not. */
export const checkHealthHandler = (deps: PublicDeps & { probes: Record<'table' | 'queue', Probe> }) =>
  publicApi(deps, async () => {
    const probed = Object.entries(deps.probes).map(async ([name, probe]) => {
      await probe().catch(() => {
        throw new Refusal('service_unavailable', { message: `The ${name} does not answer.` });
      });
    });
    await Promise.all(probed);
    return { status: 200, body: { status: true, data: { table: 'ok', queue: 'ok' } } };
  });

export const handler = checkHealthHandler(checkHealthDeps(readEnv(healthEnv, process.env)));
