import * as z from 'zod/mini';
import { type ProviderSettings, providerSettings, settingsRefusedInProd } from '#shared/adapters/providers/settings.ts';
import { announcingApiEnv, apiEnv } from './api.ts';
import { firstQueueEnv, json, tableEnv } from './kernel.ts';

/* Functions that call live providers or are called by them. No other function holds these schemas. */

/** The live providers that the stage has enabled, as JSON. */
const PROVIDERS = z.pipe(json, providerSettings);

const isAllowed = ({ STAGE, PROVIDERS }: { STAGE: string; PROVIDERS: ProviderSettings }): boolean =>
  STAGE !== 'prod' || settingsRefusedInProd(PROVIDERS).length === 0;
const NOT_ALLOWED = { path: ['PROVIDERS'], message: 'must not hold settings that a prod stage refuses.' };

/** An endpoint that calls providers. */
export const providerApiEnv = z.extend(apiEnv, { PROVIDERS }).check(z.refine(isAllowed, NOT_ALLOWED));
/** An endpoint that calls providers and records money: it opens accounts, whose money may be there already, or expires a checkout. */
export const openingEnv = z.extend(announcingApiEnv, { PROVIDERS }).check(z.refine(isAllowed, NOT_ALLOWED));
/** A function that records money without being an endpoint. */
export const recordingEnv = z
  .extend(tableEnv, { ...firstQueueEnv.shape, PROVIDERS })
  .check(z.refine(isAllowed, NOT_ALLOWED));
