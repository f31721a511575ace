import { openingEnv, providerApiEnv } from './providers.ts';

export const createVirtualAccountsEnv = openingEnv;
/** Both endpoints that deactivate a virtual account. */
export const deactivateVirtualAccountEnv = providerApiEnv;
