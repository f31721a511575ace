import { deliverWebhooksDeps } from '#shared/composition/webhooks.ts';
import { deliveryJob, LANES, type Lane } from '#shared/domain/webhooks/delivery.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { deliverWebhooksEnv, queueUrls } from '#shared/env/webhooks.ts';
import { consumer } from '#shared/queue/consumer.ts';
import { type DeliverDeps, deliverWebhook } from '#shared/use-cases/webhooks/deliver-webhook.ts';

/** The lane of a queue by its name. */
const laneNamed = (urls: Record<Lane, string>, queueName: string): Lane =>
  LANES.find((lane) => urls[lane].endsWith(`/${queueName}`)) ?? 'first';

/** Consumes the delivery queues and posts webhooks. */
export const deliverWebhooksHandler = (deps: DeliverDeps, urls: Record<Lane, string>) =>
  consumer(deliveryJob, deps.log, (job, queueName) => deliverWebhook(deps, laneNamed(urls, queueName), job));

const env = readEnv(deliverWebhooksEnv, process.env);
export const handler = deliverWebhooksHandler(deliverWebhooksDeps(env), queueUrls(env));
