import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { breakerStore } from '#shared/adapters/dynamodb/webhooks/breaker-store.ts';
import { deliveryStore } from '#shared/adapters/dynamodb/webhooks/delivery-store.ts';
import { endpointStore } from '#shared/adapters/dynamodb/webhooks/endpoint-store.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { recoverWebhookEndpointContract } from '#shared/contract/webhooks/recover-webhook-endpoint.ts';
import { isoMicros } from '#shared/domain/kernel/time.ts';
import { apiEnv, readEnv } from '#shared/env/base.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { type RecoverDeps, recoverWebhookEndpoint } from '#shared/use-cases/webhooks/recover-webhook-endpoint.ts';

/** Sends again what was not delivered to a webhook endpoint. */
export const recoverWebhookEndpointHandler = (deps: ApiDeps & RecoverDeps) =>
  api(recoverWebhookEndpointContract, deps, async ({ caller, params, body }) => {
    const { recovered, nextSince } = await recoverWebhookEndpoint(deps, caller, { id: params.id, since: body.since });
    const message = recovered === 0 ? 'There is nothing to send again.' : 'What was not delivered is being sent again.';
    const more = nextSince !== null;
    const data = { recovered, more, next_since: more ? isoMicros(nextSince) : null };
    return { status: 202, body: { status: true, message, data } };
  });

const env = readEnv(apiEnv, process.env);
const table = connectTable(env);
export const handler = recoverWebhookEndpointHandler({
  ...apiDeps(table, env),
  endpoints: endpointStore(table),
  deliveries: deliveryStore(table),
  breakers: breakerStore(table),
});
