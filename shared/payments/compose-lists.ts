import type * as z from 'zod/mini';
import { apiDeps } from '#shared/api/compose.ts';
import type { apiEnv } from '#shared/api/env.ts';
import { usageStore } from '#shared/businesses/store/usage-store.ts';
import { dailyTotals } from '#shared/payments/store/daily-totals.ts';
import { paymentSearch } from '#shared/payments/store/payment-list.ts';
import { paymentStore } from '#shared/payments/store/payment-store.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { connectTable } from '#shared/platform/table/table.ts';

/** Dependencies of list-payments and export-payments, which search payments. */
export const searchPaymentsDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), payments: paymentSearch(table, env.HASH_KEY), usage: usageStore(table) };
};

/** Dependencies of get-payment. */
export const getPaymentDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), wait: runtime.wait, payments: paymentStore(table) };
};

/** Dependencies of get-totals. */
export const getTotalsDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), totals: dailyTotals(table), usage: usageStore(table) };
};
