import { routes } from '#infra/openapi/published/routes.ts';
import { chainDeps } from '#shared/api/compose-chain.ts';
import { MethodNotAllowed } from '#shared/api/http/answer.ts';
import { listMethods } from '#shared/api/http/route-path.ts';
import type { ChainDeps } from '#shared/api/http/types.ts';
import { keylessApi } from '#shared/api/keyless.ts';
import { readEnv, stageEnv } from '#shared/platform/env.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';

/** Answers requests that no other function takes: an unknown path, or a known path with another method. No key is needed. */
export const notFoundHandler = (deps: ChainDeps & { routes: () => readonly string[] }) =>
  keylessApi(deps, async ({ rawPath }) => {
    const allowed = listMethods(deps.routes(), rawPath);
    if (allowed.length > 0) {
      throw new MethodNotAllowed(allowed);
    }
    throw new ApiError('not_found');
  });

export const handler = notFoundHandler({ ...chainDeps(readEnv(stageEnv, process.env)), routes });
