import type { Context } from 'aws-lambda';
import { notificationStore } from '#shared/adapters/dynamodb/money/notification-store.ts';
import { reconciliationStore } from '#shared/adapters/dynamodb/money/reconciliation-store.ts';
import { dueIndex } from '#shared/adapters/dynamodb/table/due-index.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { accountsDeps } from '#shared/composition/payments.ts';
import { readEnv } from '#shared/env/base.ts';
import { sweepPaymentsEnv } from '#shared/env/providers.ts';
import { type SweepPaymentsDeps, sweepPayments as sweep } from '#shared/use-cases/sweeps/sweep-payments.ts';

/** Left over for the page that is being worked on when the time runs out. */
const MARGIN_MS = 20_000;

/** Runs on a schedule and picks up what time owes to money: expiries, look-ups, unknown outcomes, unmatched money, reconciliation. */
export const sweepPayments = (deps: SweepPaymentsDeps) => async (_event: unknown, context: Context) =>
  sweep(deps, deps.now() + context.getRemainingTimeInMillis() - MARGIN_MS);

const env = readEnv(sweepPaymentsEnv, process.env);
const table = connectTable(env);
export const handler = sweepPayments({
  ...accountsDeps(table, env),
  dueIndex: dueIndex(table),
  notifications: notificationStore(table),
  reconciliations: reconciliationStore(table),
});
