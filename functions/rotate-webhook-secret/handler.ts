import { api } from '#shared/api/api.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { readEnv } from '#shared/platform/env.ts';
import { rotateSecretDeps } from '#shared/webhooks/compose.ts';
import { endpointView } from '#shared/webhooks/contract/endpoint-view.ts';
import { rotateWebhookSecretContract } from '#shared/webhooks/contract/rotate-webhook-secret.ts';
import { rotateWebhookSecretEnv } from '#shared/webhooks/env.ts';
import { type RotateDeps, rotateWebhookSecret } from '#shared/webhooks/use-cases/rotate-webhook-secret.ts';

const MESSAGE = 'Secret rotated. The new one is shown only this once.';

/** Gives a webhook endpoint a new secret. */
export const rotateWebhookSecretHandler = (deps: ApiDeps & RotateDeps) =>
  api(rotateWebhookSecretContract, deps, async ({ caller, by, params, body }) => {
    const input = { id: params.id, graceSeconds: body.grace_seconds };
    const { endpoint, secret } = await rotateWebhookSecret(deps, caller, input, by);
    const data = { ...endpointView(endpoint), secret };
    return { status: 200, body: { status: true, message: MESSAGE, data } };
  });

export const handler = rotateWebhookSecretHandler(rotateSecretDeps(readEnv(rotateWebhookSecretEnv, process.env)));
