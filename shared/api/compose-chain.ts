import type * as z from 'zod/mini';
import type { ChainDeps } from '#shared/api/http/types.ts';
import type { stageEnv } from '#shared/platform/env.ts';
import { log, writeLine } from '#shared/platform/observability/log.ts';
import { metricsTo } from '#shared/platform/observability/metrics.ts';
import { runtime } from '#shared/platform/runtime.ts';

/** Builds the dependencies of every function that answers requests: the clock, the log and the metrics. */
export const chainDeps = ({ STAGE }: z.infer<typeof stageEnv>): ChainDeps => ({
  now: runtime.now,
  log,
  metrics: metricsTo(STAGE, writeLine, runtime.now),
});
