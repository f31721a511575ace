import * as z from 'zod/mini';
import { idSchema } from './ids.ts';
import { millis, someText } from './parts.ts';

/** Who changed what, when: written with every change that operations make (api.md section 7). */
export const operatorChange = z.object({
  id: idSchema('log'),
  businessId: idSchema('biz'),
  at: millis,
  who: someText,
  what: someText,
});
export type OperatorChange = z.infer<typeof operatorChange>;
