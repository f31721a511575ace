import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Checkout, checkout } from '#shared/checkouts/domain/checkout.ts';
import { checkoutItem } from '#shared/checkouts/store/items.ts';
import { eraseOnCheckout } from '#shared/erasure/domain/erase-checkout.ts';
import { eraseOnVirtualAccount } from '#shared/erasure/domain/erase-virtual-account.ts';
import type { ErasedPayer } from '#shared/erasure/domain/personal-fields.ts';
import { type Notification, notification } from '#shared/payments/domain/notification.ts';
import type { Payment } from '#shared/payments/domain/payment.ts';
import type { Transition } from '#shared/platform/kernel/transition.ts';
import type { StoredAnswer } from '#shared/platform/requests/ports.ts';
import { storedAnswer } from '#shared/platform/table/answers.ts';
import { conditionHeld } from '#shared/platform/table/conditional-write.ts';
import type { Key } from '#shared/platform/table/keys.ts';
import { retryTemporary } from '#shared/platform/table/retries.ts';
import { type Item, type Table, toKey } from '#shared/platform/table/table.ts';
import { buildUpdate } from '#shared/platform/table/update-expression.ts';
import { type VirtualAccount, virtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import { virtualAccountItem } from '#shared/virtual-accounts/store/items.ts';
import { isCustomerPointer } from '#shared/virtual-accounts/store/keys.ts';
import { type Attempt, attempt, type Delivery, delivery } from '#shared/webhooks/domain/delivery.ts';
import { type Event, event } from '#shared/webhooks/domain/event.ts';
import { eventPartition, isDeliveryKey, isEventKey } from '#shared/webhooks/store/keys.ts';
import { eraseInBody, showsPayer } from './payer-bodies.ts';

/*
 * Erases the payer's items, by kind. A checkout or a virtual account is replaced only if it has not changed since it was read. The erasure
 * increases its `revision` or `version`. So if another process read the item before the erasure, the write of that process fails. The other items
 * are not replaced as a whole: a write changes only the attributes that identify the payer, or deletes a pointer. Each function returns false if
 * the condition of its write did not hold.
 */

/** Whether a write failed because a transaction was writing the same item. The SDK does not repeat such a write. */
const isTransactionConflict = (error: unknown): boolean => error instanceof TransactionConflictException;

const update = <T>(table: Table, key: Key, transition: Transition<T>): Promise<boolean> => {
  const command = new UpdateCommand({ TableName: table.name, Key: { ...key }, ...buildUpdate(transition, {}) });
  return conditionHeld(retryTemporary(() => table.client.send(command), isTransactionConflict));
};

const replace = (table: Table, item: Item & Key, lock: 'revision' | 'version', before: number): Promise<boolean> => {
  const command = new PutCommand({
    TableName: table.name,
    Item: item,
    ConditionExpression: '#lock = :before',
    ExpressionAttributeNames: { '#lock': lock },
    ExpressionAttributeValues: { ':before': before },
  });
  return conditionHeld(retryTemporary(() => table.client.send(command), isTransactionConflict));
};

export const eraseCheckout = async (table: Table, payer: ErasedPayer, item: Item): Promise<boolean> => {
  const before: Checkout = checkout.parse(item);
  const after = eraseOnCheckout(before, payer);
  return after ? replace(table, checkoutItem(table, after), 'revision', before.revision) : true;
};

export const eraseVirtualAccount = async (table: Table, payer: ErasedPayer, item: Item): Promise<boolean> => {
  const before: VirtualAccount = virtualAccount.parse(item);
  const after = eraseOnVirtualAccount(before, payer);
  return after ? replace(table, virtualAccountItem(table, after), 'version', before.version) : true;
};

/**
 * Erases the sender of a payment. Every other write of a payment demands that the sender has not changed since it was read, so no write brings
 * the sender back.
 */
export const erasePayment = (table: Table, _payer: ErasedPayer, item: Item): Promise<boolean> =>
  update<Payment>(table, toKey(item), { expect: {}, set: { senderName: null, senderBank: null } });

export const eraseAnswer = (table: Table, payer: ErasedPayer, item: Item): Promise<boolean> => {
  const { data: answer } = storedAnswer.safeParse(item);
  // If the item was read again after a conflict, the key may hold the answer of another request by now.
  if (!answer || !showsPayer(payer, answer.body)) return Promise.resolve(true);
  const { requestId, body } = answer;
  return update<StoredAnswer>(table, toKey(item), { expect: { requestId }, set: { body: eraseInBody(payer, body) } });
};

/** Erases a settled notification. Its money is recorded, and the hash is enough to recognise a repeated notification. */
export const eraseNotification = (table: Table, _payer: ErasedPayer, item: Item): Promise<boolean> => {
  const { raw } = notification.parse(item);
  if (raw === '') return Promise.resolve(true);
  return update<Notification>(table, toKey(item), { expect: { dueAt: null }, set: { raw: '' } });
};

/**
 * Erases a pointer. The pointer from a customer to a virtual account is deleted. The item that finds a checkout by its account number stays,
 * because its key names no payer. It is only taken off the list of the payer's checkouts.
 */
export const dropPointer = async (table: Table, _payer: ErasedPayer, item: Item): Promise<boolean> => {
  const key = toKey(item);
  const at = { TableName: table.name, Key: { ...key } };
  const removal = { UpdateExpression: 'REMOVE gsi1pk, gsi1sk', ConditionExpression: 'attribute_exists(pk)' };
  const drop = (): Promise<unknown> =>
    table.client.send(isCustomerPointer(key) ? new DeleteCommand(at) : new UpdateCommand({ ...at, ...removal }));
  return conditionHeld(retryTemporary(drop, isTransactionConflict));
};

/** Reads all items of an event, page by page: the event, its deliveries and their attempts. */
async function* readEventItems(table: Table, id: string): AsyncGenerator<Item> {
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': eventPartition(id) },
        ExclusiveStartKey: start,
        ConsistentRead: true,
      }),
    );
    yield* Items;
    start = LastEvaluatedKey;
  } while (start);
}

/** Erases the endpoint's response that an attempt or a delivery stores, because an endpoint may repeat in it what we sent. */
const eraseResponse = (table: Table, item: Item): Promise<boolean> => {
  if (!isDeliveryKey(toKey(item).sk)) {
    const { number, response } = attempt.parse(item);
    if (response === null) return Promise.resolve(true);
    return update<Attempt>(table, toKey(item), { expect: { number }, set: { response: null } });
  }
  const { attempt: started, redeliveries, state, lastAttempt } = delivery.parse(item);
  if (!lastAttempt || lastAttempt.response === null) return Promise.resolve(true);
  const set = { lastAttempt: { ...lastAttempt, response: null } };
  return update<Delivery>(table, toKey(item), { expect: { attempt: started, redeliveries, state }, set });
};

/**
 * Erases the responses of an event's deliveries first, then the event. If the process dies in between, a repeated call still recognises the
 * event by the payer in its body, and goes on.
 */
export const eraseEvent = async (table: Table, payer: ErasedPayer, item: Item): Promise<boolean> => {
  const { id, body } = event.parse(item);
  for await (const other of readEventItems(table, id)) {
    if (!isEventKey(toKey(other).sk) && !(await eraseResponse(table, other))) return false;
  }
  return update<Event>(table, toKey(item), { expect: {}, set: { body: eraseInBody(payer, body) } });
};
