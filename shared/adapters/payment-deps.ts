import { log, writeLine } from '#shared/log.ts';
import { metricsTo } from '#shared/metrics.ts';
import { intentStore } from './dynamodb/intent-store.ts';
import { ledger } from './dynamodb/ledger.ts';
import { providerBreakerStore } from './dynamodb/provider-breaker-store.ts';
import type { Table } from './dynamodb/table.ts';
import { unmatchedStore } from './dynamodb/unmatched-store.ts';
import { nature } from './nature.ts';
import { liveProviders, providers } from './providers/live-providers.ts';
import { needsOf } from './providers/registry.ts';
import type { ProviderSettings } from './providers/settings.ts';
import { connectQueue, deliveryQueue } from './sqs/delivery-queue.ts';

interface Env {
  readonly FIRST_QUEUE_URL: string;
  readonly PROVIDERS: ProviderSettings;
}

/** What every function is composed of in which money can land. */
export const landingDeps = (table: Table, env: Pick<Env, 'FIRST_QUEUE_URL'>) => ({
  ...nature,
  log,
  ledger: ledger(table),
  unmatched: unmatchedStore(table),
  queue: deliveryQueue(connectQueue(), { first: env.FIRST_QUEUE_URL }),
});

/** The live providers of a stage, and the metrics that tell how they do. */
export const liveDeps = (table: Table, env: Pick<Env, 'PROVIDERS'> & { readonly STAGE: string }) => {
  const metrics = metricsTo(env.STAGE, writeLine, nature.now);
  const breakers = providerBreakerStore(table);
  return { metrics, liveProviders: liveProviders(env.PROVIDERS, { now: nature.now, log, metrics, breakers }) };
};

/** What every function is composed of in which money can land and accounts are opened at providers. */
export const accountsDeps = (table: Table, env: Env & { readonly STAGE: string; readonly HASH_KEY: string }) => {
  const live = liveDeps(table, env);
  return {
    ...landingDeps(table, env),
    ...live,
    intents: intentStore(table, env.HASH_KEY),
    providers: providers(nature.randomBytes, live.liveProviders),
    needsOf,
  };
};
