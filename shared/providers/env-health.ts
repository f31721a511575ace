import * as z from 'zod/mini';
import { apiEnv } from '#shared/api/env.ts';
import { json } from '#shared/platform/env.ts';
import { text } from '#shared/platform/kernel/schemas.ts';

/** list-providers says how providers stand: it asks none, and its bundle has no code of any. */
export const listProvidersEnv = z.extend(apiEnv, { ENABLED_PROVIDERS: z.pipe(json, z.array(text)) });
