import * as z from 'zod/mini';
import { json, testQueueEnv } from '#shared/platform/env.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import { enquiringEnv, openingEnv, reportingEnv } from '#shared/providers/env.ts';
import { linksEnv } from './env-page-links.ts';

/* Functions that ask providers about checkouts. Each makes or reads the links of their pages. */

export const requeryCheckoutEnv = z.safeExtend(enquiringEnv, linksEnv);
export const expireCheckoutEnv = z.safeExtend(requeryCheckoutEnv, testQueueEnv.shape);
export const reportTransferEnv = z.safeExtend(reportingEnv, linksEnv);
export const initializeCheckoutEnv = z.safeExtend(openingEnv, {
  ...linksEnv,
  DEFAULT_PROVIDER: providerName,
  /** The order in which providers are asked for a checkout that names none, as JSON; empty where the stage routes none. */
  ROUTING_ORDER: z.pipe(json, z.array(providerName)),
});
