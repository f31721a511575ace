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

/** The health of an endpoint. `parked` counts the deliveries that wait for the endpoint, up to a thousand. */
export const endpointHealth = z.object({
  status: z.enum(ENDPOINT_HEALTH),
  failing_since: z.nullable(instant),
  last_failed_event_id: z.nullable(idSchema('evt')),
  parked: count,
});

/** An endpoint with its health, and the time until which its previous secret signs. Only get-webhook-endpoint answers with these fields. */
export const endpointAnswerWithHealth = z.extend(endpointAnswer, {
  health: endpointHealth,
  previous_secret_until: z.nullable(instant),
});

/** An endpoint with its secret. Only the answers of create-webhook-endpoint and rotate-webhook-secret contain the secret. */
export const endpointAnswerWithSecret = z.extend(endpointAnswer, { secret: text });
