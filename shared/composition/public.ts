import type * as z from 'zod/mini';
import { runtime } from '#shared/adapters/runtime.ts';
import type { stageEnv } from '#shared/env/kernel.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { log, writeLine } from '#shared/observability/log.ts';
import { metricsTo } from '#shared/observability/metrics.ts';

/** What a function needs that answers requests: the clock, the log and the metrics. */
export const publicDeps = ({ STAGE }: z.infer<typeof stageEnv>): PublicDeps => ({
  now: runtime.now,
  log,
  metrics: metricsTo(STAGE, writeLine, runtime.now),
});
