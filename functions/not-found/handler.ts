import { runtime } from '#shared/adapters/runtime.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { publicApi } from '#shared/http/public.ts';
import { log } from '#shared/observability/log.ts';

/** Answers every path that is no endpoint. Asks for no key: there is nothing behind it to guard. */
export const notFound = (deps: Pick<ApiDeps, 'now' | 'log'>) =>
  publicApi(deps, async () => {
    throw new Refusal('not_found');
  });

export const handler = notFound({ now: runtime.now, log });
