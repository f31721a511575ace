import { endpointStore } from '#shared/adapters/dynamodb/endpoint-store.ts';
import { ledger } from '#shared/adapters/dynamodb/ledger.ts';
import { connectTable } from '#shared/adapters/dynamodb/table.ts';
import { nature } from '#shared/adapters/nature.ts';
import { connectQueue, deliveryQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { testWebhookEndpoint as contract } from '#shared/contract/test-webhook-endpoint.ts';
import { type Event, eventView } from '#shared/domain/event.ts';
import { landingEnv, readEnv } from '#shared/env.ts';
import { api } from '#shared/http/api.ts';
import { apiDeps } from '#shared/http/api-deps.ts';
import type { ApiDeps, Reply } from '#shared/http/types.ts';
import { testWebhookEndpoint as sendTest, type TestEndpointDeps } from '#shared/use-cases/test-webhook-endpoint.ts';

const reply = (event: Event): Reply => ({
  status: 201,
  body: { status: true, message: 'A test event is on its way.', data: eventView(event) },
});

/** Sends a test event to a webhook endpoint. */
export const testWebhookEndpoint = (deps: ApiDeps & TestEndpointDeps) =>
  api(contract, deps, async ({ caller, params, seal }) =>
    reply(await sendTest(deps, caller, params.id, (event) => seal(reply(event)))),
  );

const env = readEnv(landingEnv, process.env);
const table = connectTable(env);
export const handler = testWebhookEndpoint({
  ...apiDeps(table, env),
  ...nature,
  endpoints: endpointStore(table),
  ledger: ledger(table),
  queue: deliveryQueue(connectQueue(), { first: env.FIRST_QUEUE_URL }),
});
