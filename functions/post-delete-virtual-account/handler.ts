import { readEnv } from '#shared/platform/env.ts';
import { deactivateVirtualAccountHandler } from '#shared/virtual-accounts/api/deactivate-virtual-account.ts';
import { deactivateVirtualAccountDeps } from '#shared/virtual-accounts/compose.ts';
import { postDeleteVirtualAccountContract } from '#shared/virtual-accounts/contract/delete-virtual-account.ts';
import { deactivateVirtualAccountEnv } from '#shared/virtual-accounts/env.ts';

/** Deactivates a virtual account. */
export const handler = deactivateVirtualAccountHandler(
  postDeleteVirtualAccountContract,
  deactivateVirtualAccountDeps(readEnv(deactivateVirtualAccountEnv, process.env)),
);
