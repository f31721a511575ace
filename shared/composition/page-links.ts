import { runtime } from '#shared/adapters/runtime.ts';
import { stageKeys } from '#shared/adapters/secrets/stage-keys.ts';
import { log } from '#shared/observability/log.ts';

/** The keys of the links of payers' pages: for what makes them, and what reads them. */
export const linkDeps = (env: { readonly PAGE_LINK_KEYS: string }) => ({
  pageLinkKeys: stageKeys(env.PAGE_LINK_KEYS, { now: runtime.now, log }),
});
