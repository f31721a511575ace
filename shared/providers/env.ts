import * as z from 'zod/mini';
import { apiEnv } from '#shared/api/env.ts';
import { firstQueueEnv, json, moneyQueuesEnv, tableEnv } from '#shared/platform/env.ts';
import { providerQuota } from '#shared/providers/domain/quota.ts';
import { sandboxFaults } from '#shared/providers/domain/sandbox-fault.ts';
import { type ProviderSettings, providerPaces, providerSettings, settingsRefusedInProd } from './settings.ts';

/* Environment schemas of the functions that call live providers or are called by them. No other function loads these schemas. */

const providersEnv = {
  /** The live providers that the stage has enabled, as JSON. */
  PROVIDERS: z.pipe(json, providerSettings),
  /** The stage's own public address, where providers send notifications. Some providers take the address with each payment. */
  STAGE_URL: z.url(),
};

const isAllowed = ({ STAGE, PROVIDERS }: { STAGE: string; PROVIDERS: ProviderSettings }): boolean =>
  STAGE !== 'prod' || settingsRefusedInProd(PROVIDERS).length === 0;
const NOT_ALLOWED = { path: ['PROVIDERS'], message: 'must not contain settings that a prod stage refuses.' };

/** The quota of each business at each provider, as JSON. */
const PROVIDER_QUOTA = z.pipe(json, providerQuota);

/** Variables of an endpoint that calls providers for a business. */
export const providerApiEnv = z
  .extend(apiEnv, { ...providersEnv, PROVIDER_QUOTA })
  .check(z.refine(isAllowed, NOT_ALLOWED));
/** The test-mode providers that should fail, as JSON. */
const SANDBOX = z.pipe(json, sandboxFaults);

/** Variables of an endpoint that opens accounts for a business, and queues money that arrived before the account was stored. */
export const openingEnv = z.safeExtend(providerApiEnv, { ...moneyQueuesEnv.shape, SANDBOX });
/** Variables of an endpoint that looks payments up for a business and records the reported money. */
export const requeryingEnv = z
  .extend(apiEnv, { ...firstQueueEnv.shape, ...providersEnv, PROVIDER_QUOTA })
  .check(z.refine(isAllowed, NOT_ALLOWED));
/** Variables of a function that does due work: it calls providers at their paces and records money. It charges no business's quota. */
export const sweepingEnv = z
  .extend(apiEnv, {
    ...firstQueueEnv.shape,
    ...providersEnv,
    // Optional, because a deployment changes a function's code and its variables one after the other.
    PROVIDER_PACES: z.optional(z.pipe(json, providerPaces)),
  })
  .check(z.refine(isAllowed, NOT_ALLOWED));
/** Variables of a function that providers call. */
export const receivingEnv = z.extend(tableEnv, providersEnv).check(z.refine(isAllowed, NOT_ALLOWED));
/** Variables of a function that records live money and is no endpoint. */
export const recordingEnv = z
  .extend(tableEnv, { ...firstQueueEnv.shape, ...providersEnv })
  .check(z.refine(isAllowed, NOT_ALLOWED));
/** Variables of a function that looks payments up within a business's quota, records the reported money, and is no endpoint. */
export const reportingEnv = z.safeExtend(recordingEnv, { PROVIDER_QUOTA });
/** Variables of an endpoint that opens another account for an existing checkout. It announces nothing. */
export const reopeningEnv = z.safeExtend(providerApiEnv, { SANDBOX });
/** Variables of a function that opens another account for a payer on the payment page. */
export const reopeningOnPageEnv = z.safeExtend(receivingEnv, { PROVIDER_QUOTA, SANDBOX });
