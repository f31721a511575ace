import type { Context } from 'aws-lambda';
import { dueIndex } from '#shared/adapters/dynamodb/table/due-index.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { breakerStore } from '#shared/adapters/dynamodb/webhooks/breaker-store.ts';
import { deliveryStore } from '#shared/adapters/dynamodb/webhooks/delivery-store.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { connectQueue, deliveryQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { readEnv } from '#shared/env/base.ts';
import { sweepEnv } from '#shared/env/webhooks.ts';
import { log, writeLine } from '#shared/observability/log.ts';
import { metricsTo } from '#shared/observability/metrics.ts';
import { type SweepDeliveriesDeps, sweepDeliveries } from '#shared/use-cases/sweeps/sweep-deliveries.ts';

/** Left over for the page that is being worked on when the time runs out. */
const MARGIN_MS = 10_000;

/** Runs on a schedule and picks up what time owes to webhooks: lost sends, lapsed leases, long retries, breakers. */
export const sweepDeliveriesHandler = (deps: SweepDeliveriesDeps) => async (_event: unknown, context: Context) =>
  sweepDeliveries(deps, deps.now() + context.getRemainingTimeInMillis() - MARGIN_MS);

const env = readEnv(sweepEnv, process.env);
const table = connectTable(env);
export const handler = sweepDeliveriesHandler({
  ...runtime,
  log,
  dueIndex: dueIndex(table),
  deliveries: deliveryStore(table),
  breakers: breakerStore(table),
  metrics: metricsTo(env.STAGE, writeLine, runtime.now),
  queue: deliveryQueue(connectQueue(), { first: env.FIRST_QUEUE_URL, retry: env.RETRY_QUEUE_URL }),
});
