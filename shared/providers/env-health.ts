import * as z from 'zod/mini';
import { apiEnv } from '#shared/api/env.ts';
import { json } from '#shared/platform/env.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

/** Whoever goes by the order of providers, or by their health. */
export const routingEnv = {
  /** The order in which providers are asked for a checkout that names none, as JSON; empty where the stage routes none. */
  ROUTING_ORDER: z.pipe(json, z.array(providerName)),
};

/** list-providers says how providers stand: it asks none, and its bundle has no code of any. */
export const listProvidersEnv = z.extend(apiEnv, { ENABLED_PROVIDERS: z.pipe(json, z.array(text)) });
