import type * as z from 'zod/mini';
import { checkoutIntents } from '#shared/adapters/dynamodb/checkouts/checkout-intents.ts';
import { ledger } from '#shared/adapters/dynamodb/money/ledger.ts';
import { notificationStore } from '#shared/adapters/dynamodb/money/notification-store.ts';
import { reconciliationStore } from '#shared/adapters/dynamodb/money/reconciliation-store.ts';
import { unmatchedStore } from '#shared/adapters/dynamodb/money/unmatched-store.ts';
import { dueIndex } from '#shared/adapters/dynamodb/table/due-index.ts';
import { connectTable, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { virtualAccountIntents } from '#shared/adapters/dynamodb/virtual-accounts/virtual-account-intents.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { connectQueue, deliveryQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import type { receiveNotificationEnv, sweepPaymentsEnv } from '#shared/env/money.ts';
import { log } from '#shared/observability/log.ts';
import { issuerDeps, liveProviderDeps } from './providers.ts';

/** Recording simulated money: the ledger, and the queue for the webhooks that announce it. */
export const ledgerDeps = (table: Table, env: { readonly FIRST_QUEUE_URL: string }) => ({
  ...runtime,
  log,
  ledger: ledger(table),
  queue: deliveryQueue(connectQueue(), { first: env.FIRST_QUEUE_URL }),
});

/** Recording money that a provider reports: it may match nothing yet. */
export const landingDeps = (table: Table, env: { readonly FIRST_QUEUE_URL: string }) => ({
  ...ledgerDeps(table, env),
  unmatched: unmatchedStore(table),
});

/** receive-notification: stores notifications, asks their provider, records money. */
export const receiveNotificationDeps = (env: z.infer<typeof receiveNotificationEnv>) => {
  const table = connectTable(env);
  return { ...landingDeps(table, env), ...liveProviderDeps(table, env), notifications: notificationStore(table) };
};

/** sweep-payments: all due work on money, checkouts and virtual accounts, and the reconciliation with every provider. */
export const sweepPaymentsDeps = (env: z.infer<typeof sweepPaymentsEnv>) => {
  const table = connectTable(env);
  return {
    ...landingDeps(table, env),
    ...issuerDeps(table, env),
    dueIndex: dueIndex(table),
    checkoutIntents: checkoutIntents(table),
    accountIntents: virtualAccountIntents(table, env.HASH_KEY),
    notifications: notificationStore(table),
    reconciliations: reconciliationStore(table),
  };
};
