import * as z from 'zod/mini';
import { instant } from '#shared/contract/kernel/answer-fields.ts';
import { idSchema } from '#shared/domain/kernel/ids.ts';
import { mode } from '#shared/domain/kernel/mode.ts';
import { text } from '#shared/domain/kernel/schemas.ts';

export const eventAnswer = z.object({
  id: idSchema('evt'),
  type: text,
  timestamp: instant,
  mode,
  business_id: idSchema('biz'),
  example: z.optional(z.literal(true)),
  data: z.unknown(),
});
