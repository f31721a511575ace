import { ledger } from '#shared/adapters/dynamodb/ledger.ts';
import { connectTable } from '#shared/adapters/dynamodb/table.ts';
import { nature } from '#shared/adapters/nature.ts';
import { liveDeps } from '#shared/adapters/payment-deps.ts';
import { providers } from '#shared/adapters/providers/live-providers.ts';
import { deleteVirtualAccount } from '#shared/contract/delete-virtual-account.ts';
import { readEnv } from '#shared/env.ts';
import { apiDeps } from '#shared/http/api-deps.ts';
import { deactivation } from '#shared/http/deactivation.ts';
import { closingEnv } from '#shared/provider-env.ts';

const env = readEnv(closingEnv, process.env);
const table = connectTable(env);

/** Deactivates a virtual account. */
export const handler = deactivation(deleteVirtualAccount, {
  ...apiDeps(table, env),
  ...nature,
  ledger: ledger(table),
  providers: providers(nature.randomBytes, liveDeps(table, env).liveProviders),
});
