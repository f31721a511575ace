import * as z from 'zod/mini';
import { moneyQueuesEnv, testQueueEnv } from '#shared/platform/env.ts';
import { receivingEnv, recordingEnv, sweepingEnv } from '#shared/providers/env.ts';

/** It stores and queues: it asks nobody, and records no money. */
export const receiveNotificationEnv = z.safeExtend(receivingEnv, moneyQueuesEnv.shape);
/** Test checkouts expire by it, too. */
export const doMoneyWorkEnv = z.safeExtend(sweepingEnv, { ...testQueueEnv.shape, ...moneyQueuesEnv.shape });
/** It queues, and records what a reconciliation finds. */
export const sweepPaymentsEnv = z.safeExtend(recordingEnv, moneyQueuesEnv.shape);
