import * as z from 'zod/mini';
import { announcingApiEnv, apiEnv } from '#shared/api/env.ts';
import { announcingEnv, json, keysPlace, tableEnv } from '#shared/platform/env.ts';
import { retrySchedule } from '#shared/webhooks/domain/retry-schedule.ts';

/* The environment variables of the functions for webhook endpoints and deliveries. No other function loads these schemas. */

const retryQueueEnv = z.extend(announcingEnv, { RETRY_QUEUE_URL: z.url() });
/** Every delivery queue. */
const queuesEnv = z.extend(retryQueueEnv, { SLOW_QUEUE_URL: z.url() });

/** Returns the queues' URLs by lane, as the queue adapter takes them. */
export const queueUrls = (env: z.infer<typeof queuesEnv>) => ({
  first: env.FIRST_QUEUE_URL,
  retry: env.RETRY_QUEUE_URL,
  slow: env.SLOW_QUEUE_URL,
  test: env.TEST_QUEUE_URL,
});

/** The addresses that may get webhooks. `any` includes this machine and is for local and emulator stages. */
const targetsEnv = z.object({ WEBHOOK_TARGETS: z.enum(['public', 'any']) });

/** The keys that encrypt webhook secrets, for functions that create secrets or sign with them. */
const sealingEnv = { WEBHOOK_KEYS: keysPlace };

export const createWebhookEndpointEnv = z.extend(apiEnv, { ...targetsEnv.shape, ...sealingEnv });
export const rotateWebhookSecretEnv = z.extend(apiEnv, sealingEnv);
export const updateWebhookEndpointEnv = z.extend(announcingApiEnv, targetsEnv.shape);

export const deliverWebhooksEnv = z.extend(tableEnv, {
  ...queuesEnv.shape,
  ...targetsEnv.shape,
  ...sealingEnv,
  /** JSON. `DEFAULT_SCHEDULE` is the schedule that the API promises. */
  RETRY_SCHEDULE: z.pipe(json, retrySchedule),
});

export const sweepDeliveriesEnv = z.extend(tableEnv, retryQueueEnv.shape);
