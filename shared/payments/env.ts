import * as z from 'zod/mini';
import { moneyQueuesEnv, testQueueEnv } from '#shared/platform/env.ts';
import { receivingEnv, recordingEnv, sweepingEnv } from '#shared/providers/env.ts';

/** It stores and queues: it asks nobody, and records no money. */
export const receiveNotificationEnv = z.safeExtend(receivingEnv, moneyQueuesEnv.shape);
export const doMoneyWorkEnv = recordingEnv;
/** Test checkouts expire by the sweeper, too. */
export const sweepPaymentsEnv = z.safeExtend(sweepingEnv, { ...testQueueEnv.shape, ...moneyQueuesEnv.shape });
