import { chainDeps } from '#shared/api/compose-chain.ts';
import type { ChainDeps } from '#shared/api/http/types.ts';
import { keylessApi } from '#shared/api/keyless.ts';
import { readEnv, stageEnv } from '#shared/platform/env.ts';

/** Answers 200 if the function runs. It calls nothing, so that anonymous requests cost little; `ops health` checks the table and the queues. */
export const checkHealthHandler = (deps: ChainDeps) =>
  keylessApi(deps, async () => ({ status: 200, body: { status: true } }));

export const handler = checkHealthHandler(chainDeps(readEnv(stageEnv, process.env)));
