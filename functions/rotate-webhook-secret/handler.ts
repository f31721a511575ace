import { businessStore } from '#shared/adapters/dynamodb/businesses/business-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { endpointView } from '#shared/contract/webhooks/endpoint-view.ts';
import { rotateWebhookSecretContract } from '#shared/contract/webhooks/rotate-webhook-secret.ts';
import { apiEnv, readEnv } from '#shared/env/base.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { type RotateDeps, rotateWebhookSecret } from '#shared/use-cases/webhooks/rotate-webhook-secret.ts';

const MESSAGE = 'Secret rotated. The new one is shown only this once.';

/** Gives a webhook endpoint a new secret. */
export const rotateWebhookSecretHandler = (deps: ApiDeps & RotateDeps) =>
  api(rotateWebhookSecretContract, deps, async ({ caller, params, body }) => {
    const { endpoint, secret } = await rotateWebhookSecret(deps, caller, {
      id: params.id,
      graceSeconds: body.grace_seconds,
    });
    const data = { ...endpointView(endpoint), secret };
    return { status: 200, body: { status: true, message: MESSAGE, data } };
  });

const env = readEnv(apiEnv, process.env);
const table = connectTable(env);
export const handler = rotateWebhookSecretHandler({
  ...apiDeps(table, env),
  ...runtime,
  businesses: businessStore(table),
});
