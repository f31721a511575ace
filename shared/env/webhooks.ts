import * as z from 'zod/mini';
import { retrySchedule } from '#shared/domain/webhooks/retry-schedule.ts';
import { announcingApiEnv, apiEnv } from './api.ts';
import { firstQueueEnv, json, tableEnv } from './kernel.ts';

/* What functions are told that deal with webhook endpoints and deliveries. Apart from the others', which make none of these schemas. */

const retryQueueEnv = z.extend(firstQueueEnv, { RETRY_QUEUE_URL: z.url() });
/** Where first attempts, retries and slow endpoints wait, each apart. */
const queuesEnv = z.extend(retryQueueEnv, { SLOW_QUEUE_URL: z.url() });

/** The queues' URLs by lane, as the queue adapter takes them. */
export const queueUrls = (env: z.infer<typeof queuesEnv>) => ({
  first: env.FIRST_QUEUE_URL,
  retry: env.RETRY_QUEUE_URL,
  slow: env.SLOW_QUEUE_URL,
});

/** Where webhooks may go. `any` is for local and emulator stages: there a webhook may go to this very machine. */
const targetsEnv = z.object({ WEBHOOK_TARGETS: z.enum(['public', 'any']) });

/** The endpoint that creates webhook endpoints. */
export const createWebhookEndpointEnv = z.extend(apiEnv, targetsEnv.shape);
/** The endpoint that changes them, which may end in a webhook. */
export const updateWebhookEndpointEnv = z.extend(announcingApiEnv, targetsEnv.shape);

/** The consumer of the delivery queues. */
export const deliverWebhooksEnv = z.extend(tableEnv, {
  ...queuesEnv.shape,
  ...targetsEnv.shape,
  /** As JSON; `DEFAULT_SCHEDULE` is what api.md promises. */
  RETRY_SCHEDULE: z.pipe(json, retrySchedule),
});

/** The scheduled sweeper of what is owed to webhooks. */
export const sweepDeliveriesEnv = z.extend(tableEnv, retryQueueEnv.shape);
