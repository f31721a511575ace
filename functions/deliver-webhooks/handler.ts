import { deliveryStore } from '#shared/adapters/dynamodb/delivery-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table.ts';
import { postWebhook } from '#shared/adapters/http-out/post-webhook.ts';
import { nature } from '#shared/adapters/nature.ts';
import { connectQueue, deliveryQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { ATTEMPT_TIMEOUT, deliveryJob } from '#shared/domain/delivery.ts';
import { deliveryEnv, readEnv } from '#shared/env.ts';
import { log } from '#shared/log.ts';
import { consumer } from '#shared/queue/consumer.ts';
import { type DeliverDeps, deliverWebhook } from '#shared/use-cases/deliver-webhook.ts';

/** Takes deliveries off the queue and posts their webhooks. */
export const deliverWebhooks = (deps: DeliverDeps) =>
  consumer(deliveryJob, deps.log, (job) => deliverWebhook(deps, job));

const env = readEnv(deliveryEnv, process.env);
export const handler = deliverWebhooks({
  ...nature,
  log,
  deliveries: deliveryStore(connectTable(env)),
  queue: deliveryQueue(connectQueue(), env.DELIVERY_QUEUE_URL),
  post: postWebhook(ATTEMPT_TIMEOUT),
});
