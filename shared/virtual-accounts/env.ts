import { openingEnv, providerApiEnv } from '#shared/providers/env.ts';

export const createVirtualAccountsEnv = openingEnv;
/** Environment of both endpoints that deactivate a virtual account. */
export const deactivateVirtualAccountEnv = providerApiEnv;
