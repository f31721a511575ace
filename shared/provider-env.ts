import * as z from 'zod/mini';
import { providerName } from '#shared/domain/provider.ts';
import { type ProviderSettings, providerSettings } from '#shared/domain/provider-settings.ts';
import { apiEnv, firstQueueEnv, json, landingEnv, tableEnv } from './env.ts';

/* What functions are told that deal with providers. Apart from the others', whose artefacts carry none of it. */

/** What calls providers, or is called by them: the live ones that the stage has enabled, as JSON. */
const providersEnv = z.object({ PROVIDERS: z.pipe(json, providerSettings) });

/** A prod stage takes no notification that nobody signed. */
const ensureSigned = ({ STAGE, PROVIDERS }: { STAGE: string; PROVIDERS: ProviderSettings }): boolean =>
  STAGE !== 'prod' || PROVIDERS.monnify?.unsignedNotifications !== true;
const MUST_BE_SIGNED = { path: ['PROVIDERS'], message: 'unsignedNotifications is not for prod.' };

/** An endpoint that opens or closes accounts; money that was faster than its account lands with it. */
export const accountsEnv = z.extend(landingEnv, providersEnv.shape).check(z.refine(ensureSigned, MUST_BE_SIGNED));
/** The endpoints that close accounts. */
export const closingEnv = z.extend(apiEnv, providersEnv.shape).check(z.refine(ensureSigned, MUST_BE_SIGNED));
/** The endpoint that providers call. */
export const notificationEnv = z
  .extend(z.extend(tableEnv, firstQueueEnv.shape), providersEnv.shape)
  .check(z.refine(ensureSigned, MUST_BE_SIGNED));

/** The endpoint that starts checkouts. */
export const initializeEnv = z.safeExtend(accountsEnv, { DEFAULT_PROVIDER: providerName });

/** The scheduled sweeper of what is owed to money. It settles accounts, so it knows how e-mail addresses are hashed. */
export const sweepPaymentsEnv = accountsEnv;
