import * as z from 'zod/mini';
import { json, moneyQueuesEnv, tableEnv, testQueueEnv } from '#shared/platform/env.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { receivingEnv, sweepingEnv } from '#shared/providers/env.ts';

/** It stores and queues: it asks nobody, and records no money. */
export const receiveNotificationEnv = z.safeExtend(receivingEnv, moneyQueuesEnv.shape);
/** Test checkouts expire by it, too, and it queues what a provider's list makes it look up. */
export const doMoneyWorkEnv = z.safeExtend(sweepingEnv, { ...testQueueEnv.shape, ...moneyQueuesEnv.shape });
/** It queues: it asks nobody, and records no money. */
export const sweepPaymentsEnv = z.extend(tableEnv, {
  ...moneyQueuesEnv.shape,
  // Optional, because a deployment changes a function's code and its variables one after the other.
  ENABLED_PROVIDERS: z.optional(z.pipe(json, z.array(text))),
});
