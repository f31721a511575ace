import * as z from 'zod/mini';
import { success } from '#shared/contract/kernel/answer-fields.ts';
import { contract } from '#shared/contract/kernel/contract.ts';
import { endpointId, nothing } from '#shared/contract/kernel/params.ts';
import { endpointAnswerWithSecret } from './endpoint-answer.ts';

const DAY_SECONDS = 86_400;
const LONGEST_GRACE = 7 * DAY_SECONDS;

/** POST /webhook-endpoints/{id}/rotate-secret: api-decisions.md section 5. */
export const rotateWebhookSecretContract = contract({
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{id}/rotate-secret',
  summary: 'Give a webhook endpoint a new secret. The old one signs as well until its grace ends.',
  keys: ['secret'],
  session: 'developer',
  isRecorded: true,
  stepUp: 'live',
  testOnly: false,
  idempotent: false,
  params: endpointId,
  query: nothing,
  body: z.object({
    grace_seconds: z.pipe(
      z.nullish(
        z
          .int('must be a whole number of seconds.')
          .check(z.gte(0, 'must be at least 0.'), z.lte(LONGEST_GRACE, 'must be at most 604800, which is seven days.')),
      ),
      z.transform((seconds) => seconds ?? DAY_SECONDS),
    ),
  }),
  success: { status: 200, body: success(endpointAnswerWithSecret) },
  refusals: ['validation_failed', 'webhook_endpoint_not_found'],
});
