import * as z from 'zod/mini';
import { json, stageEnv } from '#shared/platform/env.ts';
import { contact } from '#shared/platform/kernel/contact.ts';

/** The variables of functions that serve the API document and its guide. `CONTACT` is JSON; null if the stage names no contact. */
export const publishedEnv = z.extend(stageEnv, { CONTACT: z.pipe(json, z.nullable(contact)) });
