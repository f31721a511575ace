import type { Context } from 'aws-lambda';
import { sweepPaymentsDeps } from '#shared/composition/money.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { sweepPaymentsEnv } from '#shared/env/money.ts';
import { type SweepPaymentsDeps, sweepPayments } from '#shared/use-cases/sweeps/sweep-payments.ts';

/** Milliseconds left for the page that is in progress at the deadline. */
const MARGIN_MS = 20_000;

/** Runs on a schedule and does due work on money: expiries, look-ups, unknown outcomes, unmatched money, reconciliation. */
export const sweepPaymentsHandler = (deps: SweepPaymentsDeps) => async (_event: unknown, context: Context) =>
  sweepPayments(deps, deps.now() + context.getRemainingTimeInMillis() - MARGIN_MS);

export const handler = sweepPaymentsHandler(sweepPaymentsDeps(readEnv(sweepPaymentsEnv, process.env)));
