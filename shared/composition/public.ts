import { runtime } from '#shared/adapters/runtime.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { log } from '#shared/observability/log.ts';

/** What the stack of a route without a key needs. */
export const publicDeps: PublicDeps = { now: runtime.now, log };
