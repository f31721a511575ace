import { businessStore } from '#shared/adapters/dynamodb/business-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table.ts';
import { nature } from '#shared/adapters/nature.ts';
import { rotateWebhookSecret as contract } from '#shared/contract/rotate-webhook-secret.ts';
import { webhookEndpointView } from '#shared/domain/webhook-endpoint.ts';
import { apiEnv, readEnv } from '#shared/env.ts';
import { api } from '#shared/http/api.ts';
import { apiDeps } from '#shared/http/api-deps.ts';
import type { ApiDeps } from '#shared/http/types.ts';
import { type RotateDeps, rotateWebhookSecret as rotate } from '#shared/use-cases/rotate-webhook-secret.ts';

const MESSAGE = 'Secret rotated. The new one is shown only this once.';

/** Gives a webhook endpoint a new secret. */
export const rotateWebhookSecret = (deps: ApiDeps & RotateDeps) =>
  api(contract, deps, async ({ caller, params, body }) => {
    const { endpoint, secret } = await rotate(deps, caller, { id: params.id, graceSeconds: body.grace_seconds });
    const data = { ...webhookEndpointView(endpoint), secret };
    return { status: 200, body: { status: true, message: MESSAGE, data } };
  });

const env = readEnv(apiEnv, process.env);
const table = connectTable(env);
export const handler = rotateWebhookSecret({ ...apiDeps(table, env), ...nature, businesses: businessStore(table) });
