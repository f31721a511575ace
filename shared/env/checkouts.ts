import * as z from 'zod/mini';
import { providerName } from '#shared/domain/providers/provider.ts';
import { finishingEnv, openingEnv } from './providers.ts';

export const expireCheckoutEnv = finishingEnv;
export const initializeCheckoutEnv = z.safeExtend(openingEnv, { DEFAULT_PROVIDER: providerName });
