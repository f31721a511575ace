import type * as z from 'zod/mini';
import { checkoutIntents } from '#shared/adapters/dynamodb/checkouts/checkout-intents.ts';
import { ledger } from '#shared/adapters/dynamodb/money/ledger.ts';
import { notificationStore } from '#shared/adapters/dynamodb/money/notification-store.ts';
import { reconciliationStore } from '#shared/adapters/dynamodb/money/reconciliation-store.ts';
import { reviewStore } from '#shared/adapters/dynamodb/money/review-store.ts';
import { unmatchedStore } from '#shared/adapters/dynamodb/money/unmatched-store.ts';
import { transactions } from '#shared/adapters/dynamodb/requests/transactions.ts';
import { dueIndex } from '#shared/adapters/dynamodb/table/due-index.ts';
import { connectTable, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { virtualAccountIntents } from '#shared/adapters/dynamodb/virtual-accounts/virtual-account-intents.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import type { receiveNotificationEnv, sweepPaymentsEnv } from '#shared/env/money.ts';
import { log } from '#shared/observability/log.ts';
import type { DeliveryQueue } from '#shared/ports/webhooks.ts';
import { issuerDeps, liveProviderDeps } from './providers.ts';
import { announcingQueue, queueOfOneMode } from './queues.ts';

/** Recording simulated money: the ledger, and the queue for the webhooks that announce it. */
export const ledgerDeps = (table: Table, queue: DeliveryQueue<'first'>) => ({
  ...runtime,
  log,
  ledger: ledger(table),
  transactions: transactions(table),
  queue,
});

/** Recording money that a provider reports: it may match nothing yet. */
export const landingDeps = (table: Table, queue: DeliveryQueue<'first'>) => ({
  ...ledgerDeps(table, queue),
  unmatched: unmatchedStore(table),
});

/** receive-notification: stores notifications, asks their provider, records money. */
export const receiveNotificationDeps = (env: z.infer<typeof receiveNotificationEnv>) => {
  const table = connectTable(env);
  return {
    ...landingDeps(table, queueOfOneMode(env.FIRST_QUEUE_URL)),
    ...liveProviderDeps(table, env),
    notifications: notificationStore(table),
  };
};

/** sweep-payments: all due work on money, checkouts and virtual accounts, and the reconciliation with every provider. */
export const sweepPaymentsDeps = (env: z.infer<typeof sweepPaymentsEnv>) => {
  const table = connectTable(env);
  return {
    ...landingDeps(table, announcingQueue(env)),
    ...issuerDeps(table, env),
    dueIndex: dueIndex(table),
    checkoutIntents: checkoutIntents(table, env.HASH_KEY),
    accountIntents: virtualAccountIntents(table, env.HASH_KEY),
    notifications: notificationStore(table),
    reconciliations: reconciliationStore(table),
    reviews: reviewStore(table),
  };
};
