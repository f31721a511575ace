import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { millis, nonEmptyString } from '#shared/platform/kernel/schemas.ts';

/** The record of a change by an operator, in the operators' log. It is written together with the change, or before the change. */
export const operatorChange = z.object({
  id: idSchema('log'),
  /** Null if the change concerns the whole stage. */
  businessId: z.nullable(idSchema('biz')),
  at: millis,
  /** The operator's identity at AWS, an ARN; in the local stack `local stack`. */
  who: nonEmptyString,
  what: nonEmptyString,
});
export type OperatorChange = z.infer<typeof operatorChange>;
