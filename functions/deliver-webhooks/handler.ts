import { readEnv } from '#shared/platform/env.ts';
import { consumer } from '#shared/platform/queues/consumer.ts';
import { deliverWebhooksDeps } from '#shared/webhooks/compose.ts';
import { deliveryJob, LANES, type Lane } from '#shared/webhooks/domain/delivery.ts';
import { deliverWebhooksEnv, queueUrls } from '#shared/webhooks/env.ts';
import { type DeliverDeps, deliverWebhook } from '#shared/webhooks/use-cases/deliver-webhook.ts';

/** Finds the lane (`first`, `retry`, `slow` or `test`) whose queue has this name; `first` if there is none. */
const findLane = (urls: Record<Lane, string>, queueName: string): Lane =>
  LANES.find((lane) => urls[lane].endsWith(`/${queueName}`)) ?? 'first';

/** Consumes the delivery queues and posts webhooks. */
export const deliverWebhooksHandler = (deps: DeliverDeps, urls: Record<Lane, string>) =>
  consumer(deliveryJob, deps.log, (job, queueName) => deliverWebhook(deps, findLane(urls, queueName), job));

const env = readEnv(deliverWebhooksEnv, process.env);
export const handler = deliverWebhooksHandler(deliverWebhooksDeps(env), queueUrls(env));
