import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { payment } from '#shared/payments/domain/payment.ts';
import type { ReviewStore } from '#shared/payments/ports.ts';
import { duePaymentKey } from '#shared/payments/store/keys.ts';
import { conditionHeld } from '#shared/platform/table/conditional-write.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, type Table } from '#shared/platform/table/table.ts';
import { paymentItem } from './items.ts';

/** Finds and schedules reviews in the table. Each is stored on its payment. */
export const reviewStore = (table: Table): ReviewStore => ({
  find: async (pk) => {
    const existing = readItem(table, payment, await getItem(table, duePaymentKey(pk)));
    return existing?.review && { ...existing, review: existing.review };
  },
  schedule: async ({ review: before, ...reviewed }, next) => {
    const after = next ? { ...reviewed, review: next } : reviewed;
    const put = new PutCommand({
      TableName: table.name,
      Item: paymentItem(table, after),
      // The write must not bring back a sender's name that was erased since the read. In that case the review stays due.
      ConditionExpression: 'review.dueAt = :dueAt AND senderName = :sender',
      ExpressionAttributeValues: { ':dueAt': before.dueAt, ':sender': reviewed.senderName },
    });
    await conditionHeld(table.client.send(put));
  },
});
