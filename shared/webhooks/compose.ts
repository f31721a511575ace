import type * as z from 'zod/mini';
import { apiDeps } from '#shared/api/compose.ts';
import type { announcingApiEnv, apiEnv } from '#shared/api/env.ts';
import { businessStore } from '#shared/businesses/store/business-store.ts';
import { endpointStore } from '#shared/businesses/store/endpoint-store.ts';
import { usageStore } from '#shared/businesses/store/usage-store.ts';
import { ledger } from '#shared/payments/store/ledger.ts';
import { log, writeLine } from '#shared/platform/observability/log.ts';
import { metricsTo } from '#shared/platform/observability/metrics.ts';
import { connectQueue } from '#shared/platform/queues/connect-queue.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { stageKeys } from '#shared/platform/secrets/stage-keys.ts';
import { leases } from '#shared/platform/table/leases.ts';
import { connectTable } from '#shared/platform/table/table.ts';
import { dueIndex } from '#shared/sweeps/store/due-index.ts';
import { ATTEMPT_TIMEOUT } from '#shared/webhooks/domain/delivery.ts';
import { targetChecker } from '#shared/webhooks/http-out/target-checker.ts';
import { webhookPoster } from '#shared/webhooks/http-out/webhook-poster.ts';
import { deliveryQueue } from '#shared/webhooks/queue/delivery-queue.ts';
import { breakerStore } from '#shared/webhooks/store/breaker-store.ts';
import { deliveryStore } from '#shared/webhooks/store/delivery-store.ts';
import { eventStore } from '#shared/webhooks/store/event-store.ts';
import { announcingQueue } from './compose-queue.ts';
import {
  type createWebhookEndpointEnv,
  type deliverWebhooksEnv,
  queueUrls,
  type rotateWebhookSecretEnv,
  type sweepDeliveriesEnv,
  type updateWebhookEndpointEnv,
} from './env.ts';

/** Builds the dependencies of get-webhook-endpoint, which reads an endpoint and counts its parked deliveries. */
export const readEndpointDeps = (env: z.infer<typeof apiEnv>) => ({
  ...readEndpointsDeps(env),
  deliveries: deliveryStore(connectTable(env)),
});

/** Builds the dependencies of list-webhook-endpoints, which reads endpoints. */
export const readEndpointsDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), endpoints: endpointStore(table) };
};

/** Builds the dependency on the keys that encrypt webhook secrets. */
const sealDeps = (env: { readonly WEBHOOK_KEYS: string }) => ({
  webhookKeys: stageKeys(env.WEBHOOK_KEYS, { now: runtime.now, log }),
});

/** Builds the dependencies of delete-webhook-endpoint, which changes endpoints with their business. */
export const changeEndpointDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), ...runtime, businesses: businessStore(table), usage: usageStore(table) };
};

/** Builds the dependencies of rotate-webhook-secret, which encrypts the new secret. */
export const rotateSecretDeps = (env: z.infer<typeof rotateWebhookSecretEnv>) => ({
  ...changeEndpointDeps(env),
  ...sealDeps(env),
});

/** Builds the dependencies of create-webhook-endpoint, which encrypts the secret and checks the URL, within the business's limit of URL checks. */
export const createEndpointDeps = (env: z.infer<typeof createWebhookEndpointEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...runtime,
    ...sealDeps(env),
    businesses: businessStore(table),
    usage: usageStore(table),
    checkTarget: targetChecker(env.WEBHOOK_TARGETS),
  };
};

/**
 * Builds the dependencies of update-webhook-endpoint, which checks a new URL within the business's limit of URL checks, probes a failing
 * endpoint, releases parked deliveries, and announces that an endpoint was disabled.
 */
export const updateEndpointDeps = (env: z.infer<typeof updateWebhookEndpointEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...runtime,
    businesses: businessStore(table),
    breakers: breakerStore(table),
    deliveries: deliveryStore(table),
    queue: announcingQueue(env),
    usage: usageStore(table),
    checkTarget: targetChecker(env.WEBHOOK_TARGETS),
  };
};

/** Builds the dependencies of test-webhook-endpoint, which records an event and queues its delivery. */
export const testEndpointDeps = (env: z.infer<typeof announcingApiEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...runtime,
    endpoints: endpointStore(table),
    ledger: ledger(table),
    usage: usageStore(table),
    queue: announcingQueue(env),
  };
};

/**
 * Builds the dependencies of recover-webhook-endpoint, which parks an endpoint's undelivered deliveries with a new retry schedule and starts a
 * drain.
 */
export const recoverEndpointDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    endpoints: endpointStore(table),
    deliveries: deliveryStore(table),
    breakers: breakerStore(table),
    usage: usageStore(table),
    recoveryLeases: leases(table, 'recovery'),
  };
};

/** Builds the dependencies of list-webhook-endpoint-deliveries, which reads an endpoint's deliveries. */
export const listEndpointDeliveriesDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), endpoints: endpointStore(table), deliveries: deliveryStore(table) };
};

/** Builds the dependencies of list-events, which reads and searches events. */
export const listEventsDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), events: eventStore(table), usage: usageStore(table) };
};

/** Builds the dependencies of get-event, which reads events. */
export const readEventsDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), events: eventStore(table) };
};

/** Builds the dependencies of redeliver-event, which makes deliveries of an event due again or creates them, and queues them. */
export const redeliverEventDeps = (env: z.infer<typeof announcingApiEnv>) => {
  const table = connectTable(env);
  return {
    ...apiDeps(table, env),
    ...runtime,
    events: eventStore(table),
    businesses: businessStore(table),
    deliveries: deliveryStore(table),
    usage: usageStore(table),
    queue: announcingQueue(env),
  };
};

/** Builds the dependencies of deliver-webhooks, which posts webhooks, records attempts, disables endpoints, and sends to every queue. */
export const deliverWebhooksDeps = (env: z.infer<typeof deliverWebhooksEnv>) => {
  const table = connectTable(env);
  return {
    ...runtime,
    ...sealDeps(env),
    log,
    metrics: metricsTo(env.STAGE, writeLine, runtime.now),
    deliveries: deliveryStore(table),
    breakers: breakerStore(table),
    businesses: businessStore(table),
    queue: deliveryQueue(connectQueue(), queueUrls(env)),
    post: webhookPoster({ timeoutMs: ATTEMPT_TIMEOUT, targets: env.WEBHOOK_TARGETS }),
    schedule: env.RETRY_SCHEDULE,
  };
};

/**
 * Builds the dependencies of sweep-deliveries, which does the due work on deliveries and breakers, and sends to the queues of first attempts,
 * retries and test mode.
 */
export const sweepDeliveriesDeps = (env: z.infer<typeof sweepDeliveriesEnv>) => {
  const table = connectTable(env);
  return {
    ...runtime,
    log,
    metrics: metricsTo(env.STAGE, writeLine, runtime.now),
    dueIndex: dueIndex(table),
    deliveries: deliveryStore(table),
    breakers: breakerStore(table),
    queue: deliveryQueue<'first' | 'retry'>(connectQueue(), {
      first: env.FIRST_QUEUE_URL,
      retry: env.RETRY_QUEUE_URL,
      test: env.TEST_QUEUE_URL,
    }),
  };
};
