import { api } from '#shared/api/api.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { readEnv } from '#shared/platform/env.ts';
import { listProvidersDeps } from '#shared/providers/compose-health.ts';
import { listProvidersContract } from '#shared/providers/contract/list-providers.ts';
import { providerView } from '#shared/providers/contract/provider-view.ts';
import { listProvidersEnv } from '#shared/providers/env-health.ts';
import { type ListProvidersDeps, listProviders } from '#shared/providers/use-cases/list-providers.ts';

/** Lists the providers and whether money lands at each. */
export const listProvidersHandler = (deps: ApiDeps & ListProvidersDeps) =>
  api(listProvidersContract, deps, async ({ caller }) => {
    const standings = await listProviders(deps, caller.mode);
    return { status: 200, body: { status: true, data: standings.map(providerView) } };
  });

export const handler = listProvidersHandler(listProvidersDeps(readEnv(listProvidersEnv, process.env)));
