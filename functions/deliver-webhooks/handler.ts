import { deliverWebhooksDeps } from '#shared/composition/webhooks.ts';
import { deliveryJob } from '#shared/domain/webhooks/delivery.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { deliverWebhooksEnv } from '#shared/env/webhooks.ts';
import { consumer } from '#shared/queue/consumer.ts';
import { type DeliverDeps, deliverWebhook } from '#shared/use-cases/webhooks/deliver-webhook.ts';

/** Consumes the delivery queues and posts webhooks. */
export const deliverWebhooksHandler = (deps: DeliverDeps, slowQueueUrl: string) =>
  consumer(deliveryJob, deps.log, (job, queueName) =>
    deliverWebhook(deps, slowQueueUrl.endsWith(`/${queueName}`) ? 'slow' : 'first', job),
  );

const env = readEnv(deliverWebhooksEnv, process.env);
export const handler = deliverWebhooksHandler(deliverWebhooksDeps(env), env.SLOW_QUEUE_URL);
