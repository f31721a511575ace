import * as z from 'zod/mini';
import { idSchema } from '#shared/domain/kernel/ids.ts';
import { millis, nonEmptyString } from '#shared/domain/kernel/schemas.ts';

/** An entry of the audit log: written with every change that an operator makes (api-decisions.md section 7). */
export const operatorChange = z.object({
  id: idSchema('log'),
  businessId: idSchema('biz'),
  at: millis,
  who: nonEmptyString,
  what: nonEmptyString,
});
export type OperatorChange = z.infer<typeof operatorChange>;
