import { rotateSecretDeps } from '#shared/composition/webhooks.ts';
import { endpointView } from '#shared/contract/webhooks/endpoint-view.ts';
import { rotateWebhookSecretContract } from '#shared/contract/webhooks/rotate-webhook-secret.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { rotateWebhookSecretEnv } from '#shared/env/webhooks.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { type RotateDeps, rotateWebhookSecret } from '#shared/use-cases/webhooks/rotate-webhook-secret.ts';

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
