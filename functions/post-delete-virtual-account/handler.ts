import { deactivateVirtualAccountDeps } from '#shared/composition/virtual-accounts.ts';
import { postDeleteVirtualAccountContract } from '#shared/contract/virtual-accounts/delete-virtual-account.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { deactivateVirtualAccountEnv } from '#shared/env/virtual-accounts.ts';
import { deactivateVirtualAccountHandler } from '#shared/http/deactivate-virtual-account.ts';

/** Deactivates a virtual account. */
export const handler = deactivateVirtualAccountHandler(
  postDeleteVirtualAccountContract,
  deactivateVirtualAccountDeps(readEnv(deactivateVirtualAccountEnv, process.env)),
);
