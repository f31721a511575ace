import * as z from 'zod/mini';
import { instant } from '#shared/contract/kernel/answer-fields.ts';
import { idSchema } from '#shared/domain/kernel/ids.ts';
import { mode } from '#shared/domain/kernel/mode.ts';
import { boolean, text, textOrNull } from '#shared/domain/kernel/schemas.ts';

export const endpointAnswer = z.object({
  id: idSchema('whe'),
  url: text,
  mode,
  events: z.array(text),
  enabled: boolean,
  disabled_reason: textOrNull,
  created_at: instant,
});

/** With the secret: only in the answers to create and rotate. */
export const endpointAnswerWithSecret = z.extend(endpointAnswer, { secret: text });
