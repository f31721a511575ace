import type * as z from 'zod/mini';
import { checkoutIntents } from '#shared/checkouts/store/checkout-intents.ts';
import { linkedCheckouts } from '#shared/checkouts/store/checkout-store.ts';
import { sentReports } from '#shared/checkouts/store/sent-reports.ts';
import { moneyQueue } from '#shared/payments/queue/money-queue.ts';
import { ledger } from '#shared/payments/store/ledger.ts';
import { notificationStore } from '#shared/payments/store/notification-store.ts';
import { reconciliationStore } from '#shared/payments/store/reconciliation-store.ts';
import { reviewStore } from '#shared/payments/store/review-store.ts';
import { unmatchedStore } from '#shared/payments/store/unmatched-store.ts';
import type { moneyQueuesEnv } from '#shared/platform/env.ts';
import { log } from '#shared/platform/observability/log.ts';
import { connectQueue } from '#shared/platform/queues/connect-queue.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { connectTable, type Table } from '#shared/platform/table/table.ts';
import { transactions } from '#shared/platform/table/transactions.ts';
import { issuerDeps, liveProviderDeps } from '#shared/providers/compose.ts';
import { dueTickets } from '#shared/sweeps/store/due-tickets.ts';
import { virtualAccountIntents } from '#shared/virtual-accounts/store/virtual-account-intents.ts';
import { announcingQueue } from '#shared/webhooks/compose-queue.ts';
import type { DeliveryQueue } from '#shared/webhooks/ports.ts';
import type { doMoneyWorkEnv, receiveNotificationEnv } from './env.ts';

/** Dependencies for recording simulated money: the ledger, and the queue of the webhooks that announce it. */
export const ledgerDeps = (table: Table, queue: DeliveryQueue<'first'>) => ({
  ...runtime,
  log,
  ledger: ledger(table),
  transactions: transactions(table),
  queue,
});

/** Dependencies for recording money that a provider reports. The money may be unmatched. */
export const landingDeps = (table: Table, queue: DeliveryQueue<'first'>) => ({
  ...ledgerDeps(table, queue),
  unmatched: unmatchedStore(table),
});

/**
 * Dependencies of matchWaiting. After a checkout or an account has opened, matchWaiting finds the unmatched money that belongs to it, and queues
 * this money to be matched again.
 */
export const matchWaitingDeps = (table: Table, env: z.infer<typeof moneyQueuesEnv>) => ({
  ...runtime,
  log,
  unmatched: unmatchedStore(table),
  moneyQueue: moneyQueue(connectQueue(), env.MONEY_QUEUES_URL),
});

/** Dependencies of receive-notification, which stores notifications and queues their look-ups. */
export const receiveNotificationDeps = (env: z.infer<typeof receiveNotificationEnv>) => {
  const table = connectTable(env);
  return {
    ...runtime,
    log,
    ...liveProviderDeps(table, env),
    notifications: notificationStore(table),
    moneyQueue: moneyQueue(connectQueue(), env.MONEY_QUEUES_URL),
  };
};

/** Dependencies of do-money-work, which does all due work on money, checkouts and virtual accounts. */
export const doMoneyWorkDeps = (env: z.infer<typeof doMoneyWorkEnv>) => {
  const table = connectTable(env);
  return {
    ...landingDeps(table, announcingQueue(env)),
    ...matchWaitingDeps(table, env),
    ...issuerDeps(table, env),
    dueTickets: dueTickets(table),
    checkoutIntents: checkoutIntents(table, env.HASH_KEY),
    accountIntents: virtualAccountIntents(table, env.HASH_KEY),
    notifications: notificationStore(table),
    reconciliations: reconciliationStore(table),
    reviews: reviewStore(table),
    sentReports: sentReports(table),
    linkedCheckouts: linkedCheckouts(table),
  };
};
