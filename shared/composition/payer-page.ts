import type * as z from 'zod/mini';
import { businessReader } from '#shared/adapters/dynamodb/businesses/business-reader.ts';
import { linkedCheckouts } from '#shared/adapters/dynamodb/checkouts/checkout-store.ts';
import { pageUses } from '#shared/adapters/dynamodb/checkouts/page-uses.ts';
import { leases } from '#shared/adapters/dynamodb/table/leases.ts';
import { connectTable, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { allowanceStore } from '#shared/adapters/dynamodb/webhooks/allowance-store.ts';
import { takesRest } from '#shared/adapters/providers/descriptions.ts';
import type { reportTransferEnv } from '#shared/env/checkouts.ts';
import type { payerPageEnv, simulateOnPageEnv } from '#shared/env/page-links.ts';
import { landingDeps, ledgerDeps } from './money.ts';
import { linkDeps } from './page-links.ts';
import { allowanceDeps, liveProviderDeps } from './providers.ts';
import { publicDeps } from './public.ts';
import { queueOfOneMode } from './queues.ts';

/** What every route of the payer's page needs: the checkout that a link names, and its business. */
const showDeps = (table: Table, env: z.infer<typeof payerPageEnv>) => ({
  ...publicDeps(env),
  ...linkDeps(env),
  linkedCheckouts: linkedCheckouts(table),
  businesses: businessReader(table),
  takesRest,
});

/** show-checkout, show-checkout-status: read. */
export const payerPageDeps = (env: z.infer<typeof payerPageEnv>) => showDeps(connectTable(env), env);

/** report-transfer: asks providers, and records what they report, in live mode alone. */
export const reportTransferDeps = (env: z.infer<typeof reportTransferEnv>) => {
  const table = connectTable(env);
  return {
    ...landingDeps(table, queueOfOneMode(env.FIRST_QUEUE_URL)),
    ...liveProviderDeps(table, env),
    ...allowanceDeps(table, env),
    requeryLeases: leases(table, 'requery'),
    pageUses: pageUses(table),
    ...showDeps(table, env),
  };
};

/** simulate-on-page: records simulated payments. */
export const simulateOnPageDeps = (env: z.infer<typeof simulateOnPageEnv>) => {
  const table = connectTable(env);
  return {
    ...ledgerDeps(table, queueOfOneMode(env.TEST_QUEUE_URL)),
    pageUses: pageUses(table),
    allowances: allowanceStore(table),
    ...showDeps(table, env),
  };
};
