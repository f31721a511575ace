import * as z from 'zod/mini';
import { testQueueEnv } from '#shared/platform/env.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import { openingEnv, reopeningEnv, reopeningOnPageEnv, reportingEnv, requeryingEnv } from '#shared/providers/env.ts';
import { routingEnv } from '#shared/providers/env-health.ts';
import { linksEnv } from './env-page-links.ts';

/* Environments of functions that ask providers about checkouts. Each of them makes or reads payment page links. */

export const requeryCheckoutEnv = z.safeExtend(requeryingEnv, linksEnv);
export const expireCheckoutEnv = z.safeExtend(requeryCheckoutEnv, testQueueEnv.shape);
export const reportTransferEnv = z.safeExtend(reportingEnv, { ...linksEnv, ...routingEnv });
export const initializeCheckoutEnv = z.safeExtend(openingEnv, {
  ...linksEnv,
  ...routingEnv,
  DEFAULT_PROVIDER: providerName,
});
export const openAnotherAccountEnv = z.safeExtend(reopeningEnv, { ...linksEnv, ...routingEnv });
export const openAnotherOnPageEnv = z.safeExtend(reopeningOnPageEnv, { ...linksEnv, ...routingEnv });
