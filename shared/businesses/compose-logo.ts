import type * as z from 'zod/mini';
import { chainDeps } from '#shared/api/compose-chain.ts';
import { logoReader } from '#shared/businesses/store/logo-store.ts';
import type { tableEnv } from '#shared/platform/env.ts';
import { connectTable } from '#shared/platform/table/table.ts';

/** Builds the dependencies of serve-logo, which reads logos and nothing else. */
export const logoDeps = (env: z.infer<typeof tableEnv>) => ({
  ...chainDeps(env),
  logos: logoReader(connectTable(env)),
});
