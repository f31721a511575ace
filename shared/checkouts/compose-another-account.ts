import type * as z from 'zod/mini';
import { checkoutAccounts } from '#shared/checkouts/store/checkout-store.ts';
import { ledgerDeps } from '#shared/payments/compose.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { allowanceDeps, issuerDeps } from '#shared/providers/compose.ts';
import { routingDeps } from '#shared/providers/compose-routing.ts';
import { queueOfOneMode } from '#shared/webhooks/compose-queue.ts';
import type { openAnotherOnPageEnv } from './env.ts';

/** Opening another account of a checkout, for its business or its payer. No event announces one. */
export const anotherAccountDeps = (
  table: Table,
  env: Omit<z.infer<typeof openAnotherOnPageEnv>, 'PAGE_LINK_KEYS'>,
) => ({
  ...ledgerDeps(table, queueOfOneMode(env.FIRST_QUEUE_URL)),
  ...issuerDeps(table, env),
  ...allowanceDeps(table, env),
  ...routingDeps(table, env),
  checkoutAccounts,
});
