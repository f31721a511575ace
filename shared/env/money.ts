import { openingEnv, recordingEnv } from './providers.ts';

export const receiveNotificationEnv = recordingEnv;
/** The sweeper finishes the opening of accounts, so it needs what the endpoints need that open them. */
export const sweepPaymentsEnv = openingEnv;
