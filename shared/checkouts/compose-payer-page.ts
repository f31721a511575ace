import type * as z from 'zod/mini';
import { chainDeps } from '#shared/api/compose-chain.ts';
import { businessReader } from '#shared/businesses/store/business-reader.ts';
import { usageStore } from '#shared/businesses/store/usage-store.ts';
import { linkedCheckouts } from '#shared/checkouts/store/checkout-store.ts';
import { pageUses } from '#shared/checkouts/store/page-uses.ts';
import { sentReports } from '#shared/checkouts/store/sent-reports.ts';
import { landingDeps, ledgerDeps } from '#shared/payments/compose.ts';
import { leases } from '#shared/platform/table/leases.ts';
import { connectTable, type Table } from '#shared/platform/table/table.ts';
import { liveProviderDeps, quotaDeps } from '#shared/providers/compose.ts';
import { routingDeps } from '#shared/providers/compose-routing.ts';
import { acceptsRest, amountLimits } from '#shared/providers/descriptions.ts';
import { queueOfOneMode } from '#shared/webhooks/compose-queue.ts';
import { anotherAccountDeps } from './compose-another-account.ts';
import { linkDeps } from './compose-page-links.ts';
import type { openAnotherOnPageEnv, reportTransferEnv } from './env.ts';
import type { payerPageEnv, simulateOnPageEnv } from './env-page-links.ts';

/** Builds the dependencies that every route of the payment page needs. */
const showDeps = (table: Table, env: z.infer<typeof payerPageEnv>) => ({
  ...chainDeps(env),
  ...linkDeps(env),
  linkedCheckouts: linkedCheckouts(table),
  ...routingDeps(table, env),
  businesses: businessReader(table),
  acceptsRest,
  amountLimits,
});

/** Dependencies of show-checkout and show-checkout-status, which read the checkout. */
export const payerPageDeps = (env: z.infer<typeof payerPageEnv>) => showDeps(connectTable(env), env);

/** Dependencies of report-transfer, which in live mode asks providers and records the money that they report. */
export const reportTransferDeps = (env: z.infer<typeof reportTransferEnv>) => {
  const table = connectTable(env);
  return {
    ...landingDeps(table, queueOfOneMode(env.FIRST_QUEUE_URL)),
    ...liveProviderDeps(table, env),
    ...quotaDeps(table, env),
    requeryLeases: leases(table, 'requery'),
    pageUses: pageUses(table),
    sentReports: sentReports(table),
    ...showDeps(table, env),
  };
};

/** Dependencies of open-another-account-on-page, which opens accounts at providers. */
export const openAnotherOnPageDeps = (env: z.infer<typeof openAnotherOnPageEnv>) => {
  const table = connectTable(env);
  return { ...anotherAccountDeps(table, env), ...showDeps(table, env) };
};

/** Dependencies of simulate-on-page, which records simulated payments. */
export const simulateOnPageDeps = (env: z.infer<typeof simulateOnPageEnv>) => {
  const table = connectTable(env);
  return {
    ...ledgerDeps(table, queueOfOneMode(env.TEST_QUEUE_URL)),
    pageUses: pageUses(table),
    usage: usageStore(table),
    ...showDeps(table, env),
  };
};
