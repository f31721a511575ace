import type { Context } from 'aws-lambda';
import { readEnv } from '#shared/platform/env.ts';
import { parseShare } from '#shared/sweeps/domain/share.ts';
import { type SweepDeliveriesDeps, sweepDeliveries } from '#shared/sweeps/use-cases/sweep-deliveries.ts';
import { sweepDeliveriesDeps } from '#shared/webhooks/compose.ts';
import { sweepDeliveriesEnv } from '#shared/webhooks/env.ts';

/** Milliseconds before Lambda ends the run. In this time the sweep starts no more work, and finishes what it has started. */
const MARGIN_MS = 10_000;

/** Runs on a schedule and does due work on webhooks: lost sends, lapsed leases, long retries, breakers. */
export const sweepDeliveriesHandler = (deps: SweepDeliveriesDeps) => async (event: unknown, context: Context) =>
  sweepDeliveries({ ...deps, share: parseShare(event) }, deps.now() + context.getRemainingTimeInMillis() - MARGIN_MS);

export const handler = sweepDeliveriesHandler(sweepDeliveriesDeps(readEnv(sweepDeliveriesEnv, process.env)));
