import { readStackFile } from '#infra/local/data/stack-file.ts';
import { useLocalAws } from '#infra/local/environment.ts';
import { ledger } from '#shared/adapters/dynamodb/money/ledger.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { connectQueue, deliveryQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { log } from '#shared/observability/log.ts';
import type { SimulateCheckoutInput } from '#shared/use-cases/checkouts/simulate-checkout-payment.ts';
import type { ChangeDeps } from '#shared/use-cases/money/change-checkout.ts';
import type { Stack } from '#test/support/worlds/stack.ts';

/** The dependencies of a landing at a running stack, composed as its function composes them. */
export const joinStack = (stack: Stack) => {
  const found = readStackFile(stack.dataDir);
  if (!found) throw new Error('The stack does not run any more.');
  useLocalAws(found);
  const table = connectTable({ TABLE_NAME: found.tableName, DUE_SHARDS: found.dueShards });
  const sqs = connectQueue();
  const queue = deliveryQueue<'first'>(sqs, found.queueUrls);
  const deps: ChangeDeps = { ...runtime, log, ledger: ledger(table), queue };
  return { table, deps, sqs, sqsEndpoint: found.sqsEndpoint };
};
export type Joined = ReturnType<typeof joinStack>;

/** A payment of the whole amount, as `POST /checkout/sandbox/simulate` makes it. */
export const inFull = (reference: string): SimulateCheckoutInput => ({
  reference,
  outcome: 'accepted',
  amount: undefined,
  late: false,
  senderName: null,
  senderBank: null,
});
