import * as z from 'zod/mini';
import { apiEnv } from '#shared/api/env.ts';
import { firstQueueEnv, json, moneyQueuesEnv, tableEnv } from '#shared/platform/env.ts';
import { providerQuota } from '#shared/providers/domain/quota.ts';
import { sandboxFaults } from '#shared/providers/domain/sandbox-fault.ts';
import { type ProviderSettings, providerPaces, providerSettings, settingsRefusedInProd } from './settings.ts';

/* Functions that call live providers or are called by them. No other function holds these schemas. */

const providersEnv = {
  /** The live providers that the stage has enabled, as JSON. */
  PROVIDERS: z.pipe(json, providerSettings),
  /** The stage's own public address: a provider that takes an address with a payment notifies us there. */
  STAGE_URL: z.url(),
};

const isAllowed = ({ STAGE, PROVIDERS }: { STAGE: string; PROVIDERS: ProviderSettings }): boolean =>
  STAGE !== 'prod' || settingsRefusedInProd(PROVIDERS).length === 0;
const NOT_ALLOWED = { path: ['PROVIDERS'], message: 'must not hold settings that a prod stage refuses.' };

/** What each business may make us ask of each provider, as JSON. */
const PROVIDER_QUOTA = z.pipe(json, providerQuota);

/** An endpoint that calls providers for a business. */
export const providerApiEnv = z
  .extend(apiEnv, { ...providersEnv, PROVIDER_QUOTA })
  .check(z.refine(isAllowed, NOT_ALLOWED));
/** The providers of test mode that are to fail, as JSON. */
const SANDBOX = z.pipe(json, sandboxFaults);

/** An endpoint that opens accounts for a business, and queues money that came before them. */
export const openingEnv = z.safeExtend(providerApiEnv, { ...moneyQueuesEnv.shape, SANDBOX });
/** An endpoint that asks providers for a business, and records what they report. */
export const requeryingEnv = z
  .extend(apiEnv, { ...firstQueueEnv.shape, ...providersEnv, PROVIDER_QUOTA })
  .check(z.refine(isAllowed, NOT_ALLOWED));
/** What does due work: it calls providers, each at its pace, and records money. Nothing that it does is charged to a business's quota. */
export const sweepingEnv = z
  .extend(apiEnv, {
    ...firstQueueEnv.shape,
    ...providersEnv,
    // Optional, because a deployment changes a function's code and its variables one after the other.
    PROVIDER_PACES: z.optional(z.pipe(json, providerPaces)),
  })
  .check(z.refine(isAllowed, NOT_ALLOWED));
/** A function that providers call. */
export const receivingEnv = z.extend(tableEnv, providersEnv).check(z.refine(isAllowed, NOT_ALLOWED));
/** A function that records live money without being an endpoint. */
export const recordingEnv = z
  .extend(tableEnv, { ...firstQueueEnv.shape, ...providersEnv })
  .check(z.refine(isAllowed, NOT_ALLOWED));
/** A function that asks providers and records what they report, out of a business's quota, without being an endpoint. */
export const reportingEnv = z.safeExtend(recordingEnv, { PROVIDER_QUOTA });
/** An endpoint that opens another account of what is there, and a function that does so for a payer. Nothing is announced. */
export const reopeningEnv = z.safeExtend(providerApiEnv, { SANDBOX });
export const reopeningOnPageEnv = z.safeExtend(receivingEnv, { PROVIDER_QUOTA, SANDBOX });
