import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { millis, nonEmptyString } from '#shared/platform/kernel/schemas.ts';

/** A record of the audit log: written with every change that an operator makes, or before it (api-decisions.md section 7). */
export const operatorChange = z.object({
  id: idSchema('log'),
  /** Null where the change concerns the whole stage. */
  businessId: z.nullable(idSchema('biz')),
  at: millis,
  /** The operator's identity at AWS, an ARN; in the local stack `local stack`. */
  who: nonEmptyString,
  what: nonEmptyString,
});
export type OperatorChange = z.infer<typeof operatorChange>;
