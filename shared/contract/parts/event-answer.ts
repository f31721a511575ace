import * as z from 'zod/mini';
import { idSchema } from '#shared/domain/ids.ts';
import { mode } from '#shared/domain/mode.ts';
import { text } from '#shared/domain/parts.ts';
import { instant } from './answer-fields.ts';

export const eventAnswer = z.object({
  id: idSchema('evt'),
  type: text,
  timestamp: instant,
  mode,
  business_id: idSchema('biz'),
  data: z.unknown(),
});
