import { openingEnv, providerApiEnv } from '#shared/providers/env.ts';

export const createVirtualAccountsEnv = openingEnv;
/** Both endpoints that deactivate a virtual account. */
export const deactivateVirtualAccountEnv = providerApiEnv;
