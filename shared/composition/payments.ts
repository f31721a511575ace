import type * as z from 'zod/mini';
import { dailyTotals } from '#shared/adapters/dynamodb/money/daily-totals.ts';
import { paymentSearch } from '#shared/adapters/dynamodb/money/payment-list.ts';
import { paymentStore } from '#shared/adapters/dynamodb/money/payment-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { allowanceStore } from '#shared/adapters/dynamodb/webhooks/allowance-store.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import type { apiEnv } from '#shared/env/api.ts';
import { apiDeps } from './api.ts';

/** list-payments, export-payments: search payments. */
export const searchPaymentsDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), payments: paymentSearch(table, env.HASH_KEY), allowances: allowanceStore(table) };
};

/** get-payment: reads a payment. */
export const getPaymentDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), wait: runtime.wait, payments: paymentStore(table) };
};

/** get-totals: sums payments by day. */
export const getTotalsDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), totals: dailyTotals(table), allowances: allowanceStore(table) };
};
