import type { Context } from 'aws-lambda';
import { sweepPaymentsDeps } from '#shared/payments/compose-sweep.ts';
import { sweepPaymentsEnv } from '#shared/payments/env-sweep.ts';
import { readEnv } from '#shared/platform/env.ts';
import { parseShare } from '#shared/sweeps/domain/share.ts';
import { type SweepPaymentsDeps, sweepPayments } from '#shared/sweeps/use-cases/sweep-payments.ts';

/** Milliseconds before Lambda ends the run. In this time the sweep starts no more work, and finishes what it has started. */
const MARGIN_MS = 20_000;

/** Runs on a schedule and queues due work on money: expiries, look-ups, unknown outcomes, unmatched money, reconciliation. */
export const sweepPaymentsHandler = (deps: SweepPaymentsDeps) => async (event: unknown, context: Context) =>
  sweepPayments({ ...deps, share: parseShare(event) }, deps.now() + context.getRemainingTimeInMillis() - MARGIN_MS);

export const handler = sweepPaymentsHandler(sweepPaymentsDeps(readEnv(sweepPaymentsEnv, process.env)));
