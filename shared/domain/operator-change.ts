import * as z from 'zod/mini';
import { idSchema } from './ids.ts';

/** Who changed what, when: written with every change that operations make (api.md section 7). */
export const operatorChange = z.object({
  id: idSchema('log'),
  businessId: idSchema('biz'),
  at: z.number(),
  who: z.string().check(z.minLength(1)),
  what: z.string().check(z.minLength(1)),
});
export type OperatorChange = z.infer<typeof operatorChange>;
