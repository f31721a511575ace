import * as z from 'zod/mini';
import { testQueueEnv } from '#shared/platform/env.ts';
import { recordingEnv, sweepingEnv } from '#shared/providers/env.ts';

export const receiveNotificationEnv = recordingEnv;
/** Test checkouts expire by the sweeper, too. */
export const sweepPaymentsEnv = z.safeExtend(sweepingEnv, testQueueEnv.shape);
