import type { Context } from 'aws-lambda';
import { dueIndex } from '#shared/adapters/dynamodb/due-index.ts';
import { notificationStore } from '#shared/adapters/dynamodb/notification-store.ts';
import { reconciliationStore } from '#shared/adapters/dynamodb/reconciliation-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table.ts';
import { accountsDeps } from '#shared/adapters/payment-deps.ts';
import { readEnv } from '#shared/env.ts';
import { sweepPaymentsEnv } from '#shared/provider-env.ts';
import { type SweepPaymentsDeps, sweepPayments as sweep } from '#shared/use-cases/sweep-payments.ts';

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
