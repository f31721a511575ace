import type * as z from 'zod/mini';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';

/** Parses the data of a provider's answer. @throws OutcomeUnknown if it does not match the schema. */
export const parseAnswer = <T>(schema: z.ZodMiniType<T>, data: unknown): T => {
  const parsed = schema.safeParse(data);
  // zod's message is dropped, because it may repeat a value.
  if (!parsed.success) throw new OutcomeUnknown('The answer does not have the documented form.');
  return parsed.data;
};
