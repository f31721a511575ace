import * as z from 'zod/mini';
import { providerName } from '#shared/domain/providers/provider.ts';
import { testQueueEnv } from './kernel.ts';
import { openingEnv } from './providers.ts';

export const expireCheckoutEnv = z.safeExtend(openingEnv, testQueueEnv.shape);
export const requeryCheckoutEnv = openingEnv;
export const reportTransferEnv = openingEnv;
export const initializeCheckoutEnv = z.safeExtend(openingEnv, { DEFAULT_PROVIDER: providerName });
