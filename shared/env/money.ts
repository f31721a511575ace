import * as z from 'zod/mini';
import { testQueueEnv } from './kernel.ts';
import { recordingEnv, sweepingEnv } from './providers.ts';

export const receiveNotificationEnv = recordingEnv;
/** Test checkouts expire by the sweeper, too. */
export const sweepPaymentsEnv = z.safeExtend(sweepingEnv, testQueueEnv.shape);
