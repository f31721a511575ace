import { finishingEnv, recordingEnv } from './providers.ts';

export const receiveNotificationEnv = recordingEnv;
export const sweepPaymentsEnv = finishingEnv;
