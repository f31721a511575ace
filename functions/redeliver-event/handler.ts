import { businessStore } from '#shared/adapters/dynamodb/businesses/business-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { deliveryStore } from '#shared/adapters/dynamodb/webhooks/delivery-store.ts';
import { eventStore } from '#shared/adapters/dynamodb/webhooks/event-store.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { connectQueue, deliveryQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { redeliverEventContract } from '#shared/contract/webhooks/redeliver-event.ts';
import { landingEnv, readEnv } from '#shared/env/base.ts';
import { api } from '#shared/http/api.ts';
import { eventReply } from '#shared/http/event-reply.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { type RedeliverDeps, redeliverEvent } from '#shared/use-cases/webhooks/redeliver-event.ts';

/** Sends an event again. */
export const redeliverEventHandler = (deps: ApiDeps & RedeliverDeps) =>
  api(redeliverEventContract, deps, async ({ caller, params, body }) =>
    eventReply(202, await redeliverEvent(deps, caller, { eventId: params.id, endpointId: body.endpoint_id })),
  );

const env = readEnv(landingEnv, process.env);
const table = connectTable(env);
export const handler = redeliverEventHandler({
  ...apiDeps(table, env),
  ...runtime,
  events: eventStore(table),
  businesses: businessStore(table),
  deliveries: deliveryStore(table),
  queue: deliveryQueue(connectQueue(), { first: env.FIRST_QUEUE_URL }),
});
