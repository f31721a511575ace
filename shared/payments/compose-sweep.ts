import type * as z from 'zod/mini';
import { choosePasses, type ProviderPasses } from '#shared/payments/domain/reconciliation.ts';
import { moneyQueue } from '#shared/payments/queue/money-queue.ts';
import { notificationStore } from '#shared/payments/store/notification-store.ts';
import { reconciliationStore } from '#shared/payments/store/reconciliation-store.ts';
import { log, writeLine } from '#shared/platform/observability/log.ts';
import { metricsTo } from '#shared/platform/observability/metrics.ts';
import { connectQueue } from '#shared/platform/queues/connect-queue.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { connectTable } from '#shared/platform/table/table.ts';
import { listsByCreation } from '#shared/providers/descriptions.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import { healthStore } from '#shared/providers/store/health-store.ts';
import { dueIndex } from '#shared/sweeps/store/due-index.ts';
import { dueTickets } from '#shared/sweeps/store/due-tickets.ts';
import type { sweepPaymentsEnv } from './env-sweep.ts';

/**
 * Lists the reconciliation passes of each provider. `listsAtOnce`: how many lists of a provider's payments a pass compares in parallel; one
 * if absent.
 */
export const listProviderPasses = (
  providers: readonly ProviderName[],
  listsAtOnce: Readonly<Partial<Record<ProviderName, number>>> = {},
): readonly ProviderPasses[] =>
  providers.map((provider) => ({
    provider,
    passes: choosePasses(listsByCreation(provider)),
    lists: listsAtOnce[provider] ?? 1,
  }));

/** Dependencies of sweep-payments, which queues due work and plans the reconciliation with every provider. */
export const sweepPaymentsDeps = (env: z.infer<typeof sweepPaymentsEnv>) => {
  const table = connectTable(env);
  const judgedProviders = providerName.options.filter((name) => env.ENABLED_PROVIDERS?.includes(name));
  return {
    ...runtime,
    log,
    metrics: metricsTo(env.STAGE, writeLine, runtime.now),
    judgedProviders,
    reconciled: listProviderPasses(judgedProviders, env.LISTS_AT_ONCE),
    healthStore: healthStore(table),
    dueIndex: dueIndex(table),
    dueTickets: dueTickets(table),
    moneyQueue: moneyQueue(connectQueue(), env.MONEY_QUEUES_URL),
    notifications: notificationStore(table),
    reconciliations: reconciliationStore(table),
  };
};
