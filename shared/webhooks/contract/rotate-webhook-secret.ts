import * as z from 'zod/mini';
import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { graceSeconds } from '#shared/platform/contract/grace-seconds.ts';
import { endpointId, nothing } from '#shared/platform/contract/params.ts';
import { DEFAULT_GRACE } from '#shared/platform/kernel/grace.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import { endpointAnswerWithSecret } from './endpoint-answer.ts';

/** POST /webhook-endpoints/{id}/rotate-secret */
export const rotateWebhookSecretContract = contract({
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{id}/rotate-secret',
  summary: 'Give a webhook endpoint a new secret. The old secret also signs until its grace period ends.',
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
      z.nullish(graceSeconds),
      z.transform((seconds) => seconds ?? DEFAULT_GRACE / SECOND),
    ),
  }),
  success: { status: 200, body: success(endpointAnswerWithSecret) },
  errors: ['validation_failed', 'webhook_endpoint_not_found'],
});
