import * as z from 'zod/mini';
import { apiEnv } from '#shared/api/env.ts';
import { json } from '#shared/platform/env.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

/** Variables of the functions that choose a provider by the stage's order and by health. */
export const routingEnv = {
  /** The order in which providers are asked for a checkout that names none, as JSON; empty if the stage does not route checkouts. */
  ROUTING_ORDER: z.pipe(json, z.array(providerName)),
};

/** Variables of list-providers. It calls no provider, and its bundle has no adapter. */
export const listProvidersEnv = z.extend(apiEnv, { ENABLED_PROVIDERS: z.pipe(json, z.array(text)) });
