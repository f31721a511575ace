import { ledger } from '#shared/adapters/dynamodb/money/ledger.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { endpointStore } from '#shared/adapters/dynamodb/webhooks/endpoint-store.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { connectQueue, deliveryQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { eventView } from '#shared/contract/webhooks/event-view.ts';
import { testWebhookEndpointContract } from '#shared/contract/webhooks/test-webhook-endpoint.ts';
import type { Event } from '#shared/domain/webhooks/event.ts';
import { landingEnv, readEnv } from '#shared/env/base.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps, Reply } from '#shared/http/kernel/types.ts';
import { type TestEndpointDeps, testWebhookEndpoint } from '#shared/use-cases/webhooks/test-webhook-endpoint.ts';

const reply = (event: Event): Reply => ({
  status: 201,
  body: { status: true, message: 'A test event is on its way.', data: eventView(event) },
});

/** Sends a test event to a webhook endpoint. */
export const testWebhookEndpointHandler = (deps: ApiDeps & TestEndpointDeps) =>
  api(testWebhookEndpointContract, deps, async ({ caller, params, seal }) =>
    reply(await testWebhookEndpoint(deps, caller, params.id, (event) => seal(reply(event)))),
  );

const env = readEnv(landingEnv, process.env);
const table = connectTable(env);
export const handler = testWebhookEndpointHandler({
  ...apiDeps(table, env),
  ...runtime,
  endpoints: endpointStore(table),
  ledger: ledger(table),
  queue: deliveryQueue(connectQueue(), { first: env.FIRST_QUEUE_URL }),
});
