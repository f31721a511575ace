import * as z from 'zod';
import { idSchema } from './ids.ts';

/** Who changed what, when: written with every change that operations make (api.md section 7). */
export const operatorChange = z.object({
  id: idSchema('log'),
  businessId: idSchema('biz'),
  at: z.number(),
  who: z.string().min(1),
  what: z.string().min(1),
});
export type OperatorChange = z.infer<typeof operatorChange>;
