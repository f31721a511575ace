import { publicDeps } from '#shared/composition/public.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { publicApi } from '#shared/http/public.ts';

/** Answers every path that is no endpoint. It needs no key. */
export const notFoundHandler = (deps: PublicDeps) =>
  publicApi(deps, async () => {
    throw new Refusal('not_found');
  });

export const handler = notFoundHandler(publicDeps);
