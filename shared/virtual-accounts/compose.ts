import type * as z from 'zod/mini';
import { apiDeps } from '#shared/api/compose.ts';
import type { apiEnv, simulatingApiEnv } from '#shared/api/env.ts';
import { ledgerDeps, matchWaitingDeps } from '#shared/payments/compose.ts';
import { ledger } from '#shared/payments/store/ledger.ts';
import { paymentStore } from '#shared/payments/store/payment-store.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { connectTable } from '#shared/platform/table/table.ts';
import { issuerDeps, quotaDeps } from '#shared/providers/compose.ts';
import { findNeedsWithSettings } from '#shared/providers/registry.ts';
import { virtualAccountIntents } from '#shared/virtual-accounts/store/virtual-account-intents.ts';
import { virtualAccountStore } from '#shared/virtual-accounts/store/virtual-account-store.ts';
import { queueOfOneMode } from '#shared/webhooks/compose-queue.ts';
import type { createVirtualAccountsEnv, deactivateVirtualAccountEnv } from './env.ts';

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

/** create-virtual-accounts: opens accounts at providers, and queues money that arrived before an account was stored. */
export const createVirtualAccountsDeps = (env: z.infer<typeof createVirtualAccountsEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...matchWaitingDeps(table, env),
    ...issuerDeps(table, env),
    ...quotaDeps(table, env),
    virtualAccounts: virtualAccountStore(table, env.HASH_KEY),
    accountIntents: virtualAccountIntents(table, env.HASH_KEY),
    needsOf: findNeedsWithSettings(env.PROVIDERS),
  };
};

/** delete-virtual-account, post-delete-virtual-account: close accounts at providers. They announce nothing. */
export const deactivateVirtualAccountDeps = (env: z.infer<typeof deactivateVirtualAccountEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...runtime,
    ...issuerDeps(table, env),
    ...quotaDeps(table, env),
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
