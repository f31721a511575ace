import * as z from 'zod/mini';
import { nonEmptyString } from '#shared/platform/kernel/schemas.ts';

/**
 * A message that names due work: its family, its item, and the entry of the due-work index under which it was sent first. It is a hint: the
 * item decides whether anything is to be done.
 */
export const dueTicket = z.object({
  family: z.enum(['payments', 'reviews', 'test_payments']),
  pk: nonEmptyString,
  sk: nonEmptyString,
  entry: nonEmptyString,
});
export type DueTicket = z.infer<typeof dueTicket>;
