import type * as z from 'zod/mini';
import { checkoutAccounts } from '#shared/checkouts/store/checkout-store.ts';
import { ledgerDeps } from '#shared/payments/compose.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { issuerDeps, quotaDeps } from '#shared/providers/compose.ts';
import { routingDeps } from '#shared/providers/compose-routing.ts';
import type { DeliveryQueue } from '#shared/webhooks/ports.ts';
import type { openAnotherOnPageEnv } from './env.ts';

/** No event announces another account, so the functions that open one have no queue of deliveries. */
const NO_QUEUE: DeliveryQueue<'first'> = {
  send: () => Promise.reject(new Error('A delivery was queued by a function that announces no event.')),
};

/** Builds the dependencies for opening another account of a checkout, for its business or its payer. */
export const anotherAccountDeps = (
  table: Table,
  env: Omit<z.infer<typeof openAnotherOnPageEnv>, 'PAGE_LINK_KEYS'>,
) => ({
  ...ledgerDeps(table, NO_QUEUE),
  ...issuerDeps(table, env),
  ...quotaDeps(table, env),
  ...routingDeps(table, env),
  checkoutAccounts,
});
