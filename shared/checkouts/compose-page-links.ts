import { log } from '#shared/platform/observability/log.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { stageKeys } from '#shared/platform/secrets/stage-keys.ts';

/** Builds the reader of the keys that sign and check payment page links. */
export const linkDeps = (env: { readonly PAGE_LINK_KEYS: string }) => ({
  pageLinkKeys: stageKeys(env.PAGE_LINK_KEYS, { now: runtime.now, log }),
});
