import type * as z from 'zod/mini';
import { businessReader } from '#shared/adapters/dynamodb/businesses/business-reader.ts';
import { checkoutIntents } from '#shared/adapters/dynamodb/checkouts/checkout-intents.ts';
import { checkoutSearch } from '#shared/adapters/dynamodb/checkouts/checkout-search.ts';
import { checkoutOpener, checkoutStore } from '#shared/adapters/dynamodb/checkouts/checkout-store.ts';
import { leases } from '#shared/adapters/dynamodb/table/leases.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { allowanceStore } from '#shared/adapters/dynamodb/webhooks/allowance-store.ts';
import type { expireCheckoutEnv, initializeCheckoutEnv, requeryCheckoutEnv } from '#shared/env/checkouts.ts';
import type { showingCheckoutsEnv, simulateCheckoutEnv } from '#shared/env/page-links.ts';
import { apiDeps } from './api.ts';
import { landingDeps, ledgerDeps } from './money.ts';
import { linkDeps } from './page-links.ts';
import { allowanceDeps, issuerDeps, liveProviderDeps } from './providers.ts';
import { announcingQueue, queueOfOneMode } from './queues.ts';

/** verify-checkout: reads a checkout. */
export const readCheckoutsDeps = (env: z.infer<typeof showingCheckoutsEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), ...linkDeps(env), checkouts: checkoutStore(table) };
};

/** list-checkouts: searches checkouts. */
export const listCheckoutsDeps = (env: z.infer<typeof showingCheckoutsEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...linkDeps(env),
    checkouts: checkoutSearch(table, env.HASH_KEY),
    allowances: allowanceStore(table),
  };
};

/** initialize-checkout: opens accounts at providers, and records money that was paid before the checkout was stored. */
export const initializeCheckoutDeps = (env: z.infer<typeof initializeCheckoutEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...linkDeps(env),
    ...landingDeps(table, queueOfOneMode(env.FIRST_QUEUE_URL)),
    ...issuerDeps(table, env),
    ...allowanceDeps(table, env),
    businesses: businessReader(table),
    checkouts: checkoutOpener(table, env.HASH_KEY),
    checkoutIntents: checkoutIntents(table, env.HASH_KEY),
    defaultProvider: env.DEFAULT_PROVIDER,
  };
};

/** expire-checkout: asks providers, records what they report, and expires checkouts. */
export const expireCheckoutDeps = (env: z.infer<typeof expireCheckoutEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...linkDeps(env),
    ...landingDeps(table, announcingQueue(env)),
    ...liveProviderDeps(table, env),
    ...allowanceDeps(table, env),
  };
};

/** requery-checkout: asks providers, and records what they report, in live mode alone. */
export const requeryCheckoutDeps = (env: z.infer<typeof requeryCheckoutEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...linkDeps(env),
    ...landingDeps(table, queueOfOneMode(env.FIRST_QUEUE_URL)),
    ...liveProviderDeps(table, env),
    ...allowanceDeps(table, env),
    requeryLeases: leases(table, 'requery'),
  };
};

/** simulate-checkout-payment: records simulated payments. */
export const simulateCheckoutPaymentDeps = (env: z.infer<typeof simulateCheckoutEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...linkDeps(env),
    ...ledgerDeps(table, queueOfOneMode(env.TEST_QUEUE_URL)),
  };
};
