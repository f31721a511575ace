import type * as z from 'zod/mini';
import type { PublicDeps } from '#shared/api/kernel/types.ts';
import type { stageEnv } from '#shared/platform/env.ts';
import { log, writeLine } from '#shared/platform/observability/log.ts';
import { metricsTo } from '#shared/platform/observability/metrics.ts';
import { runtime } from '#shared/platform/runtime.ts';

/** What a function needs that answers requests: the clock, the log and the metrics. */
export const publicDeps = ({ STAGE }: z.infer<typeof stageEnv>): PublicDeps => ({
  now: runtime.now,
  log,
  metrics: metricsTo(STAGE, writeLine, runtime.now),
});
