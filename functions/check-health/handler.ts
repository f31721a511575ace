import { publicDeps } from '#shared/api/compose-public.ts';
import type { PublicDeps } from '#shared/api/kernel/types.ts';
import { publicApi } from '#shared/api/public.ts';
import { readEnv, stageEnv } from '#shared/platform/env.ts';

/** 200 when the function runs. It calls nothing, so that nobody's requests to it cost more; `ops health` asks table and queues. */
export const checkHealthHandler = (deps: PublicDeps) =>
  publicApi(deps, async () => ({ status: 200, body: { status: true } }));

export const handler = checkHealthHandler(publicDeps(readEnv(stageEnv, process.env)));
