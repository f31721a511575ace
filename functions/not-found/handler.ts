import { routes } from '#infra/openapi/published/routes.ts';
import { publicDeps } from '#shared/api/compose-public.ts';
import { MethodNotAllowed } from '#shared/api/kernel/answer.ts';
import { methodsOf } from '#shared/api/kernel/route-path.ts';
import type { PublicDeps } from '#shared/api/kernel/types.ts';
import { publicApi } from '#shared/api/public.ts';
import { readEnv, stageEnv } from '#shared/platform/env.ts';
import { Refusal } from '#shared/platform/kernel/errors.ts';

/** Answers what no other function answers, without a key: a path with a method that it does not take, and every other path. */
export const notFoundHandler = (deps: PublicDeps & { routes: () => readonly string[] }) =>
  publicApi(deps, async ({ rawPath }) => {
    const allowed = methodsOf(deps.routes(), rawPath);
    if (allowed.length > 0) {
      throw new MethodNotAllowed(allowed);
    }
    throw new Refusal('not_found');
  });

export const handler = notFoundHandler({ ...publicDeps(readEnv(stageEnv, process.env)), routes });
