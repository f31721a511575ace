import * as z from 'zod/mini';
import { instant } from '#shared/platform/contract/answer-fields.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';

export const eventAnswer = z.object({
  id: idSchema('evt'),
  // No other field uses this schema object, so the API document recognises the field by the object (infra/openapi/overrides.ts).
  type: z.string(),
  timestamp: instant,
  mode,
  business_id: idSchema('biz'),
  example: z.optional(z.literal(true)),
  data: z.unknown(),
});
