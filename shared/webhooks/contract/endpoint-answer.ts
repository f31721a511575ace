import * as z from 'zod/mini';
import { instant } from '#shared/platform/contract/answer-fields.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { boolean, count, text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { ENDPOINT_HEALTH } from '#shared/webhooks/domain/health.ts';

export const endpointAnswer = z.object({
  id: idSchema('whe'),
  url: text,
  mode,
  events: z.array(text),
  enabled: boolean,
  disabled_reason: textOrNull,
  created_at: instant,
});

/** `parked`: deliveries that wait for it, a thousand at most. */
export const endpointHealth = z.object({
  status: z.enum(ENDPOINT_HEALTH),
  failing_since: z.nullable(instant),
  last_failed_event_id: z.nullable(idSchema('evt')),
  parked: count,
});

/** With its health, and until when the secret before the present one signs: only in the answer to get. */
export const endpointAnswerWithHealth = z.extend(endpointAnswer, {
  health: endpointHealth,
  previous_secret_until: z.nullable(instant),
});

/** With the secret: only in the answers to create and rotate. */
export const endpointAnswerWithSecret = z.extend(endpointAnswer, { secret: text });
