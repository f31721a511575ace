import * as z from 'zod/mini';
import { providerName } from '#shared/domain/providers/provider.ts';
import { testQueueEnv } from './kernel.ts';
import { linksEnv } from './page-links.ts';
import { openingEnv, reportingEnv } from './providers.ts';

/* Functions that ask providers about checkouts. Each makes or reads the links of their pages. */

export const requeryCheckoutEnv = z.safeExtend(openingEnv, linksEnv);
export const expireCheckoutEnv = z.safeExtend(requeryCheckoutEnv, testQueueEnv.shape);
export const reportTransferEnv = z.safeExtend(reportingEnv, linksEnv);
export const initializeCheckoutEnv = z.safeExtend(requeryCheckoutEnv, { DEFAULT_PROVIDER: providerName });
