import * as z from 'zod/mini';
import { type ProviderSettings, providerSettings, unfitForProd } from '#shared/adapters/providers/settings.ts';
import { providerName } from '#shared/domain/providers/provider.ts';
import { apiEnv, firstQueueEnv, json, landingEnv, tableEnv } from './base.ts';

/* What functions are told that deal with providers. Apart from the others', whose artefacts carry none of it. */

/** What calls providers, or is called by them: the live ones that the stage has enabled, as JSON. */
const providersEnv = z.object({ PROVIDERS: z.pipe(json, providerSettings) });

/** A prod stage has no setting that a provider's description keeps out of it. */
const isFit = ({ STAGE, PROVIDERS }: { STAGE: string; PROVIDERS: ProviderSettings }): boolean =>
  STAGE !== 'prod' || unfitForProd(PROVIDERS).length === 0;
const NOT_FIT = { path: ['PROVIDERS'], message: 'hold what is not for prod.' };

/** An endpoint that opens or closes accounts; money that was faster than its account lands with it. */
export const accountsEnv = z.extend(landingEnv, providersEnv.shape).check(z.refine(isFit, NOT_FIT));
/** The endpoints that close accounts. */
export const closingEnv = z.extend(apiEnv, providersEnv.shape).check(z.refine(isFit, NOT_FIT));
/** The endpoint that providers call. */
export const notificationEnv = z
  .extend(z.extend(tableEnv, firstQueueEnv.shape), providersEnv.shape)
  .check(z.refine(isFit, NOT_FIT));

/** The endpoint that starts checkouts. */
export const initializeEnv = z.safeExtend(accountsEnv, { DEFAULT_PROVIDER: providerName });

/** The scheduled sweeper of what is owed to money. It settles accounts, so it knows how e-mail addresses are hashed. */
export const sweepPaymentsEnv = accountsEnv;
