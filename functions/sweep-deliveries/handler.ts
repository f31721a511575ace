import type { Context } from 'aws-lambda';
import { sweepDeliveriesDeps } from '#shared/composition/webhooks.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { sweepDeliveriesEnv } from '#shared/env/webhooks.ts';
import { type SweepDeliveriesDeps, sweepDeliveries } from '#shared/use-cases/sweeps/sweep-deliveries.ts';

/** Milliseconds left for the page that is in progress at the deadline. */
const MARGIN_MS = 10_000;

/** Runs on a schedule and does due work on webhooks: lost sends, lapsed leases, long retries, breakers. */
export const sweepDeliveriesHandler = (deps: SweepDeliveriesDeps) => async (_event: unknown, context: Context) =>
  sweepDeliveries(deps, deps.now() + context.getRemainingTimeInMillis() - MARGIN_MS);

export const handler = sweepDeliveriesHandler(sweepDeliveriesDeps(readEnv(sweepDeliveriesEnv, process.env)));
