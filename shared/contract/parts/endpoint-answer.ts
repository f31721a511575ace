import * as z from 'zod/mini';
import { idSchema } from '#shared/domain/ids.ts';
import { mode } from '#shared/domain/mode.ts';
import { text, textOrNull, yesOrNo } from '#shared/domain/parts.ts';
import { instant } from './answer-fields.ts';

export const endpointAnswer = z.object({
  id: idSchema('whe'),
  url: text,
  mode,
  events: z.array(text),
  enabled: yesOrNo,
  disabled_reason: textOrNull,
  created_at: instant,
});

/** With the secret: only in the answers to create and rotate. */
export const endpointAnswerWithSecret = z.extend(endpointAnswer, { secret: text });
