import { stackDeps } from '#shared/api/compose-stack.ts';
import type { StackDeps } from '#shared/api/http/types.ts';
import { keylessApi } from '#shared/api/keyless.ts';
import { readEnv, stageEnv } from '#shared/platform/env.ts';

/** 200 when the function runs. It calls nothing, so that nobody's requests to it cost more; `ops health` asks table and queues. */
export const checkHealthHandler = (deps: StackDeps) =>
  keylessApi(deps, async () => ({ status: 200, body: { status: true } }));

export const handler = checkHealthHandler(stackDeps(readEnv(stageEnv, process.env)));
