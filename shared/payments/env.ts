import * as z from 'zod/mini';
import { moneyQueuesEnv, testQueueEnv } from '#shared/platform/env.ts';
import { receivingEnv, sweepingEnv } from '#shared/providers/env.ts';

/** It stores and queues: it asks nobody, and records no money. */
export const receiveNotificationEnv = z.safeExtend(receivingEnv, moneyQueuesEnv.shape);
/** Test checkouts expire by it, too, and it queues what a provider's list makes it look up. */
export const doMoneyWorkEnv = z.safeExtend(sweepingEnv, { ...testQueueEnv.shape, ...moneyQueuesEnv.shape });
