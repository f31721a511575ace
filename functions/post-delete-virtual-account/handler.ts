import { ledger } from '#shared/adapters/dynamodb/money/ledger.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { providers } from '#shared/adapters/providers/live-providers.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { liveDeps } from '#shared/composition/payments.ts';
import { postDeleteVirtualAccount } from '#shared/contract/virtual-accounts/delete-virtual-account.ts';
import { readEnv } from '#shared/env/base.ts';
import { closingEnv } from '#shared/env/providers.ts';
import { deactivation } from '#shared/http/deactivate-virtual-account.ts';

const env = readEnv(closingEnv, process.env);
const table = connectTable(env);

/** Deactivates a virtual account. */
export const handler = deactivation(postDeleteVirtualAccount, {
  ...apiDeps(table, env),
  ...runtime,
  ledger: ledger(table),
  providers: providers(runtime.randomBytes, liveDeps(table, env).liveProviders),
});
