import { businessStore } from '#shared/adapters/dynamodb/businesses/business-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { breakerStore } from '#shared/adapters/dynamodb/webhooks/breaker-store.ts';
import { deliveryStore } from '#shared/adapters/dynamodb/webhooks/delivery-store.ts';
import { webhookPoster } from '#shared/adapters/http-out/webhook-poster.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { connectQueue, deliveryQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { ATTEMPT_TIMEOUT, deliveryJob } from '#shared/domain/webhooks/delivery.ts';
import { readEnv } from '#shared/env/base.ts';
import { deliveryEnv, queueUrls } from '#shared/env/webhooks.ts';
import { log, writeLine } from '#shared/observability/log.ts';
import { metricsTo } from '#shared/observability/metrics.ts';
import { consumer } from '#shared/queue/consumer.ts';
import { type DeliverDeps, deliverWebhook } from '#shared/use-cases/webhooks/deliver-webhook.ts';

/** Takes deliveries off the queues and posts their webhooks. */
export const deliverWebhooksHandler = (deps: DeliverDeps, slowQueueUrl: string) =>
  consumer(deliveryJob, deps.log, (job, queueName) =>
    deliverWebhook(deps, slowQueueUrl.endsWith(`/${queueName}`) ? 'slow' : 'first', job),
  );

const env = readEnv(deliveryEnv, process.env);
const table = connectTable(env);
export const handler = deliverWebhooksHandler(
  {
    ...runtime,
    log,
    metrics: metricsTo(env.STAGE, writeLine, runtime.now),
    deliveries: deliveryStore(table),
    breakers: breakerStore(table),
    businesses: businessStore(table),
    queue: deliveryQueue(connectQueue(), queueUrls(env)),
    post: webhookPoster({ timeoutMs: ATTEMPT_TIMEOUT, targets: env.WEBHOOK_TARGETS }),
    schedule: env.RETRY_SCHEDULE,
  },
  env.SLOW_QUEUE_URL,
);
