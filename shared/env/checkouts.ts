import * as z from 'zod/mini';
import { providerName } from '#shared/domain/providers/provider.ts';
import { openingEnv } from './providers.ts';

export const expireCheckoutEnv = openingEnv;
export const initializeCheckoutEnv = z.safeExtend(openingEnv, { DEFAULT_PROVIDER: providerName });
