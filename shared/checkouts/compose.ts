import type * as z from 'zod/mini';
import { apiDeps } from '#shared/api/compose.ts';
import { businessReader } from '#shared/businesses/store/business-reader.ts';
import { usageStore } from '#shared/businesses/store/usage-store.ts';
import { checkoutIntents } from '#shared/checkouts/store/checkout-intents.ts';
import { checkoutSearch } from '#shared/checkouts/store/checkout-search.ts';
import { checkoutOpener, checkoutStore } from '#shared/checkouts/store/checkout-store.ts';
import { landingDeps, ledgerDeps, matchWaitingDeps } from '#shared/payments/compose.ts';
import { leases } from '#shared/platform/table/leases.ts';
import { connectTable } from '#shared/platform/table/table.ts';
import { issuerDeps, liveProviderDeps, quotaDeps } from '#shared/providers/compose.ts';
import { routingDeps } from '#shared/providers/compose-routing.ts';
import { announcingQueue, queueOfOneMode } from '#shared/webhooks/compose-queue.ts';
import { anotherAccountDeps } from './compose-another-account.ts';
import { linkDeps } from './compose-page-links.ts';
import type { expireCheckoutEnv, initializeCheckoutEnv, openAnotherAccountEnv, requeryCheckoutEnv } from './env.ts';
import type { showingCheckoutsEnv, simulateCheckoutEnv } from './env-page-links.ts';

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
    usage: usageStore(table),
  };
};

/** initialize-checkout: opens accounts at providers, and queues money that arrived before the checkout was stored. */
export const initializeCheckoutDeps = (env: z.infer<typeof initializeCheckoutEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...linkDeps(env),
    ...matchWaitingDeps(table, env),
    ...issuerDeps(table, env),
    ...quotaDeps(table, env),
    businesses: businessReader(table),
    checkouts: checkoutOpener(table, env.HASH_KEY),
    checkoutIntents: checkoutIntents(table, env.HASH_KEY),
    defaultProvider: env.DEFAULT_PROVIDER,
    ...routingDeps(table, env),
  };
};

/** open-another-account: opens accounts at providers. */
export const openAnotherAccountDeps = (env: z.infer<typeof openAnotherAccountEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), ...linkDeps(env), ...anotherAccountDeps(table, env) };
};

/** expire-checkout: asks providers, records the money that they report, and expires checkouts. */
export const expireCheckoutDeps = (env: z.infer<typeof expireCheckoutEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...linkDeps(env),
    ...landingDeps(table, announcingQueue(env)),
    ...liveProviderDeps(table, env),
    ...quotaDeps(table, env),
  };
};

/** requery-checkout: in live mode, asks providers and records the money that they report. */
export const requeryCheckoutDeps = (env: z.infer<typeof requeryCheckoutEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...linkDeps(env),
    ...landingDeps(table, queueOfOneMode(env.FIRST_QUEUE_URL)),
    ...liveProviderDeps(table, env),
    ...quotaDeps(table, env),
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
