import type * as z from 'zod/mini';
import { ledger } from '#shared/adapters/dynamodb/money/ledger.ts';
import { paymentStore } from '#shared/adapters/dynamodb/money/payment-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { virtualAccountIntents } from '#shared/adapters/dynamodb/virtual-accounts/virtual-account-intents.ts';
import { virtualAccountStore } from '#shared/adapters/dynamodb/virtual-accounts/virtual-account-store.ts';
import { needsUnder } from '#shared/adapters/providers/registry.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import type { apiEnv, simulatingApiEnv } from '#shared/env/api.ts';
import type { createVirtualAccountsEnv, deactivateVirtualAccountEnv } from '#shared/env/virtual-accounts.ts';
import { apiDeps } from './api.ts';
import { landingDeps, ledgerDeps } from './money.ts';
import { allowanceDeps, issuerDeps } from './providers.ts';
import { queueOfOneMode } from './queues.ts';

/** get-virtual-account, list-virtual-accounts: read virtual accounts. */
export const readVirtualAccountsDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), virtualAccounts: virtualAccountStore(table, env.HASH_KEY) };
};

/** list-virtual-account-payments: reads virtual accounts and their payments. */
export const listVirtualAccountPaymentsDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    virtualAccounts: virtualAccountStore(table, env.HASH_KEY),
    payments: paymentStore(table),
  };
};

/** create-virtual-accounts: opens accounts at providers, and records money that was paid before an account was stored. */
export const createVirtualAccountsDeps = (env: z.infer<typeof createVirtualAccountsEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...landingDeps(table, queueOfOneMode(env.FIRST_QUEUE_URL)),
    ...issuerDeps(table, env),
    ...allowanceDeps(table, env),
    virtualAccounts: virtualAccountStore(table, env.HASH_KEY),
    accountIntents: virtualAccountIntents(table, env.HASH_KEY),
    needsOf: needsUnder(env.PROVIDERS),
  };
};

/** delete-virtual-account, post-delete-virtual-account: close accounts at providers; announce nothing. */
export const deactivateVirtualAccountDeps = (env: z.infer<typeof deactivateVirtualAccountEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...runtime,
    ...issuerDeps(table, env),
    ...allowanceDeps(table, env),
    ledger: ledger(table),
  };
};

/** simulate-virtual-account-payment: records simulated payments. */
export const simulateVirtualAccountPaymentDeps = (env: z.infer<typeof simulatingApiEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...ledgerDeps(table, queueOfOneMode(env.TEST_QUEUE_URL)),
    payments: paymentStore(table),
  };
};
