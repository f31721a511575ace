import * as z from 'zod/mini';
import { testQueueEnv } from './kernel.ts';
import { finishingEnv, recordingEnv } from './providers.ts';

export const receiveNotificationEnv = recordingEnv;
/** Test checkouts expire by the sweeper, too. */
export const sweepPaymentsEnv = z.safeExtend(finishingEnv, testQueueEnv.shape);
