import * as z from 'zod/mini';
import { contact } from '#shared/domain/kernel/contact.ts';
import { json, stageEnv } from './kernel.ts';

/** What serves the API document and its guide: whom they name as the contact, as JSON; null for nobody. */
export const publishedEnv = z.extend(stageEnv, { CONTACT: z.pipe(json, z.nullable(contact)) });
