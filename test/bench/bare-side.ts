import { Worker } from 'node:worker_threads';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createDeliveryQueues } from '#infra/local/engines/create-queues.ts';
import { checkoutItem } from '#shared/adapters/dynamodb/checkouts/items.ts';
import { paymentItem } from '#shared/adapters/dynamodb/money/items.ts';
import { businessKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { deliveryItem, eventItem } from '#shared/adapters/dynamodb/webhooks/items.ts';
import type { Ledger, LedgerEntry } from '#shared/ports/money.ts';
import { simulateCheckoutPayment } from '#shared/use-cases/checkouts/simulate-checkout-payment.ts';
import type { BareConsumerWork } from './bare-consumer-worker.ts';
import { bareLanding, type LandingTemplates } from './bare-landing.ts';
import { inFull, type Joined } from './joined-stack.ts';

/** The items that the use case would write for a payment, captured without writing them. */
const templatesOf = async (
  { table, deps }: Joined,
  businessId: string,
  reference: string,
): Promise<LandingTemplates> => {
  let written: LedgerEntry = {};
  const record: Ledger['record'] = async (entry) => {
    written = entry;
    return 'recorded';
  };
  const dry = { ...deps, ledger: { ...deps.ledger, record }, queue: { send: async () => {} } };
  await simulateCheckoutPayment(dry, { businessId, mode: 'test' }, inFull(reference), () => undefined);
  const { payment, checkout, event, deliveries: [delivery] = [] } = written;
  if (!payment || !checkout || !event || !delivery)
    throw new Error('The use case did not write what a landing writes.');
  return {
    business: businessKey(businessId).pk,
    paid: checkoutItem(table, checkout.after),
    payment: paymentItem(table, payment),
    event: eventItem(event, [delivery]),
    delivery: deliveryItem(table, delivery),
  };
};

/**
 * The bare consumer in a thread beside a running stack, at a queue that the stack knows nothing of, and what lands for it: a merchant's
 * payments by the calls of the use case alone, written like that of `reference`, which still waits for its money.
 */
export const startBareSide = async (joined: Joined) => {
  const { table, sqs, sqsEndpoint } = joined;
  const { first: queueUrl } = await createDeliveryQueues(new SQSClient(), sqsEndpoint, 'bare');
  const workerData: BareConsumerWork = { tableName: table.name, dueShards: table.dueShards, queueUrl };
  const thread = new Worker(new URL('./bare-consumer-worker.ts', import.meta.url), { workerData });
  return {
    landingFor: async (businessId: string, reference: string) =>
      bareLanding(table, sqs, queueUrl, await templatesOf(joined, businessId, reference)),
    stop: () => thread.terminate(),
  };
};
