import type { ProviderSettings } from '#shared/domain/provider-settings.ts';
import { log, writeLine } from '#shared/log.ts';
import { metricsTo } from '#shared/metrics.ts';
import { intentStore } from './dynamodb/intent-store.ts';
import { ledger } from './dynamodb/ledger.ts';
import type { Table } from './dynamodb/table.ts';
import { unmatchedStore } from './dynamodb/unmatched-store.ts';
import { nature } from './nature.ts';
import { liveProviders, providers } from './providers/registry.ts';
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

/** The same where accounts are opened at providers. */
export const accountsDeps = (table: Table, env: Env & { readonly STAGE: string; readonly HASH_KEY: string }) => {
  const live = liveProviders(env.PROVIDERS, { now: nature.now, log });
  return {
    ...landingDeps(table, env),
    metrics: metricsTo(env.STAGE, writeLine, nature.now),
    intents: intentStore(table, env.HASH_KEY),
    liveProviders: live,
    providers: providers(nature.randomBytes, live),
  };
};
