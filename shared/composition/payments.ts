import { checkoutIntents } from '#shared/adapters/dynamodb/checkouts/checkout-intents.ts';
import { ledger } from '#shared/adapters/dynamodb/money/ledger.ts';
import { unmatchedStore } from '#shared/adapters/dynamodb/money/unmatched-store.ts';
import { providerBreakerStore } from '#shared/adapters/dynamodb/providers/provider-breaker-store.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { virtualAccountIntents } from '#shared/adapters/dynamodb/virtual-accounts/virtual-account-intents.ts';
import { liveProviders, providers } from '#shared/adapters/providers/live-providers.ts';
import { needsOf } from '#shared/adapters/providers/registry.ts';
import type { ProviderSettings } from '#shared/adapters/providers/settings.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { connectQueue, deliveryQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { log, writeLine } from '#shared/observability/log.ts';
import { metricsTo } from '#shared/observability/metrics.ts';

interface Env {
  readonly FIRST_QUEUE_URL: string;
  readonly PROVIDERS: ProviderSettings;
}

/** What every function is composed of in which money can land. */
export const landingDeps = (table: Table, env: Pick<Env, 'FIRST_QUEUE_URL'>) => ({
  ...runtime,
  log,
  ledger: ledger(table),
  unmatched: unmatchedStore(table),
  queue: deliveryQueue(connectQueue(), { first: env.FIRST_QUEUE_URL }),
});

/** The live providers of a stage, and the metrics that tell how they do. */
export const liveDeps = (table: Table, env: Pick<Env, 'PROVIDERS'> & { readonly STAGE: string }) => {
  const metrics = metricsTo(env.STAGE, writeLine, runtime.now);
  const breakers = providerBreakerStore(table);
  return { metrics, liveProviders: liveProviders(env.PROVIDERS, { now: runtime.now, log, metrics, breakers }) };
};

/** What every function is composed of in which money can land and accounts are opened at providers. */
export const accountsDeps = (table: Table, env: Env & { readonly STAGE: string; readonly HASH_KEY: string }) => {
  const live = liveDeps(table, env);
  return {
    ...landingDeps(table, env),
    ...live,
    checkoutIntents: checkoutIntents(table),
    accountIntents: virtualAccountIntents(table, env.HASH_KEY),
    providers: providers(runtime.randomBytes, live.liveProviders),
    needsOf,
  };
};
