import * as z from 'zod/mini';
import { moneyQueuesEnv, testQueueEnv } from '#shared/platform/env.ts';
import { receivingEnv, sweepingEnv } from '#shared/providers/env.ts';

/** Variables of receive-notification. It stores and queues notifications; it calls no provider and records no money. */
export const receiveNotificationEnv = z.safeExtend(receivingEnv, moneyQueuesEnv.shape);
/** Variables of do-money-work. It also expires test checkouts, and queues look-ups of payments in a provider's list. */
export const doMoneyWorkEnv = z.safeExtend(sweepingEnv, { ...testQueueEnv.shape, ...moneyQueuesEnv.shape });
