import type * as z from 'zod/mini';
import { checkoutIntents } from '#shared/checkouts/store/checkout-intents.ts';
import { ledger } from '#shared/payments/store/ledger.ts';
import { notificationStore } from '#shared/payments/store/notification-store.ts';
import { reconciliationStore } from '#shared/payments/store/reconciliation-store.ts';
import { reviewStore } from '#shared/payments/store/review-store.ts';
import { unmatchedStore } from '#shared/payments/store/unmatched-store.ts';
import { log } from '#shared/platform/observability/log.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { connectTable, type Table } from '#shared/platform/table/table.ts';
import { transactions } from '#shared/platform/table/transactions.ts';
import { issuerDeps, liveProviderDeps } from '#shared/providers/compose.ts';
import { dueIndex } from '#shared/sweeps/store/due-index.ts';
import { virtualAccountIntents } from '#shared/virtual-accounts/store/virtual-account-intents.ts';
import { announcingQueue, queueOfOneMode } from '#shared/webhooks/compose-queue.ts';
import type { DeliveryQueue } from '#shared/webhooks/ports.ts';
import type { receiveNotificationEnv, sweepPaymentsEnv } from './env.ts';

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
