import { breakerStore } from '#shared/adapters/dynamodb/breaker-store.ts';
import { businessStore } from '#shared/adapters/dynamodb/business-store.ts';
import { deliveryStore } from '#shared/adapters/dynamodb/delivery-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table.ts';
import { webhookPoster } from '#shared/adapters/http-out/webhook-poster.ts';
import { nature } from '#shared/adapters/nature.ts';
import { connectQueue, deliveryQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { ATTEMPT_TIMEOUT, deliveryJob } from '#shared/domain/delivery.ts';
import { readEnv } from '#shared/env.ts';
import { log, writeLine } from '#shared/log.ts';
import { metricsTo } from '#shared/metrics.ts';
import { consumer } from '#shared/queue/consumer.ts';
import { type DeliverDeps, deliverWebhook } from '#shared/use-cases/deliver-webhook.ts';
import { deliveryEnv, queueUrls } from '#shared/webhook-env.ts';

/** Takes deliveries off the queues and posts their webhooks. */
export const deliverWebhooks = (deps: DeliverDeps, slowQueueUrl: string) =>
  consumer(deliveryJob, deps.log, (job, queueName) =>
    deliverWebhook(deps, slowQueueUrl.endsWith(`/${queueName}`) ? 'slow' : 'first', job),
  );

const env = readEnv(deliveryEnv, process.env);
const table = connectTable(env);
export const handler = deliverWebhooks(
  {
    ...nature,
    log,
    metrics: metricsTo(env.STAGE, writeLine, nature.now),
    deliveries: deliveryStore(table),
    breakers: breakerStore(table),
    businesses: businessStore(table),
    queue: deliveryQueue(connectQueue(), queueUrls(env)),
    post: webhookPoster({ timeoutMs: ATTEMPT_TIMEOUT, targets: env.WEBHOOK_TARGETS }),
    schedule: env.RETRY_SCHEDULE,
  },
  env.SLOW_QUEUE_URL,
);
