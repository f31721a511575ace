import * as z from 'zod/mini';
import { contact } from '#shared/domain/kernel/contact.ts';
import { json, stageEnv } from './kernel.ts';

/** The variables of functions that serve the API document and its guide. `CONTACT` is JSON; null for nobody. */
export const publishedEnv = z.extend(stageEnv, { CONTACT: z.pipe(json, z.nullable(contact)) });
