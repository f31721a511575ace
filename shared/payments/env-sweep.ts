import * as z from 'zod/mini';
import { listCount } from '#shared/payments/domain/reconciliation.ts';
import { json, moneyQueuesEnv, tableEnv } from '#shared/platform/env.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

/** Variables of sweep-payments. It only queues work: its bundle has no code of providers. */
export const sweepPaymentsEnv = z.extend(tableEnv, {
  ...moneyQueuesEnv.shape,
  // Optional, because a deployment changes a function's code before its variables.
  ENABLED_PROVIDERS: z.optional(z.pipe(json, z.array(text))),
  LISTS_AT_ONCE: z.optional(z.pipe(json, z.partialRecord(providerName, listCount))),
});
