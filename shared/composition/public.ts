import { runtime } from '#shared/adapters/runtime.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { log } from '#shared/observability/log.ts';

/** The stack of a route that needs no key. */
export const publicDeps: PublicDeps = { now: runtime.now, log };
