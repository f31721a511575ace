import type * as z from 'zod/mini';
import { apiDeps } from '#shared/api/compose.ts';
import { connectTable } from '#shared/platform/table/table.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import { healthReader } from '#shared/providers/store/health-store.ts';
import type { listProvidersEnv } from './env-health.ts';

/** Composes the dependencies of list-providers. */
export const listProvidersDeps = (env: z.infer<typeof listProvidersEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    health: healthReader(table),
    judgedProviders: providerName.options.filter((name) => env.ENABLED_PROVIDERS.includes(name)),
  };
};
